package fetch

import (
	"testing"
	"time"
)

func TestARobotsFileWaitsForAHostThatIsAwayAsItsPagesDo(t *testing.T) {
	o := probing()
	o.Robots, o.LeaseWait, o.ProbeDelay, o.ProbeMaxDelay = true, time.Millisecond, time.Hour, time.Hour
	c := newClient(t, o)
	s := answering(t, "200")
	target, _ := newTarget(&Request{URL: s.URL})
	c.Remember([]Learned{{Host: target.host}}, time.Now())
	b := open(c, s.URL)
	for range 2 {
		got := do(c, Request{URL: s.URL, Task: 1})
		if !got.RetryAt.Equal(b.next) || got.Made != 0 || got.Failure != nil || s.hits.Load() != 0 {
			t.Errorf("got %+v after %d requests", got, s.hits.Load())
		}
	}
}

func TestARobotsFileMayBeTheProbeThatFindsAHostBack(t *testing.T) {
	o := probing()
	o.Robots = true
	c := newClient(t, o)
	s := answering(t, "404", "200")
	target, _ := newTarget(&Request{URL: s.URL})
	c.Remember([]Learned{{Host: target.host}}, time.Now())
	open(c, s.URL)
	wantPage(t, do(c, Request{URL: s.URL, Task: 1}))
	if outages := c.Outages(); len(outages) != 2 || outages[1].Until.IsZero() {
		t.Errorf("told: %+v", outages)
	}
}
