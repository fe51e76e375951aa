package fetch

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// arrivals is a site that notes when each request came, by its own clock.
type arrivals struct {
	mu sync.Mutex
	at []time.Time
}

func (a *arrivals) handler(say http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		a.mu.Lock()
		a.at = append(a.at, time.Now())
		a.mu.Unlock()
		say(w, r)
	}
}

// most is how many came within any such period.
func (a *arrivals) most(period time.Duration) int {
	slices.SortFunc(a.at, time.Time.Compare)
	most := 0
	for first, last := 0, 0; last < len(a.at); last++ {
		for a.at[last].Sub(a.at[first]) >= period {
			first++
		}
		most = max(most, last-first+1)
	}
	return most
}

// colly #191, #266: a limit holds by the site's clock, however many ask at once.
func TestInNoPeriodDoMoreRequestsArriveThanAWindowAllows(t *testing.T) {
	for name, say := range map[string]http.HandlerFunc{
		"answers at once": fine,
		"redirects": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/" {
				http.Redirect(w, r, "/next", http.StatusFound)
			}
		},
		"answers that are cut": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/" {
				w.Header().Set("Content-Length", "100")
			}
		},
		"connections that are reset, which net/http asks again for": resetting(4),
	} {
		t.Run(name, func(t *testing.T) {
			var a arrivals
			s := newSite(t, a.handler(say))
			o := quick()
			o.Limiter, o.Rate, o.Period, o.Concurrency, o.Attempts = Window, 200, 100*time.Millisecond, 50, 1
			c := newClient(t, o)
			target, _ := newTarget(&Request{URL: s.URL})
			// However busy the machine of the test is, what counts is when an answer has come.
			c.hosts.get(target.host).turn.window.margin = time.Hour
			var all sync.WaitGroup
			for task := range int64(100) {
				all.Go(func() { do(c, Request{URL: s.URL + "/", Task: task}) })
			}
			all.Wait()
			if got := a.most(o.Period); got > 20 || len(a.at) < 100 {
				t.Errorf("%d of %d requests within %v, allowed are 20", got, len(a.at), o.Period)
			}
		})
	}
}

// resetting resets one connection in so many without an answer, and says fine on the others.
func resetting(one int64) http.HandlerFunc {
	var asked atomic.Int64
	return func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1)%one != 0 {
			fine(w, r)
			return
		}
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		_ = conn.(*net.TCPConn).SetLinger(0)
		_ = conn.Close()
	}
}

func TestAWindowHoldsWhatAPeriodOfTheRateBrings(t *testing.T) {
	for _, test := range []struct {
		rate   float64
		period time.Duration
		n      int
		within time.Duration
	}{
		{5, time.Second, 5, time.Second},
		{300.0 / 60, time.Minute, 300, time.Minute},
		{1000.0 / 3600, time.Hour, 1000, time.Hour},
		{2.5, time.Second, 2, time.Second},
		{0.5, time.Second, 1, 2 * time.Second},
		{1.0 / 3600, time.Hour, 1, time.Hour},
	} {
		t.Run(fmt.Sprint(test.rate, test.period), func(t *testing.T) {
			if w := newWindow(test.rate, test.period); w.n != test.n || w.period != test.within {
				t.Errorf("%d within %v", w.n, w.period)
			}
		})
	}
}

func TestAPlaceInAWindowIsFreeAPeriodAfterTheRequestLanded(t *testing.T) {
	w := newWindow(2, time.Second)
	live := context.Background()
	var slots []*slot
	for range 2 {
		s, err := w.take(live, live)
		if err != nil {
			t.Fatal(err)
		}
		slots = append(slots, s)
	}
	if _, free := w.try(time.Now().Add(time.Hour)); free {
		t.Error("a third one, though none has arrived yet")
	}
	slots[0].land()
	slots[0].land() // once
	landed := w.landed[0]
	if wait, free := w.try(landed.Add(400 * time.Millisecond)); free || wait != 600*time.Millisecond {
		t.Errorf("free %v, wait %v", free, wait)
	}
	if _, free := w.try(landed.Add(time.Second)); !free {
		t.Error("not free after its period")
	}
	if _, free := w.try(landed.Add(time.Hour)); free {
		t.Error("the other one has not arrived")
	}
}

func TestARequestThatIsNotSentGivesItsPlaceBack(t *testing.T) {
	s, entered, release := blocking(t, 200)
	o := quick()
	o.Limiter, o.Rate, o.Concurrency = Window, 10, 1
	c := newClient(t, o)
	first := running(c, context.Background(), context.Background(), Request{URL: s.URL})
	<-entered
	ctx, stop := context.WithCancel(context.Background())
	second := running(c, ctx, context.Background(), Request{URL: s.URL})
	stop() // it waits for room, or has not begun
	<-second
	release()
	wantPage(t, <-first)
	if w := c.hosts.all()[0].turn.window; w.out != 0 {
		t.Errorf("%d places are still taken", w.out)
	}
}
