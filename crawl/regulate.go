package crawl

import (
	"time"

	"dogear/crawl/fetch"
	"dogear/crawl/job"
)

// regulateEvery is the longest time between two looks at how the requests go, when the concurrency follows them.
const regulateEvery = 100 * time.Millisecond

// regulate sets how many tasks may be worked on from now on.
func (e *engine) regulate(now time.Time) {
	limit := e.limit
	if e.measure != nil {
		if r := e.measure.Read(); e.window.full(r, limit) {
			limit = e.window.next(r, limit, e.queue.load().hungry)
			e.measure.Reset()
		}
	}
	if e.noFiles.Swap(false) {
		limit = e.spare(now, limit)
	}
	if limit != e.limit {
		e.resize(limit)
	}
}

// resize has as many workers as the limit asks for. Those over a lower one stay, and wait.
func (e *engine) resize(limit int) {
	e.limit = limit
	e.queue.resize(limit)
	for ; e.started < limit; e.started++ {
		e.hire()
	}
}

// window decides by the last exchanges how many there may be.
type window struct {
	job.Concurrency
	base time.Duration // what a good exchange takes when the site is not loaded
}

const (
	leastWindow = 20   // exchanges
	mostWindow  = 1000 // exchanges
	growOver    = 0.95 // of all exchanges were good
	fallUnder   = 0.80
)

// full says that there is enough to decide by: about as many as were made at a time, so each is seen once.
func (w *window) full(r fetch.Reading, limit int) bool {
	return r.Good+r.Bad >= min(max(limit, leastWindow), mostWindow)
}

// next is the limit after this one. hungry: there is a host that no worker is left for.
func (w *window) next(r fetch.Reading, limit int, hungry bool) int {
	good := float64(r.Good) / float64(r.Good+r.Bad)
	var took time.Duration
	if r.Good > 0 {
		took = r.Took / time.Duration(r.Good)
		if w.base == 0 || took < w.base {
			w.base = took
		} else {
			w.base += w.base / 50
		}
	}
	step := max(1, (w.Max-w.Min)/40)
	switch used := hungry || r.Peak >= limit-limit/10; {
	case good < fallUnder, took > 2*w.base:
		limit -= max(1, min(step, limit/4))
	case good > growOver && used && took < w.base*3/2:
		limit += min(step, limit)
	}
	return min(max(limit, w.Min), w.Max)
}
