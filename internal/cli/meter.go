package cli

import (
	"fmt"
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
	perSecond float64
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
	return &reading{last, float64(finished-first.finished) / span.Seconds()}
}

// inFlight is how many requests are being made, and of how many when their number follows the answers.
func (r *reading) inFlight() string {
	if !r.Auto {
		return count(int64(r.Busy))
	}
	return count(int64(r.Busy)) + " of " + count(int64(r.Limit))
}

func (r *reading) eta() string {
	if r.Counts.Left() == 0 {
		return "0s"
	}
	if wait := time.Until(r.Due); r.Counts.InFlight == 0 && wait > time.Second {
		return "? (the next task is due in " + wait.Round(time.Second).String() + ")"
	}
	if r.perSecond <= 0 {
		return "?"
	}
	return (time.Duration(math.Ceil(float64(r.Counts.Left())/r.perSecond)) * time.Second).String()
}

// String is what stands behind the bar.
func (r *reading) String() string {
	return fmt.Sprintf(" %s/%s  %s failed  %s/s  ETA %s", count(r.Counts.Done+r.Counts.Failed), count(r.Counts.Total()),
		count(r.Counts.Failed), speed(r.perSecond), r.eta())
}
