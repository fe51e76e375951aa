package monitor

import (
	"math"
	"sync"
	"time"
)

const (
	// sampleSpan is how far back the speed is remembered.
	sampleSpan = 10 * time.Minute
	// speedSpan is what "now" means when a speed is told.
	speedSpan = 10 * time.Second
)

// samples remember how many tasks had finished, second by second.
type samples struct {
	mu     sync.Mutex
	points []point // the oldest first, no older than sampleSpan
}

type point struct {
	at           time.Time
	done, failed int64
}

func (s *samples) add(now time.Time, f Figures) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := 0
	for old < len(s.points) && now.Sub(s.points[old].at) > sampleSpan {
		old++
	}
	s.points = append(s.points[:copy(s.points, s.points[old:])], point{now, f.Tally.Done, f.Tally.Failed})
}

// speed is what the chart draws: tasks per second between each two samples.
type speed struct {
	Span   float64   `json:"span_s"` // from the first sample to the last
	Done   []float64 `json:"done"`
	Failed []float64 `json:"failed"`
}

func (s *samples) speed() speed {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := speed{Done: []float64{}, Failed: []float64{}}
	if len(s.points) == 0 {
		return v
	}
	for i, p := range s.points[1:] {
		v.Done = append(v.Done, tenths(perSecond(p.done-s.points[i].done, p.at.Sub(s.points[i].at))))
		v.Failed = append(v.Failed, tenths(perSecond(p.failed-s.points[i].failed, p.at.Sub(s.points[i].at))))
	}
	v.Span = tenths(s.points[len(s.points)-1].at.Sub(s.points[0].at).Seconds())
	return v
}

// now is how many tasks finish per second, by the last speedSpan.
func (s *samples) now() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.points) < 2 {
		return 0
	}
	last := s.points[len(s.points)-1]
	first := s.points[0]
	for _, p := range s.points {
		if last.at.Sub(p.at) <= speedSpan {
			first = p
			break
		}
	}
	return perSecond(last.done+last.failed-first.done-first.failed, last.at.Sub(first.at))
}

// perSecond takes no time for less than 10 ms, so that two samples at the end of a run do not make a record.
func perSecond(n int64, took time.Duration) float64 {
	return float64(n) / max(took, 10*time.Millisecond).Seconds()
}

func tenths(x float64) float64 { return math.Round(x*10) / 10 }
