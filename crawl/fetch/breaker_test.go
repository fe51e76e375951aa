package fetch

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// flaky is a site that is taken away and brought back; while it is away it resets every connection and counts.
type flaky struct {
	*site
	away    atomic.Bool
	refused atomic.Int64
	most    atomic.Int64 // refused at the same time
	now     atomic.Int64
}

func newFlaky(t *testing.T, handler http.HandlerFunc) *flaky {
	f := &flaky{}
	f.site = newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if !f.away.Load() {
			handler(w, r)
			return
		}
		f.refused.Add(1)
		if n := f.now.Add(1); n > f.most.Load() {
			f.most.Store(n)
		}
		defer f.now.Add(-1)
		panic(http.ErrAbortHandler) // no answer
	})
	return f
}

func fine(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }

// probing are options with which an outage is over soon.
func probing() Options {
	o := quick()
	o.ProbeDelay, o.ProbeMaxDelay = 10*time.Millisecond, 20*time.Millisecond
	o.BanDelay, o.MaxWait = 10*time.Millisecond, 20*time.Millisecond
	return o
}

// crawlOf asks for n tasks with so many workers, each again as its result says, until all have ended, and returns the
// attempts that each was counted and how many failed.
func crawlOf(c *Client, url string, n, workers int) (made []int, failed int64) {
	made = make([]int, n)
	tasks := make(chan int, n)
	var open sync.WaitGroup
	var failures atomic.Int64
	open.Add(n)
	for i := range n {
		tasks <- i
	}
	for range workers {
		go func() {
			for i := range tasks {
				r := do(c, Request{URL: url, Task: int64(i + 1), Made: made[i]})
				made[i] += r.Made
				switch {
				case r.Page != nil:
					c.Good(&r)
					open.Done()
				case r.Failure != nil:
					failures.Add(1)
					open.Done()
				default:
					tasks <- i // at once: the order of tasks is what matters here
				}
			}
		}()
	}
	open.Wait()
	close(tasks)
	return made, failures.Load()
}

func TestAnOutageCostsNoTaskAnAttempt(t *testing.T) {
	for name, workers := range map[string]int{"one worker": 1, "many workers": 8} {
		for attempts := 1; attempts <= 4; attempts += 3 {
			t.Run(name, func(t *testing.T) {
				o := probing()
				o.Attempts, o.Concurrency = attempts, workers
				c := newClient(t, o)
				var f *flaky
				f = newFlaky(t, func(w http.ResponseWriter, r *http.Request) {
					if f.hits.Load() == 20 {
						f.away.Store(true) // the next one is the first that gets no answer
					}
					fine(w, r)
				})
				wantPage(t, do(c, Request{URL: f.URL}))
				ended := make(chan []Outage)
				go func() {
					told := c.Outages()
					for ; len(told) == 0 || f.refused.Load() < 30; time.Sleep(time.Millisecond) {
						told = append(told, c.Outages()...)
					}
					f.away.Store(false)
					ended <- told
				}()
				made, failed := crawlOf(c, f.URL, 60, workers)
				outages := append(<-ended, c.Outages()...)
				if failed != 0 {
					t.Errorf("%d tasks failed", failed)
				}
				for i, n := range made {
					if n != 1 {
						t.Errorf("task %d was counted %d attempts", i, n)
					}
				}
				if len(outages) != 2 || outages[0].Banned || outages[0].Why == "" {
					t.Fatalf("told: %+v", outages)
				}
				if !outages[0].Until.IsZero() || outages[1].Until.IsZero() {
					t.Errorf("told: %+v", outages)
				}
			})
		}
	}
}

func TestWhileAHostIsAwayOneProbeAtATimeIsSent(t *testing.T) {
	o := probing()
	o.Concurrency = 8
	c := newClient(t, o)
	f := newFlaky(t, fine)
	wantPage(t, do(c, Request{URL: f.URL}))
	f.away.Store(true)
	opened := make(chan struct{})
	go func() {
		defer close(opened)
		for len(c.Outages()) == 0 {
			time.Sleep(time.Millisecond)
		}
		// net/http asks a second time by itself on a connection that it had used before, hence after those of the start.
		f.most.Store(0)
		before := f.refused.Load()
		for f.refused.Load() < before+10 {
			time.Sleep(time.Millisecond)
		}
		f.away.Store(false)
	}()
	if _, failed := crawlOf(c, f.URL, 40, 8); failed != 0 {
		t.Errorf("%d tasks failed", failed)
	}
	<-opened
	if f.most.Load() > 1 {
		t.Errorf("%d requests at the same time", f.most.Load())
	}
}

