package monitor

import (
	"context"
	"sync"
	"time"
)

const (
	// keepFor is how long something is not read again that may take a while to read; keepTimes is the same as a multiple
	// of what reading took, so that no more than a fiftieth of the time goes into it: of 100,000 failed tasks it is 5 s.
	keepFor   = time.Second
	keepTimes = 50
)

// cached remembers what read returned. Its zero value with read set is ready; any number of goroutines may use it.
type cached[T any] struct {
	read func(context.Context) (T, error)

	mu    sync.Mutex
	value T
	err   error
	until time.Time
}

// get returns what was read a moment ago, or reads it again. fresh asks for the latter.
func (c *cached[T]) get(ctx context.Context, fresh bool) (T, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	began := time.Now()
	if fresh || began.After(c.until) {
		c.value, c.err = c.read(ctx)
		ended := time.Now()
		c.until = ended.Add(max(keepFor, keepTimes*ended.Sub(began)))
	}
	return c.value, c.err
}
