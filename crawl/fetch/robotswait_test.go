package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// RFC 9309, 2.3.1.4: a file that can't be had disallows everything, for now.
func TestWhileARobotsFileCanNotBeHadItsTasksWait(t *testing.T) {
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		kind    Kind
		status  int
	}{
		"503":                      {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }, Server, 503},
		"501":                      {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(501) }, ClientFault, 501},
		"a connection that breaks": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, Network, 0},
		"throttled for long": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "300")
			w.WriteHeader(429)
		}, Throttled, 429},
		"a coding that nobody asked for": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "sdch")
			_, _ = io.WriteString(w, "x")
		}, Parse, 200},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGuarded(t, c.handler)
			o, w := polite()
			o.MaxDelay = time.Minute
			client := newClient(t, o)
			for range 3 {
				r := do(client, Request{URL: g.URL, Made: 1})
				if r.Waiting == nil || r.Waiting.Kind != c.kind || r.Waiting.Status != c.status || r.Page != nil ||
					r.Failure != nil {
					t.Fatalf("%+v, waiting %v", r, r.Waiting)
				}
				if r.Made != 0 || len(r.Failed) != 0 || !r.RetryAt.After(time.Now()) || !strings.Contains(r.Waiting.Error(),
					g.URL+"/robots.txt") {
					t.Errorf("%+v: %v", r, r.Waiting)
				}
			}
			if g.pages.Load() != 0 || strings.Count(w.said(), "robots: ignore") != 1 {
				t.Errorf("%d pages; warned: %s", g.pages.Load(), w.said())
			}
			if c.status == 503 && g.robots.Load() != 2 || g.robots.Load() > 2 {
				t.Errorf("asked %d times, want once and a retry where that makes sense", g.robots.Load())
			}
		})
	}
}

func TestWhenTheRobotsFileIsBackTheCrawlGoesOn(t *testing.T) {
	var up atomic.Bool
	g := newGuarded(t, func(w http.ResponseWriter, _ *http.Request) {
		if !up.Load() {
			w.WriteHeader(500)
		}
	})
	o, _ := polite()
	o.Delay, o.MaxDelay = time.Nanosecond, time.Nanosecond
	c := newClient(t, o)
	for range 3 {
		if r := do(c, Request{URL: g.URL}); r.Waiting == nil {
			t.Fatalf("%+v", r)
		}
	}
	if n := g.robots.Load(); n != 2+1+1 {
		t.Errorf("asked %d times, want two, then one at a time", n)
	}
	up.Store(true)
	wantPage(t, do(c, Request{URL: g.URL}))
}

func TestAfterAnHourWithoutARobotsFileTheTasksFail(t *testing.T) {
	g := newGuarded(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) })
	o, _ := polite()
	o.Delay, o.MaxDelay = time.Nanosecond, time.Nanosecond
	c := newClient(t, o)
	_ = do(c, Request{URL: g.URL})
	target, _ := newTarget(&Request{URL: g.URL})
	origin := c.robots.get(target.url)
	origin.down = origin.down.Add(-robotsPatience)
	r := do(c, Request{URL: g.URL})
	if f := wantFailure(t, r, Server); f.Status != 503 || r.Made != 0 || !strings.Contains(f.Error(),
		"robots.txt can't be had") {
		t.Errorf("%+v, %v", r, f)
	}
	if g.pages.Load() != 0 {
		t.Error("pages were asked for")
	}
}

// RFC 9309, 2.4: one that is a day old is asked for anew, and serves on while that fails.
func TestAnOldRobotsFileIsAskedForAnew(t *testing.T) {
	var answers atomic.Int64
	g := newGuarded(t, func(w http.ResponseWriter, _ *http.Request) {
		if answers.Add(1) == 2 {
			w.WriteHeader(501)
			return
		}
		fmt.Fprintf(w, "User-agent: *\nDisallow: /%d", answers.Load())
	})
	o, _ := polite()
	c := newClient(t, o)
	target, _ := newTarget(&Request{URL: g.URL})
	origin := c.robots.get(target.url)
	for _, denied := range []string{"/1", "/1", "/3"} {
		wantFailure(t, do(c, Request{URL: g.URL + denied}), Robots)
		news := *origin.last.Load()
		news.until = time.Now()
		origin.last.Store(&news)
	}
}

func TestANameThatDoesNotExistIsTheTasksOwnFailure(t *testing.T) {
	nobody := Result{Failure: &Failure{Kind: Network, Err: &net.OpError{Op: "dial", Err: &net.DNSError{IsNotFound: true}}}}
	if robotsOf(&nobody, "dogear") == nil {
		t.Error("its tasks wait for a host that does not exist")
	}
	slow := Result{Failure: &Failure{Kind: Network, Err: &net.DNSError{IsTimeout: true}}}
	if robotsOf(&slow, "dogear") != nil {
		t.Error("a name server that is down allows everything")
	}
}

func TestAStopEndsTheWaitForARobotsFile(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	g := newGuarded(t, func(w http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	o, _ := polite()
	c := newClient(t, o)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if r := c.Do(ctx, ctx, Request{URL: g.URL}); !r.Stopped || r.Page != nil || r.Failure != nil || r.Made != 0 {
				t.Errorf("%+v, %v", r, r.Failure)
			}
		})
	}
	all.Wait()
	if g.pages.Load() != 0 || !errors.Is(ctx.Err(), context.Canceled) {
		t.Error("pages were asked for")
	}
}
