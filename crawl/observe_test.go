package crawl_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"dogear/crawl"
	"dogear/crawl/fetch"
	"dogear/internal/practice"
	"dogear/state"
)

// observer counts what a run tells.
type observer struct {
	mu      sync.Mutex
	kinds   map[fetch.Kind]int
	landed  int
	commits int
	bad     []string
}

func (o *observer) exchange(x fetch.Exchange) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.kinds[x.Kind]++
	if x.Took <= 0 {
		o.bad = append(o.bad, fmt.Sprintf("an exchange took no time: %+v", x))
	}
}

func (o *observer) committed(tasks int, took time.Duration) {
	o.commits++
	o.landed += tasks
	if took <= 0 {
		o.bad = append(o.bad, fmt.Sprintf("a commit of %d took no time", tasks))
	}
}

func (o *observer) total() (n int64) {
	for _, of := range o.kinds {
		n += int64(of)
	}
	return n
}

func (o *observer) String() string {
	var all []string
	for _, kind := range slices.Sorted(maps.Keys(o.kinds)) {
		all = append(all, fmt.Sprintf("%s %d", kind, o.kinds[kind]))
	}
	return strings.TrimSpace(strings.Join(all, ", "))
}

func TestAnObserverHearsOfEveryExchangeOnceAndOfEveryOutcome(t *testing.T) {
	job := failureJob + "robots: obey\n"
	for _, c := range []struct {
		name, script, extra, want string
		redirects                 int64 // hops that are no exchanges of their own
	}{
		{"all well", "ok", "", "4", 0}, // three products and the robots.txt
		{"retries, and a page", "500,cut", "", "4, network 1, server 1", 0},
		{"throttled", "429:0*2", "", "4, throttled 2", 0},
		{"a page that is not what was expected, and then is", "captcha", "expect: {records: 1}", "4, blocked 1", 0},
		{"a page that never is", "captcha*", "expect: {contains: $.id}", "3, blocked 3", 0},
		{"a page that can't be read", "captcha*", "", "3, parse 1", 0},
		{"not there", "404*", "", "3, client 1", 0},
		{"a redirect that is followed", "302:/v1/product/1", "", "4", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, practice.Options{Faults: []practice.Fault{{Path: "/v1/product/7", Script: c.script}}},
				job+c.extra+"\n")
			o := &observer{kinds: map[fetch.Kind]int{}}
			s := b.run(state.Finished, crawl.Options{Observe: o.exchange, Committed: o.committed})
			if o.String() != c.want || len(o.bad) > 0 {
				t.Errorf("heard of %q, want %q; %v", o, c.want, o.bad)
			}
			if asked := b.site.Stats().Total - c.redirects; o.total() != asked {
				t.Errorf("heard of %d exchanges, the site of %d", o.total(), asked)
			}
			if landed := s.Tally.Done + s.Tally.Failed + s.Tally.PutOff; int64(o.landed) != landed || o.commits == 0 {
				t.Errorf("heard of %d outcomes in %d commits, want %d", o.landed, o.commits, landed)
			}
			failed := o.total() - int64(o.kinds[""])
			b.want(fmt.Sprint(failed), `SELECT count(*) FROM attempts`)
		})
	}
}

func TestARobotsTxtThatIsNotThereIsNoFailure(t *testing.T) {
	b := newBench(t, practice.Options{Faults: []practice.Fault{{Path: "/robots.txt", Script: "404*"}}}, failureJob)
	o := &observer{kinds: map[fetch.Kind]int{}}
	b.run(state.Finished, crawl.Options{Observe: o.exchange})
	if o.String() != "4" {
		t.Errorf("heard of %q, want 4 that went well", o)
	}
}

func TestProgressSaysHowEachHostMayBeAskedNow(t *testing.T) {
	b := newBench(t, practice.Options{Faults: []practice.Fault{{Path: "/v1/product/7", Script: "429:30"}}},
		replace(failureJob, "rate: none", "rate: 500/s"))
	var hosts []fetch.Standing
	now := time.Now()
	throttled := func(c crawl.Committed) bool { return c.Tally.Retried > 0 }
	var progress *crawl.Progress
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	look := whenCommitted(t, throttled, func() { hosts = progress.Hosts(now); stop() })
	b.runUntil(ctx, state.Interrupted, crawl.Options{Watch: func(p *crawl.Progress) { progress = p; look(p) }})
	if len(hosts) != 1 || "http://"+hosts[0].Host != b.site.URL {
		t.Fatalf("hosts: %+v", hosts)
	}
	if h := hosts[0]; h.Rate <= 0 || h.Rate > 250 || h.Until.Sub(now) < 10*time.Second || h.Why != "it asked to be left alone" {
		t.Errorf("after a 429: %+v", h)
	}
	if h := hosts[0]; h.Full != 500 || !h.Lowered || !h.Outage.Since.IsZero() {
		t.Errorf("after a 429: %+v", h)
	}
}

func TestWhatEachCommitLandedIsToldOnce(t *testing.T) {
	b := newBench(t, practice.Options{Faults: []practice.Fault{
		{Path: "/v1/product/7", Script: "500"}, {Path: "/v1/product/8", Script: "404*"},
	}}, failureJob)
	var told []string
	landed := func(all []state.Outcome) {
		for _, o := range all {
			told = append(told, fmt.Sprint(strings.TrimPrefix(o.Task.URL, b.site.URL), " ", o.State, " ",
				len(o.Failures)))
		}
	}
	b.run(state.Finished, crawl.Options{Landed: landed})
	slices.Sort(told)
	want := []string{"/v1/product/6 done 0", "/v1/product/7 done 1", "/v1/product/8 failed 1"}
	if !slices.Equal(told, want) {
		t.Errorf("told of %q, want %q", told, want)
	}
}
