package crawl_test

import (
	"context"
	"testing"
	"time"

	"dogear/crawl"
	"dogear/internal/practice"
	"dogear/state"
)

const twoSitesJob = `
start:
  - {url: "SITE/v1/product/{id}", id: 1..1000}
  - {url: "FAST/v1/product/{id}", id: 1..200}
rate: none
robots: ignore
concurrency: 8
records: {table: products, key: url, fields: {url: {meta: url}, id: {json: $.id, type: int}}}
`

// The slow site's tasks come first in the file and never end: with all workers on them nothing else would be done.
func TestASlowHostDoesNotHoldAllWorkers(t *testing.T) {
	fast, err := practice.Start(practice.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer fast.Close()
	b := newBench(t, practice.Options{Delay: time.Hour}, replace(twoSitesJob, "FAST", fast.URL))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	watch := whenCommitted(t, func(c crawl.Committed) bool { return c.Tally.Done == 200 }, cancel)
	b.runUntil(ctx, state.Interrupted, crawl.Options{Watch: watch, Grace: time.Millisecond})
	if most := b.site.MaxInFlight(); most < 4 || most > 6 {
		t.Errorf("the slow site had %d requests at a time, want half of 8 to three quarters", most)
	}
	if asked := b.site.Total(); asked > 6 {
		t.Errorf("the slow site was asked %d times", asked)
	}
	b.want("200 1000 0", `SELECT sum(state = 'done'), sum(state = 'pending'),
		sum(attempts) FILTER (WHERE state = 'pending') FROM tasks`)
}

// A job of one host has all its workers at once.
func TestOneHostHasAllWorkers(t *testing.T) {
	text := replace(apiJob, "rate: none", "rate: none\nrobots: ignore\nconcurrency: 8")
	b := newBench(t, practice.Options{Delay: time.Hour}, text)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	watch := whenCommitted(t, func(crawl.Committed) bool { return b.site.InFlight() == 8 }, cancel)
	b.runUntil(ctx, state.Interrupted, crawl.Options{Watch: watch, Grace: time.Millisecond})
}
