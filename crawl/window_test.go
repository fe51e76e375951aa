package crawl

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"dogear/crawl/fetch"
	"dogear/crawl/job"
)

// The readings are made by a real client: what they are of is its business.
func reading(t *testing.T, good, bad int) fetch.Reading {
	t.Helper()
	status := http.StatusOK
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	defer site.Close()
	var l fetch.Load
	c, err := fetch.New(fetch.Options{Load: &l, Attempts: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ask := func(n int) {
		for range n {
			c.Do(t.Context(), t.Context(), fetch.Request{URL: site.URL})
		}
	}
	ask(good)
	status = http.StatusBadGateway
	ask(bad)
	return l.Read()
}

func TestTheLimitFollowsWhatWasAnswered(t *testing.T) {
	const hungry = true // the client above asks one at a time, which fills no limit
	for _, c := range []struct {
		name      string
		good, bad int
		base      time.Duration // without load
		limit     int
		hungry    bool
		least     int
		most      int
	}{
		{"all good: it doubles at first", 30, 0, time.Hour, 8, hungry, 16, 16},
		{"all good, by a step at most", 30, 0, time.Hour, 100, hungry, 124, 124},
		{"all good, up to the highest", 30, 0, time.Hour, 995, hungry, 1000, 1000},
		{"all good, and most of them wait for their turns", 30, 0, time.Hour, 8, !hungry, 8, 8},
		{"one in ten bad", 27, 3, time.Hour, 100, hungry, 100, 100},
		{"one in three bad", 20, 10, time.Hour, 90, hungry, 60, 60},
		{"all bad: half", 0, 30, time.Hour, 100, hungry, 50, 50},
		{"all bad, down to the lowest", 0, 30, time.Hour, 5, hungry, 4, 4},
		{"all good, and much slower than without load", 30, 0, time.Nanosecond, 100, hungry, 50, 50},
		{"slow with the fewest at a time: not the load's doing", 30, 0, time.Nanosecond, 4, hungry, 8, 8},
	} {
		w := window{Concurrency: job.Concurrency{Min: 4, Max: 1000}, base: c.base}
		r := reading(t, c.good, c.bad)
		if !w.full(r, 8) {
			t.Errorf("%s: %+v is no full window", c.name, r)
		}
		if got := w.next(r, c.limit, c.hungry); got < c.least || got > c.most {
			t.Errorf("%s: from %d to %d, want %d to %d", c.name, c.limit, got, c.least, c.most)
		}
	}
}

func TestAfterAFallTheLimitGrowsSlowlyAndThenFaster(t *testing.T) {
	w := window{Concurrency: job.Concurrency{Min: 4, Max: 1000}, base: time.Hour}
	limit := w.next(reading(t, 0, 30), 200, true)
	last := 0
	for range 8 {
		w.base = time.Hour
		grown := w.next(reading(t, 30, 0), limit, true)
		if grown-limit < last {
			t.Errorf("from %d to %d, after a growth of %d", limit, grown, last)
		}
		limit, last = grown, grown-limit
	}
	if last != 24 {
		t.Errorf("it grows by %d at the end, want a whole step", last)
	}
}
