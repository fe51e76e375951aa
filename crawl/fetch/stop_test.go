package fetch

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"
)

func TestNothingIsSentAfterTheEnd(t *testing.T) {
	s := answering(t, "200")
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	live := context.Background()
	rated := quick()
	rated.Rate = 1000
	for name, o := range map[string]Options{"no limit": quick(), "a limit": rated} {
		t.Run(name, func(t *testing.T) {
			c := newClient(t, o)
			for range 20 { // a select between two ready channels would let some through
				for _, result := range []Result{c.Do(ended, live, Request{URL: s.URL}), c.Do(ended, ended, Request{URL: s.URL}), c.Do(live, ended, Request{URL: s.URL})} {
					if !result.Stopped || result.Page != nil || result.Failure != nil || result.Made != 0 || !result.RetryAt.IsZero() {
						t.Fatalf("got %+v", result)
					}
				}
			}
		})
	}
	if s.hits.Load() != 0 {
		t.Errorf("%d requests", s.hits.Load())
	}
}

// blocking is a site whose first answer waits for release; entered is closed when its request has come.
func blocking(t *testing.T, status int) (s *site, entered chan struct{}, release func()) {
	entered, gate := make(chan struct{}), make(chan struct{})
	release = sync.OnceFunc(func() { close(gate) })
	s = newSite(t, func(w http.ResponseWriter, r *http.Request) {
		close(entered)
		select {
		case <-gate:
		case <-r.Context().Done():
		}
		w.WriteHeader(status)
	})
	t.Cleanup(release)
	return s, entered, release
}

// running starts a Do and gives its result when it is there.
func running(c *Client, ctx, abort context.Context, r Request) <-chan Result {
	result := make(chan Result, 1)
	go func() { result <- c.Do(ctx, abort, r) }()
	return result
}

func TestARunningAttemptOutlivesTheStopAndItsResultIsKept(t *testing.T) {
	tests := []struct {
		status int
		want   func(Result) bool
	}{
		{200, func(r Result) bool { return r.Page != nil && !r.Stopped && r.Made == 1 }},
		{404, func(r Result) bool { return r.Failure != nil && r.Failure.Status == 404 && !r.Stopped && r.Made == 1 }},
		{500, func(r Result) bool { return r.Stopped && r.Failure == nil && r.Made == 1 && len(r.Failed) == 1 }},
	}
	for _, test := range tests {
		t.Run(http.StatusText(test.status), func(t *testing.T) {
			s, entered, release := blocking(t, test.status)
			ctx, stop := context.WithCancel(context.Background())
			result := running(newClient(t, quick()), ctx, context.Background(), Request{URL: s.URL})
			<-entered
			stop()
			release()
			if got := <-result; !test.want(got) || s.hits.Load() != 1 {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestAbortEndsARunningAttemptAndCountsNothing(t *testing.T) {
	s, entered, _ := blocking(t, 200)
	ctx, cancel := context.WithCancel(context.Background())
	result := running(newClient(t, quick()), ctx, ctx, Request{URL: s.URL})
	<-entered
	cancel()
	if got := <-result; !got.Stopped || got.Made != 0 || len(got.Failed) != 0 || got.Failure != nil {
		t.Errorf("got %+v", got)
	}
}

func TestAStopCutsABackOffShortAndSaysWhatIsLeftOfIt(t *testing.T) {
	asked := make(chan struct{}, 1)
	s := newSite(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "9")
		w.WriteHeader(http.StatusTooManyRequests)
		asked <- struct{}{}
	})
	ctx, stop := context.WithCancel(context.Background())
	before := time.Now()
	result := running(newClient(t, quick()), ctx, context.Background(), Request{URL: s.URL})
	<-asked
	stop() // in the attempt's last moments, or in the wait: it comes to the same
	got := <-result
	if !got.Stopped || got.RetryAt.Before(before.Add(9*time.Second)) || len(got.Failed) != 1 || got.Made != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestAStopEndsTheWaitForATurn(t *testing.T) {
	for _, limiter := range []string{Smooth, Bucket} {
		t.Run(limiter, func(t *testing.T) {
			s := answering(t, "200")
			o := quick()
			o.Rate, o.Burst, o.Limiter = 1e-6, 1, limiter
			c := newClient(t, o)
			wantPage(t, do(c, Request{URL: s.URL}))
			ctx, stop := context.WithCancel(context.Background())
			result := running(c, ctx, context.Background(), Request{URL: s.URL})
			stop()
			if got := <-result; !got.Stopped || got.Made != 0 || !got.RetryAt.IsZero() || s.hits.Load() != 1 {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestAStopEndsTheWaitForRoom(t *testing.T) {
	s, entered, release := blocking(t, 200)
	o := quick()
	o.Concurrency = 1
	c := newClient(t, o)
	first := running(c, context.Background(), context.Background(), Request{URL: s.URL})
	<-entered
	ctx, stop := context.WithCancel(context.Background())
	second := running(c, ctx, context.Background(), Request{URL: s.URL})
	stop()
	if got := <-second; !got.Stopped || got.Made != 0 || s.hits.Load() != 1 {
		t.Errorf("got %+v", got)
	}
	release()
	wantPage(t, <-first)
}

func TestAStopEndsTheWaitOfARedirectForItsTurn(t *testing.T) {
	asked := make(chan struct{}, 1)
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/next", http.StatusFound)
		asked <- struct{}{}
	})
	o := quick()
	o.Rate = 1e-6
	ctx, stop := context.WithCancel(context.Background())
	result := running(newClient(t, o), ctx, context.Background(), Request{URL: s.URL})
	<-asked
	stop()
	if got := <-result; !got.Stopped || got.Made != 0 || len(got.Failed) != 0 || s.hits.Load() != 1 {
		t.Errorf("got %+v", got)
	}
}
