package crawl_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"dogear/crawl"
	"dogear/crawl/job"
	"dogear/internal/practice"
	"dogear/state"
)

const manyJob = `
start: {url: "SITE/v1/product/{id}", id: 1..1000000}
rate: none
concurrency: {min: 4, max: 100}
retry: {attempts: 1000, delay: 1ms, max_delay: 20ms}
records: {table: products, key: id, fields: {id: {json: $.id, type: int}}}
`

func TestAConcurrencyThatIsARangeGrowsAndFallsWithTheSite(t *testing.T) {
	b := newBench(t, practice.Options{Delay: 100 * time.Millisecond}, manyJob)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	fell := false
	watch := whenCommitted(t, func(c crawl.Committed) bool {
		switch {
		case !fell && c.Limit >= 16:
			b.site.SetCapacity(practice.Capacity{Requests: 6, Refuse: true})
			fell = true
		case fell && c.Limit <= 11:
			return true
		}
		return c.Limit < 4 || c.Limit > 100
	}, cancel)
	s := b.runUntil(ctx, state.Interrupted, crawl.Options{Watch: watch, Grace: time.Second})
	if !fell || s.Counts.Failed > 0 {
		t.Errorf("grown and fallen: %t, %d tasks failed", fell, s.Counts.Failed)
	}
}

// Who waits for a turn is no load, so a rate keeps the concurrency where it is: it would only make more of them wait.
func TestAJobWithARateDoesNotGrowForNothing(t *testing.T) {
	b := newBench(t, practice.Options{}, replace(replace(manyJob, "1000000", "150"), "rate: none", "rate: 100/s"))
	var grown atomic.Int64
	watch := whenCommitted(t, func(c crawl.Committed) bool {
		grown.Store(max(grown.Load(), int64(c.Limit)))
		return c.Counts.Left() == 0
	}, func() {})
	b.run(state.Finished, crawl.Options{Watch: watch})
	if grown.Load() > 4 {
		t.Errorf("the limit grew to %d", grown.Load())
	}
	if most := b.site.MaxInFlight(); most > 4 {
		t.Errorf("%d requests at a time", most)
	}
}

func TestTheConcurrencyOfTheOptionsComesBeforeTheJobs(t *testing.T) {
	for _, c := range []struct {
		concurrency job.Concurrency
		auto        bool
		limit       int
	}{
		{job.Concurrency{}, true, 4}, {job.Concurrency{Min: 7, Max: 7}, false, 7}, {job.Concurrency{Min: 2, Max: 3}, true, 2},
	} {
		b := newBench(t, practice.Options{}, replace(manyJob, "1000000", "5"))
		var p *crawl.Progress
		b.run(state.Finished, crawl.Options{Concurrency: c.concurrency, Watch: func(q *crawl.Progress) { p = q }})
		if last := p.Last(); last.Auto != c.auto || last.Limit != c.limit || last.Busy != 0 {
			t.Errorf("with %+v: %+v", c.concurrency, last)
		}
	}
}
