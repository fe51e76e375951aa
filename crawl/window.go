package crawl

import (
	"time"

	"dogear/crawl/fetch"
	"dogear/crawl/job"
)

const (
	leastWindow = 30   // exchanges that a decision is made by
	mostWindow  = 1000 // also with more than that at a time

	growOver  = 0.95 // of the exchanges were good: there may be more
	fallUnder = 0.80 // fewer

	growUsed  = 0.60 // of the limit is on the wire
	growBelow = 1.25 // times what an exchange takes without load
	fallAbove = 1.50

	slowest, fastest = 1. / 16, 1. // shares of the limit that it grows by
)

// window decides by the last exchanges how many there may be at a time: as many exchanges as there were at a time
// make a window, each ends with a decision, and only what began after that counts for the next. The limit doubles
// until something is wrong, falls to what was answered in time, by halves at most, and then feels its way up, slowly
// first.
//
// Compared with adaptivelimiter of failsafe-go v0.9.8, by BenchmarkCapacity (three rounds of 5 s each, on two busy
// cores): a site that answers in 50 ms and refuses what is over 200 at a time, then over 30, then over 200 again.
// Products a second, with `auto`:
//
//	                 200          30       200        refused, a second
//	window           2400-2500    360-510  2000-2900  70-140
//	adaptivelimiter  130-190      450-530  900-1050   0-23
//
// That one knows nothing but how long answers take, which a refusal does not lengthen, and grows by the logarithm of
// the limit each time: made for a service that lives for days, it is slow to reach 200 in a crawl that lasts minutes.
// Its windows were set to 200 ms here; with its own of a second the first phase brought 70-110.
type window struct {
	job.Concurrency
	base time.Duration // what a good exchange takes without load
	pace float64       // share of the limit that it grows by next; 0: fastest
}

// full says that there is enough to decide by: about as many as were made at a time, so each is seen once.
func (w *window) full(r fetch.Reading, limit int) bool {
	return r.Good+r.Bad >= min(max(limit, leastWindow), mostWindow)
}

// next is the limit after this one. hungry: there is a host that no worker is left for.
func (w *window) next(r fetch.Reading, limit int, hungry bool) int {
	good, slow := float64(r.Good)/float64(r.Good+r.Bad), w.slowness(r, limit)
	used := hungry || r.OnWire() >= growUsed*float64(limit) // else most wait for their turns, and more would too
	step := max(1, (w.Max-w.Min)/40)
	switch {
	case good < fallUnder, slow > fallAbove:
		// As many as were answered, or as would have been in time. By halves at most: it may be a moment's trouble.
		limit = min(limit-1, int(float64(limit)*max(0.5, min(good, growBelow/slow))))
		w.pace = slowest
	case good <= growOver, slow >= growBelow:
		w.pace = slowest
	case used:
		if w.pace == 0 {
			w.pace = fastest
		}
		limit += max(1, min(step, int(float64(limit)*w.pace)))
		w.pace = min(w.pace*1.5, fastest)
	}
	return min(max(limit, w.Min), w.Max)
}

// slowness is how many times as long a good exchange took as without load. Load is what the least number of exchanges
// at a time can't explain: a site that has become slower as such brings the limit down to that, and it grows from
// there.
func (w *window) slowness(r fetch.Reading, limit int) float64 {
	took := r.Typical()
	switch {
	case took == 0:
		return 1
	case w.base == 0, limit <= w.Min:
		w.base = took
	case took < w.base:
		w.base -= (w.base - took) / 4 // not all the way: it may have been luck
	}
	return float64(took) / float64(w.base)
}
