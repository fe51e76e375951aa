package cli

import "time"

// How long to leave a mirror alone that can't be reached: longer from try to try.
const leastBackOff, mostBackOff = time.Second, 30 * time.Second

const (
	// jsonShare keeps the writes of a JSON mirror, which are of the whole file each time, below 2 % of the time.
	jsonShare = 50
	// What a write is thought to cost before one was measured: so much, and so much for each URL.
	leastWrite, urlWrite = time.Millisecond, 2 * time.Microsecond
	// measuredURLs is from how many URLs on a write tells what the next one will cost.
	measuredURLs = 1000
	// firstWrite is what the first write may cost at any time, so that there is a file to look at.
	firstWrite = 20 * time.Millisecond
)

// pace says when a mirror is brought up to date.
type pace struct {
	every time.Duration
	tasks int64 // so many that finished are reason enough before that; 0: none are
	// share bounds what all writes, and one more at the end, take: one in so many of the time. 0: whatever they take.
	share time.Duration

	began   time.Time
	spent   time.Duration // with writes
	perURL  time.Duration // of a write; 0: not measured
	next    time.Time     // when the interval is over
	backOff time.Duration
}

// due reports whether it is time, with so many tasks that finished since the last time, and so many URLs in all.
func (p *pace) due(now time.Time, changed, urls int64) bool {
	if now.Before(p.next) && (p.backOff > 0 || p.tasks == 0 || changed < p.tasks) {
		return false
	}
	first := p.spent == 0 && p.cost(urls) <= firstWrite
	return p.share == 0 || first || (p.spent+2*p.cost(urls))*p.share <= now.Sub(p.began)
}

// cost is what a write of so many URLs is expected to take.
func (p *pace) cost(urls int64) time.Duration {
	each := p.perURL
	if each == 0 {
		each = urlWrite
	}
	return leastWrite + time.Duration(urls)*each
}

// wrote takes note of a write of so many URLs that took so long and ended now.
func (p *pace) wrote(now time.Time, took time.Duration, urls int64) {
	p.backOff, p.spent, p.next = 0, p.spent+took, now.Add(p.every)
	if urls >= measuredURLs {
		p.perURL = max(took/time.Duration(urls), 1)
	}
}

// failed sets the time of the next try after one that took so long.
func (p *pace) failed(now time.Time, took time.Duration) {
	p.spent += took
	p.backOff = min(max(2*p.backOff, leastBackOff), mostBackOff)
	p.next = now.Add(p.backOff)
}
