package fetch

import (
	"context"
	"math"
	"sync"
	"time"
)

// window lets no more than n requests arrive at the host within any period, by the host's clock.
//
// When a request arrives there can only be known from here to lie between its sending and its answer. So its place is
// free again a period after the answer began to come, which makes the promise hold whatever the network does; or, so
// that slow answers do not cost much of the rate, a period and a margin after it was written to the connection,
// whichever is first. The margin is what a request may be on its way.
type window struct {
	n              int
	period, margin time.Duration

	row   turnstile
	freed chan struct{} // something landed; one place

	mu     sync.Mutex
	out    int         // taken, and not landed yet
	landed []time.Time // within the last period, the oldest first
}

// newWindow makes a window of what one period of a rate holds. A rate of less than one in its period has a longer one.
func newWindow(rate float64, period time.Duration) *window {
	n := math.Floor(rate*period.Seconds() + 1e-9)
	if n < 1 {
		n, period = 1, time.Duration(min(math.Ceil(float64(time.Second)/rate), math.MaxInt64/4))
	}
	return &window{
		n: int(min(n, math.MaxInt32)), period: period, margin: min(period/5, time.Second),
		row: newTurnstile(), freed: make(chan struct{}, 1),
	}
}

// take waits for a place. The slot must land.
func (w *window) take(ctx, abort context.Context) (*slot, error) {
	if err := w.row.enter(ctx, abort); err != nil {
		return nil, err
	}
	defer w.row.leave()
	for {
		wait, free := w.try(time.Now())
		if free {
			return &slot{window: w}, nil
		}
		if err := sleep(ctx, abort, wait, w.freed); err != nil {
			return nil, err
		}
	}
}

// try takes a place if there is one; otherwise it returns when to look again, unless something lands before.
func (w *window) try(now time.Time) (wait time.Duration, free bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	old := 0
	for old < len(w.landed) && now.Sub(w.landed[old]) >= w.period {
		old++
	}
	w.landed = w.landed[old:]
	if w.out+len(w.landed) < w.n {
		w.out++
		return 0, true
	}
	if len(w.landed) == 0 {
		return time.Hour, false
	}
	return w.landed[0].Add(w.period).Sub(now), false
}

// slot is a place in a window: one request.
type slot struct {
	window *window
	mu     sync.Mutex
	landed bool
	timer  *time.Timer
}

// sent says that the request was written to a connection. A nil slot is none.
func (s *slot) sent() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.timer == nil && !s.landed {
		s.timer = time.AfterFunc(s.window.margin, s.land)
	}
}

// land says that the request has arrived, or never will. Only the first call counts; a nil slot is none.
func (s *slot) land() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.landed {
		return
	}
	s.landed = true
	if s.timer != nil {
		s.timer.Stop()
	}
	w := s.window
	w.mu.Lock()
	w.out--
	w.landed = append(w.landed, time.Now())
	w.mu.Unlock()
	select {
	case w.freed <- struct{}{}:
	default:
	}
}
