package fetch

import (
	"context"
	"net/http"
	"testing"
	"time"
)

func TestWhatNetHTTPWouldRepeatIsNotSentWhenTheRunStopsMeanwhile(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	reset := resetting(1)
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/reset" {
			stop()
			reset(w, r)
		}
	})
	o := quick()
	o.Limiter, o.Rate, o.Period, o.Concurrency = Window, 2.0/60, time.Minute, 1 // the third waits for a minute
	c := newClient(t, o)
	wantPage(t, do(c, Request{URL: s.URL}))
	r := c.Do(ctx, context.Background(), Request{URL: s.URL + "/reset"})
	s.Close() // what was sent all the same has been counted
	if !r.Stopped || r.Made != 0 || s.hits.Load() != 2 {
		t.Errorf("%+v after %d requests", r, s.hits.Load())
	}
	if w := c.hosts.all()[0].turn.window; w.out != 0 {
		t.Errorf("%d places are still taken", w.out)
	}
}

// A connection that the host closed while it was idle costs nothing, as ever.
func TestWhatNetHTTPRepeatsIsNoAttempt(t *testing.T) {
	reset := resetting(2)
	s := newSite(t, reset)
	c := newClient(t, fast())
	wantPage(t, do(c, Request{URL: s.URL}))
	if r := do(c, Request{URL: s.URL}); r.Page == nil || r.Made != 1 || s.hits.Load() != 3 {
		t.Errorf("%+v after %d requests", r, s.hits.Load())
	}
}
