package fetch

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

const (
	lowest    = 1.0 / 60    // requests per second: no host is asked more seldom than that for its complaints
	cutEvery  = time.Second // the shortest time between two cuts, and between two rises
	rise      = 1.1         // a second
	slowRise  = 1.01        // near the rate that was too much the last time
	leastSeen = 10          // requests per second that a host without a rate is taken to have been asked at the least
	firstRise = 1.5         // an answer, below one request a second, where answers are rare
)

// turnstile lets one wait at a time, in the order they came.
type turnstile chan struct{}

func newTurnstile() turnstile { return make(turnstile, 1) }

func (t turnstile) enter(ctx, abort context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
	case <-abort.Done():
	}
	return errStopped
}

func (t turnstile) leave() { <-t }

// learned is the rate that a host has shown to bear, at or below the configured one. It halves when the host complains
// and rises again with good answers. Who waits for it waits in a row, so that a new rate holds for all of them at once:
// permits given ahead could not be taken back.
type learned struct {
	full float64 // the configured rate; 0: none

	below atomic.Bool // there is a learned rate
	row   turnstile

	// Without a configured rate: the current second, the requests in it and in the one before.
	second, sent, before atomic.Int64

	mu      sync.Mutex
	rate    float64 // requests per second; 0: the configured one
	tooMuch float64 // the rate at the last complaint
	until   float64 // without a configured rate: where the learned one ends
	cutAt   time.Time
	rose    time.Time
	last    time.Time // when the last request was let through
	touched bool      // not kept yet
}

func newLearned(full float64) *learned { return &learned{full: full, row: newTurnstile()} }

// wait waits for its place at the learned rate, if there is one.
func (l *learned) wait(ctx, abort context.Context) error {
	if l.full == 0 {
		l.count(time.Now().Unix())
	}
	if !l.below.Load() {
		return nil
	}
	if err := l.row.enter(ctx, abort); err != nil {
		return err
	}
	defer l.row.leave()
	for {
		wait := l.take(time.Now())
		if wait <= 0 {
			return nil
		}
		// Not longer than a second at once: the rate may rise meanwhile.
		if err := sleep(ctx, abort, min(wait, time.Second), nil); err != nil {
			return err
		}
	}
}

// take lets one request through, or returns how long it has to wait. What a timer comes too late is made up for, up to
// 10 ms.
func (l *learned) take(now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.rate == 0 {
		return 0
	}
	at := l.last.Add(time.Duration(float64(time.Second) / l.rate))
	if at.After(now) {
		return at.Sub(now)
	}
	if l.last = at; now.Sub(at) > 10*time.Millisecond {
		l.last = now
	}
	return 0
}

// count counts what is sent. It is off by a few at the turn of a second.
func (l *learned) count(second int64) {
	if at := l.second.Load(); at != second && l.second.CompareAndSwap(at, second) {
		if sent := l.sent.Swap(0); at == second-1 {
			l.before.Store(sent)
		} else {
			l.before.Store(0)
		}
	}
	l.sent.Add(1)
}

// cut halves the rate after a complaint about a request that was sent at the time started: once a second at most, and
// not for what was on its way at the last cut.
func (l *learned) cut(started, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if started.Before(l.cutAt) || now.Sub(l.cutAt) < cutEvery {
		return
	}
	rate := l.rate
	if rate == 0 {
		if rate = l.full; rate == 0 {
			rate = max(float64(l.before.Load()), float64(l.sent.Load()), leastSeen)
			l.until = 2 * rate
		}
		l.last = now
	}
	l.tooMuch, l.cutAt = rate, now
	l.set(max(rate/2, min(lowest, rate)), now)
}

// good lets the rate rise after a good answer.
func (l *learned) good(now time.Time) {
	if !l.below.Load() {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch since := now.Sub(l.rose); {
	case l.rate == 0:
	case l.rate < 1:
		l.set(l.rate*firstRise, now)
	case since < cutEvery:
	case l.rate > l.tooMuch*0.9/rise && l.rate < l.tooMuch*1.1:
		l.set(l.rate*slowRise, now)
	default:
		l.set(l.rate*rise, now)
	}
}

// set takes a new rate; one that is as high as the configured one, or high enough, is none.
func (l *learned) set(rate float64, now time.Time) {
	l.rate, l.rose, l.touched = rate, now, true
	if l.full > 0 && rate >= l.full || l.full == 0 && rate >= l.until {
		l.rate = 0
	}
	l.below.Store(l.rate > 0)
}

// restore begins with the rate of an earlier run.
func (l *learned) restore(rate float64, now time.Time) {
	if rate <= 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tooMuch, l.until, l.last = 2*rate, 4*rate, now
	l.set(max(rate, min(lowest, rate)), now)
	l.touched = false
}
