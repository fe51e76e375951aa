package fetch

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/common"
)

// visit is one passing of a host's gate: an attempt, or a hop of one.
type visit struct {
	host  *host
	probe bool // it passed as one
}

// isProbe tells whether v is the probe that is on its way.
func (b *breaker) isProbe(v *visit) bool { return b.prober == v }

// end gives a probe back that found out nothing.
func (v *visit) end() {
	if !v.probe {
		return
	}
	b := v.host.breaker
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.prober == v {
		b.prober = nil
		b.wake()
	}
}

// admit tells whether a call may pass now, and if not, when it may be worth asking again: at that time, or when changed
// is closed.
func (b *breaker) admit(v *visit, now time.Time) (passed bool, at time.Time, changed <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if now.Before(b.leave) {
		return false, b.leave, b.changed
	}
	b.leave = time.Time{}
	b.settle()
	switch {
	case b.open == "":
		return true, now, nil
	case b.prober != nil && now.Before(b.overdue):
		return false, now.Add(b.options.ProbeDelay), b.changed
	case now.Before(b.next):
		return false, b.next, b.changed
	}
	v.probe = true
	b.prober, b.overdue = v, now.Add(2*b.options.Timeout)
	return true, now, nil
}

// bars tells whether one that has passed must not be sent any more: the gate closed while it waited for its turn.
func (b *breaker) bars(v *visit, now time.Time) bool {
	if !b.shut.Load() {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return now.Before(b.leave) || b.open != "" && !b.isProbe(v)
}

// wait sleeps at the gate until v may pass. When that takes longer than a call may wait in its lease, it returns the
// time until which the task is to be put off; errStopped when a context ends.
func (b *breaker) wait(ctx, abort context.Context, v *visit) (time.Time, error) {
	if !b.shut.Load() {
		return time.Time{}, nil
	}
	longest := b.stay(1)
	defer b.stay(-1)
	began := time.Now()
	for {
		now := time.Now()
		passed, at, changed := b.admit(v, now)
		if passed {
			return time.Time{}, nil
		}
		left := longest - now.Sub(began)
		if left <= 0 {
			return at, nil
		}
		if err := sleep(ctx, abort, min(at.Sub(now), left), changed); err != nil {
			return time.Time{}, err
		}
	}
}

// stay counts those who wait and returns how long one more may. Half of the workers wait as long as a lease allows, so
// that a site that is away does not have all its tasks put off again and again; the others are for other hosts.
func (b *breaker) stay(n int) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting += n
	if b.waiting > 1+b.options.Concurrency/2 {
		return b.options.LeaseWait / 10
	}
	return b.options.LeaseWait
}

// sleep returns nil after d, or when changed is closed.
func sleep(ctx, abort context.Context, d time.Duration, changed <-chan struct{}) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-changed:
		return nil
	case <-ctx.Done():
	case <-abort.Done():
	}
	return errStopped
}

// probeAfter is the wait before the next probe, when so many have failed: doubled each time, with a jitter of a tenth,
// so that what went down together is not asked together.
func (o *Options) probeAfter(why cause, failed int) time.Duration {
	delay, longest := o.ProbeDelay, o.ProbeMaxDelay
	if why == banned {
		delay, longest = o.BanDelay, max(o.MaxWait, o.BanDelay)
	}
	for ; failed > 0 && delay < longest; failed-- {
		delay *= 2
	}
	delay = min(delay, longest)
	return delay - time.Duration(rand.Float64()*float64(delay)/10)
}

// gate is the failsafe-go policy that has an attempt wait for its host's breaker. failsafe-go's own circuit breaker
// refuses instead of waiting, and counts executions where this has to know whose they are: two tasks open it, another
// one is the next probe, and what was counted is taken back.
type gate struct{ host *host }

// ToExecutor makes a gate a failsafe.Policy. It has no state per execution, so it is its own executor.
func (g gate) ToExecutor(*call) any { return g }

// execution is what a policy wraps.
type execution = func(failsafe.Execution[*call]) *common.PolicyResult[*call]

// Apply has every attempt of a call pass the gate; the call is found in the context.
func (g gate) Apply(inner execution) execution {
	return func(exec failsafe.Execution[*call]) *common.PolicyResult[*call] {
		if c, ok := exec.Context().Value(callKey{}).(*call); ok {
			if err := c.pass(g.host); err != nil {
				return &common.PolicyResult[*call]{Error: err, Done: true}
			}
		}
		return inner(exec)
	}
}

// callKey finds the call in the context of its execution.
type callKey struct{}

// callContext is what a call's execution runs under: the context that stops it, and the call.
type callContext struct {
	context.Context
	call *call
}

func (c *callContext) Value(key any) any {
	if _, ok := key.(callKey); ok {
		return c.call
	}
	return c.Context.Value(key)
}

// pass waits at the gate. An error ends the call: it was stopped, or its task goes back.
func (c *call) pass(h *host) error {
	c.visit.end()
	c.visit = visit{host: h}
	until, err := h.breaker.wait(c.ctx, c.abort, &c.visit)
	if err == nil && !until.IsZero() {
		err = c.putOff(until)
	}
	return err
}

// putOff sends the task back, with no attempt lost.
func (c *call) putOff(until time.Time) error {
	c.result.RetryAt = until
	return errPutOff
}