// What never answered is a wrong address: nothing is to be waited for.
func TestAHostThatNeverAnsweredHasNoOutage(t *testing.T) {
	o := probing()
	o.Attempts = 2
	c := newClient(t, o)
	f := newFlaky(t, fine)
	f.away.Store(true)
	made, failed := crawlOf(c, f.URL, 20, 4)
	if failed != 20 || made[7] != 2 || len(c.Outages()) != 0 {
		t.Errorf("%d failed, %v", failed, made)
	}
	c = newClient(t, o)
	host, _ := newTarget(&Request{URL: f.URL})
	c.Remember([]Learned{{Host: host.host}}, time.Now()) // but in an earlier run it did
	crawlOf(c, f.URL, 20, 4)
	if len(c.Outages()) == 0 {
		t.Error("no outage of a host that is known")
	}
}

// katana #416: whatever the site does, a crawl ends.
func TestTasksThatAlwaysFailComeToTheirEndAndTheOthersAreDone(t *testing.T) {
	for name, workers := range map[string]int{"one worker": 1, "many workers": 8} {
		t.Run(name, func(t *testing.T) {
			o := probing()
			o.Concurrency = workers
			c := newClient(t, o)
			s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/poison" {
					panic(http.ErrAbortHandler)
				}
				fine(w, r)
			})
			wantPage(t, do(c, Request{URL: s.URL}))
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				if _, failed := crawlOf(c, s.URL, 200, workers); failed != 0 {
					t.Errorf("%d good ones failed", failed)
				}
			}()
			if _, failed := crawlOf(c, s.URL+"/poison", 3, workers); failed != 3 {
				t.Errorf("%d of 3 failed", failed)
			}
			<-ended
		})
	}
}

func TestOneTaskAloneOpensNothing(t *testing.T) {
	c := newClient(t, probing())
	f := newFlaky(t, fine)
	wantPage(t, do(c, Request{URL: f.URL}))
	f.away.Store(true)
	made, failed := crawlOf(c, f.URL, 1, 1)
	if failed != 1 || made[0] != 4 || len(c.Outages()) != 0 {
		t.Errorf("%d failed after %v attempts; outages %v", failed, made, c.Outages())
	}
}

func TestAStopEndsTheWaitForAHostThatIsAway(t *testing.T) {
	o := probing()
	o.ProbeDelay, o.ProbeMaxDelay = time.Hour, time.Hour
	c := newClient(t, o)
	s := answering(t, "200")
	wantPage(t, do(c, Request{URL: s.URL}))
	open(c, s.URL)
	ctx, stop := context.WithCancel(context.Background())
	result := running(c, ctx, context.Background(), Request{URL: s.URL})
	stop()
	if got := <-result; !got.Stopped || got.Made != 0 || s.hits.Load() != 1 {
		t.Errorf("got %+v", got)
	}
}

// open opens the breaker of a host.
func open(c *Client, url string) *breaker {
	target, _ := newTarget(&Request{URL: url})
	h := c.hosts.get(target.host)
	for task := range int64(troubles) {
		(&visit{host: h}).fault(task, &Failure{Kind: Network, Err: errTooLarge}, time.Now())
	}
	return h.breaker
}

func TestAStopEndsAProbe(t *testing.T) {
	s, entered, _ := blocking(t, 200)
	o := probing()
	c := newClient(t, o)
	target, _ := newTarget(&Request{URL: s.URL})
	c.Remember([]Learned{{Host: target.host}}, time.Now())
	open(c, s.URL)
	ctx, stop := context.WithCancel(context.Background())
	result := running(c, ctx, context.Background(), Request{URL: s.URL})
	<-entered
	stop()
	if got := <-result; !got.Stopped || got.Made != 0 || len(got.Failed) != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestWhatWaitedForItsTurnWhenTheHostWentAwayIsNotSent(t *testing.T) {
	o := probing()
	o.Rate, o.LeaseWait, o.ProbeDelay, o.ProbeMaxDelay = 20, 10*time.Millisecond, time.Hour, time.Hour
	c := newClient(t, o)
	s := answering(t, "200")
	wantPage(t, do(c, Request{URL: s.URL}))
	result := running(c, context.Background(), context.Background(), Request{URL: s.URL})
	b := open(c, s.URL)
	if got := <-result; !got.RetryAt.Equal(b.next) || got.Made != 0 || s.hits.Load() != 1 {
		t.Errorf("got %+v after %d requests", got, s.hits.Load())
	}
}

func TestALongOutageIsNotSleptThrough(t *testing.T) {
	o := probing()
	o.LeaseWait, o.ProbeDelay, o.ProbeMaxDelay = 10*time.Millisecond, time.Hour, time.Hour
	c := newClient(t, o)
	s := answering(t, "200")
	wantPage(t, do(c, Request{URL: s.URL}))
	next := open(c, s.URL).next
	if got := do(c, Request{URL: s.URL}); !got.RetryAt.Equal(next) || got.Made != 0 || got.Stopped || s.hits.Load() != 1 {
		t.Errorf("got %+v", got)
	}
}
