package cli

import (
	"math"
	"time"

	"dogear/crawl"
)

// meterSpan is how far back the rate that is shown reaches.
const meterSpan = 10 * time.Second

// meter turns the counters that a run publishes into a rate. One goroutine reads it.
type meter struct {
	progress *crawl.Progress
	points   []point // not older than meterSpan, but for the first
}

type point struct {
	at       time.Time
	finished int64
}

// reading is what is shown of a run at one moment.
type reading struct {
	crawl.Committed
	perSecond float64 // over the last meterSpan
	overall   float64 // since it began
	began     time.Time
}

func newMeter(p *crawl.Progress) *meter {
	return &meter{progress: p, points: []point{{p.Began, 0}}}
}

func (m *meter) read() *reading {
	now, last := time.Now(), m.progress.Last()
	finished := last.Tally.Done + last.Tally.Failed
	for len(m.points) > 1 && now.Sub(m.points[1].at) > meterSpan {
		m.points = m.points[1:]
	}
	first := m.points[0]
	m.points = append(m.points, point{now, finished})
	span := max(now.Sub(first.at), 100*time.Millisecond)
	return &reading{
		Committed: last, perSecond: float64(finished-first.finished) / span.Seconds(), began: m.progress.Began,
		overall: float64(finished) / max(now.Sub(m.progress.Began), 100*time.Millisecond).Seconds(),
	}
}

// inFlight is how many requests are being made, and of how many when their number follows the answers.
func (r *reading) inFlight() string {
	if !r.Auto {
		return count(int64(r.Busy))
	}
	return count(int64(r.Busy)) + " of " + count(int64(r.Limit))
}

// flying is inFlight while there is anything to do.
func (r *reading) flying() string {
	if r.Counts.Left() == 0 {
		return ""
	}
	return r.inFlight() + " in flight"
}

// remaining is how long the rest takes at the rate of now; ok: there is something to reckon from.
func (r *reading) remaining() (d time.Duration, ok bool) {
	if r.Counts.Left() == 0 {
		return 0, true
	}
	if r.perSecond <= 0 || r.due(time.Now()) > 0 {
		return 0, false
	}
	return time.Duration(math.Ceil(float64(r.Counts.Left())/r.perSecond)) * time.Second, true
}

// due is how long nothing is done because all that is left was put off, 0 when that is not so.
func (r *reading) due(now time.Time) time.Duration {
	if wait := r.Due.Sub(now); r.Counts.Left() > 0 && r.Counts.InFlight == 0 && wait > time.Second {
		return wait
	}
	return 0
}

func (r *reading) eta() string {
	if wait := r.due(time.Now()); wait > 0 {
		return "? (the next task is due in " + wait.Round(time.Second).String() + ")"
	}
	return r.shortETA()
}

func (r *reading) shortETA() string {
	if d, ok := r.remaining(); ok {
		return d.String()
	}
	return "?"
}

// nextDue says when something is done again, "" when something is.
func (r *reading) nextDue(now time.Time) string {
	if wait := r.due(now); wait > 0 {
		return "next task in " + seconds(wait)
	}
	return ""
}
