package fetch

import (
	"math"
	"sync"
	"time"
)

// Load measures the exchanges of a Client for whoever decides how many there may be at a time. Waiting for a turn and
// back-offs are no part of it: they burden nobody. It is safe for many goroutines; the zero value is ready.
type Load struct {
	mu     sync.Mutex
	onWire int
	epoch  int // of what is counted now
	now    Reading
}

// Reading is what Load has counted since the last Reset.
type Reading struct {
	Good, Bad int // exchanges; bad are those that timed out, broke, or were answered 429 or 5xx

	together int     // exchanges on the wire whenever one of them began, summed up
	logs     float64 // of the seconds that the good ones took, summed up
}

// OnWire is how many exchanges were on the wire at the same time, on average.
func (r Reading) OnWire() float64 {
	if r.Good+r.Bad == 0 {
		return 0
	}
	return float64(r.together) / float64(r.Good+r.Bad)
}

// Typical is the geometric mean of what the good exchanges took, 0 when there were none: a few that took very long do
// not move it far.
func (r Reading) Typical() time.Duration {
	if r.Good == 0 {
		return 0
	}
	return max(1, time.Duration(math.Exp(r.logs/float64(r.Good))*float64(time.Second)))
}

// mark is what end has to know of the beginning.
type mark struct{ epoch, together int }

func (l *Load) begin() mark {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.onWire++
	return mark{l.epoch, l.onWire}
}

// end counts an exchange. What began before the last Reset says nothing about the time after it. A final answer such as
// 404 comes from a host that is well.
func (l *Load) end(m mark, kind Kind, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.onWire--
	if m.epoch != l.epoch {
		return
	}
	l.now.together += m.together
	switch {
	case kind.passes():
		l.now.Bad++
	default:
		l.now.Good++
		l.now.logs += math.Log(max(took, 1).Seconds())
	}
}

// forget takes an exchange back that was cut off, or that could not begin.
func (l *Load) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.onWire--
}

// Read returns what was counted since the last Reset.
func (l *Load) Read() Reading {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now
}

// Reset begins to count anew, with exchanges that begin from now on.
func (l *Load) Reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.epoch++
	l.now = Reading{}
}

// measured is exchange, counted if anybody wants to know.
func (c *call) measured(started time.Time, slot *slot) (answer, error) {
	l := c.client.options.Load
	if l == nil {
		return c.exchange(started, slot)
	}
	m := l.begin()
	a, err := c.exchange(started, slot)
	took := time.Since(started)
	switch {
	case err == errStopped, err == errPutOff, outOfFiles(err), isA[*robotsUnknown](err):
		l.forget()
	case err != nil:
		l.end(m, errorKind(err), took)
	case good(a.status, c.request.Accept):
		l.end(m, "", took)
	default:
		l.end(m, statusKind(a.status, false), took)
	}
	return a, err
}
