package fetch

import (
	"context"
	"net/http"
	"testing"
	"time"
)

func TestARateHalvesOnceForABurstOfComplaintsAndRisesAgain(t *testing.T) {
	l := newLearned(100)
	now := time.Now()
	sent := now.Add(-time.Minute)
	for range 50 {
		l.cut(sent, now)
	}
	if l.rate != 50 {
		t.Fatalf("%v after a burst", l.rate)
	}
	l.cut(now, now.Add(time.Second/2)) // sent at the new rate, but too soon
	l.cut(sent, now.Add(time.Hour))    // on its way at the last cut
	if l.rate != 50 {
		t.Fatalf("%v", l.rate)
	}
	l.cut(now, now.Add(time.Second))
	if l.rate != 25 {
		t.Fatalf("%v after a second", l.rate)
	}
	at := now.Add(time.Second)
	for range 1000 {
		before := l.rate
		if at = at.Add(time.Second); before == 0 {
			break
		}
		l.good(at)
		l.good(at) // once a second
		if l.rate > before*rise+1e-9 || l.rate >= l.full {
			t.Fatalf("from %v to %v", before, l.rate)
		}
	}
	if l.rate != 0 || l.below.Load() {
		t.Errorf("it is not back at the configured rate: %v", l.rate)
	}
}

func TestARateHasAFloorAndComesUpFromIt(t *testing.T) {
	for _, full := range []float64{100, 1.0 / 3600} {
		l := newLearned(full)
		now := time.Now()
		for range 100 {
			now = now.Add(time.Minute)
			l.cut(now, now)
		}
		if want := min(lowest, full); l.rate != want && l.rate != 0 {
			t.Errorf("%v: %v, want %v", full, l.rate, want)
		}
		for range 600 {
			now = now.Add(time.Second)
			l.good(now)
		}
		if l.rate != 0 {
			t.Errorf("%v: still %v", full, l.rate)
		}
	}
}

func TestWithoutARateTheOneThatWasSeenIsTheBeginning(t *testing.T) {
	l := newLearned(0)
	for second := range int64(3) {
		for range 400 {
			l.count(1000 + second)
		}
	}
	l.count(1003) // the second has just begun
	now := time.Unix(1003, 0)
	l.cut(now.Add(-time.Second), now)
	if l.rate != 200 {
		t.Fatalf("%v of 400 seen", l.rate)
	}
	for n := 0; l.rate > 0 && n < 600; n++ {
		now = now.Add(time.Second)
		l.good(now)
	}
	if l.rate != 0 {
		t.Errorf("it never comes back to full speed: %v", l.rate)
	}
}

func TestALowerRateHoldsForAllWhoWait(t *testing.T) {
	l := newLearned(1000)
	now := time.Now()
	l.cut(now, now) // 500/s
	if wait := l.take(now); wait != 2*time.Millisecond {
		t.Errorf("the first waits %v", wait)
	}
	now = now.Add(2 * time.Millisecond)
	if l.take(now) > 0 || l.take(now) != 2*time.Millisecond {
		t.Error("one each 2 ms")
	}
	now = now.Add(2 * time.Second)
	l.cut(now, now) // 250/s
	l.take(now)
	if wait := l.take(now); wait != 4*time.Millisecond {
		t.Errorf("then %v", wait)
	}
}

// scrapy #3849: what one task is told holds for the host.
func TestAHostThatAsksForPatienceIsLeftAloneByAll(t *testing.T) {
	for _, answer := range []string{
		"429 Retry-After=50", "503 Retry-After=50", "200 X-RateLimit-Remaining=0;X-RateLimit-Reset=50",
		"429 RateLimit=\"a\";r=0;t=50",
	} {
		t.Run(answer, func(t *testing.T) {
			s := headers(t, answer)
			o := quick()
			o.LeaseWait = time.Millisecond
			c := newClient(t, o)
			before := time.Now()
			do(c, Request{URL: s.URL, Task: 1})
			after := time.Now()
			for task := range int64(5) {
				r := do(c, Request{URL: s.URL, Task: 2 + task})
				if r.RetryAt.Before(before.Add(50*time.Second)) || r.RetryAt.After(after.Add(50*time.Second)) || r.Made != 0 {
					t.Errorf("got %+v", r)
				}
			}
			if s.hits.Load() != 1 {
				t.Errorf("%d requests", s.hits.Load())
			}
			learned := c.Learned(time.Now())
			if len(learned) != 1 || learned[0].LeaveUntil.Before(before.Add(50*time.Second)) {
				t.Fatalf("learned %+v", learned)
			}
			next := newClient(t, o) // of the next run
			next.Remember(learned, time.Now())
			if r := do(next, Request{URL: s.URL}); !r.RetryAt.Equal(learned[0].LeaveUntil) || s.hits.Load() != 1 {
				t.Errorf("the next run: %+v", r)
			}
		})
	}
}

func TestComplaintsLowerTheRateOfTheHostAndTheNextRunKnows(t *testing.T) {
	s := answering(t, "429 Retry-After=0", "200")
	o := fast()
	c := newClient(t, o)
	wantPage(t, do(c, Request{URL: s.URL}))
	learned := c.Learned(time.Now())
	if len(learned) != 1 || learned[0].Rate != o.Rate/2 || !learned[0].LeaveUntil.IsZero() {
		t.Fatalf("learned %+v", learned)
	}
	if again := c.Learned(time.Now()); len(again) != 0 {
		t.Errorf("nothing changed: %+v", again)
	}
	next := newClient(t, o)
	next.Remember(learned, time.Now())
	if got := next.hosts.all()[0].turn.learned.rate; got != o.Rate/2 {
		t.Errorf("the next run begins with %v", got)
	}
	slower := o
	slower.Rate = 5
	next = newClient(t, slower)
	next.Remember(learned, time.Now())
	if l := next.hosts.all()[0].turn.learned; l.rate != 0 {
		t.Errorf("a rate over the configured one: %v", l.rate)
	}
}

func TestAStopEndsTheWaitForALearnedRate(t *testing.T) {
	s := answering(t, "200")
	o := quick()
	o.Rate = 1
	c := newClient(t, o)
	target, _ := newTarget(&Request{URL: s.URL})
	c.Remember([]Learned{{Host: target.host, Rate: lowest}}, time.Now())
	ctx, stop := context.WithCancel(context.Background())
	first := running(c, ctx, context.Background(), Request{URL: s.URL})
	second := running(c, ctx, context.Background(), Request{URL: s.URL})
	stop()
	for _, result := range []Result{<-first, <-second} {
		if !result.Stopped || s.hits.Load() != 0 {
			t.Errorf("got %+v", result)
		}
	}
}

// headers is a site with one answer: a status, and headers with ; between them when their values have none.
func headers(t *testing.T, answer string) *site {
	return newSite(t, func(w http.ResponseWriter, _ *http.Request) { say(w, answer) })
}
