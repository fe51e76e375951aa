package cli

import "time"

// How long to leave a mirror alone that can't be reached: longer from try to try.
const leastBackOff, mostBackOff = time.Second, 30 * time.Second

// pace says when a mirror is brought up to date.
type pace struct {
	every time.Duration
	tasks int64         // so many that finished are reason enough before that; 0: none are
	share time.Duration // the pause after a write is at least so many times what it took; 0: however little

	next    time.Time // when the pause is over
	backOff time.Duration
}

// jsonShare keeps the writes below 2 % of the time: a pause of 50 times what one took comes after each.
const jsonShare = 50

// due reports whether it is time, with so many tasks that finished since the last time.
func (p *pace) due(now time.Time, changed int64) bool {
	return !now.Before(p.next) || p.backOff == 0 && p.tasks > 0 && changed >= p.tasks
}

// wrote sets the time after a write that took so long and ended now.
func (p *pace) wrote(now time.Time, took time.Duration) {
	p.backOff = 0
	p.next = now.Add(max(p.every, p.share*took))
}

// failed sets the time of the next try.
func (p *pace) failed(now time.Time) {
	p.backOff = min(max(2*p.backOff, leastBackOff), mostBackOff)
	p.next = now.Add(p.backOff)
}
