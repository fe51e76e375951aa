package fetch

import (
	"errors"
	"net"
	"time"
)

// verdict is whose failure it was.
type verdict struct {
	excused bool      // the host's: no attempt
	owed    int       // not known yet: so many of the task's, this one included; 0: the task's own
	least   int       // of owed, before they may end the task
	again   bool      // the second in a row: another task should be tried before this one
	next    time.Time // not before that time, when excused or owed
}

// isFault tells a failure to get any answer: what an outage is made of.
func isFault(kind Kind, err error) bool { return kind == Network || kind == Timeout && dialing(err) }

// dialing tells a connection that could not be made in time from an answer that did not come.
func dialing(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// reason is why there is no answer, short: net/http's and net's words around it say what is known anyway.
func reason(f *Failure) string {
	var op *net.OpError
	if errors.As(f.Err, &op) && op.Err != nil {
		return inner(op.Err).Error()
	}
	return short(f.Err.Error())
}

// inner takes the name of the system call off.
func inner(err error) error {
	if wrapped := errors.Unwrap(err); wrapped != nil {
		return wrapped
	}
	return err
}

// fault says that a request of a task got no answer, or not all of it.
func (v *visit) fault(task int64, f *Failure, now time.Time) verdict {
	b := v.host.breaker
	b.mu.Lock()
	defer b.mu.Unlock()
	defer b.settle()
	switch {
	case b.open != "" && b.isProbe(v):
		return b.probeFailed(task, f, now)
	case b.open != "":
		return verdict{excused: true, next: b.next} // sent before it opened
	case !b.lived:
		return verdict{}
	case f.Status != 0: // it has begun to answer: no fault of a run, but forgiven with them
		return verdict{owed: b.owe(task, f, now)}
	}
	b.faults.add(task, now.Add(-f.Took))
	if b.faults.opens() {
		b.opened(away, &b.faults, f, now)
		return verdict{excused: true, next: b.next}
	}
	owed := b.owe(task, f, now)
	return verdict{owed: owed, least: patience, again: owed > 1}
}

// owe notes a failure of a task that may be the host's.
func (b *breaker) owe(task int64, f *Failure, now time.Time) int {
	d := debt{b.debts[task].attempts + 1, f, now}
	b.debts[task] = d
	return d.attempts
}

// settleDebt forgets what a task owes: it ends, and counts it itself.
func (b *breaker) settleDebt(task int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.debts, task)
}

// charged takes what turned out to be a task's own failures, or was given back to it.
func (b *breaker) charged(task int64) debt {
	if !b.owing.Load() {
		return debt{}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	d := b.charges[task]
	delete(b.charges, task)
	b.settle()
	return d
}

// probeFailed has the next probe wait longer, and be another task's if there is one.
func (b *breaker) probeFailed(task int64, f *Failure, now time.Time) verdict {
	b.failed++
	b.prober = nil
	b.next = now.Add(b.options.probeAfter(b.open, b.failed))
	b.wake()
	return verdict{owed: b.owe(task, f, now), least: probePatience, next: b.next.Add(b.options.ProbeDelay)}
}

// inconclusive is a probe that says neither that the host is back nor that it is not, as a 500 when it refused before.
func (v *visit) inconclusive(now time.Time) {
	b := v.host.breaker
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.isProbe(v) {
		b.failed++
		b.prober, b.next = nil, now.Add(b.options.probeAfter(b.open, b.failed))
		b.wake()
	}
}

// good says that the host gave what was asked for, a page or the news that there is none, to a request that was sent at
// the time started.
func (v *visit) good(started, now time.Time, page bool) {
	b := v.host.breaker
	if b.welcome.Load() && !v.probe {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pleased = b.pleased || page
	switch {
	case b.open == banned && b.isProbe(v):
		b.close(now)
	case b.open == "" && started.After(b.refused.began):
		b.refused = streak{}
	}
	b.settle()
}

// blocked says that the answer was not the page that was asked for. known: the task had been refused before, by a host
// that was well. That it is again says nothing of the host: such tasks come last, one after the other, and would look
// like a ban.
func (v *visit) blocked(task int64, known bool, f *Failure, now time.Time) verdict {
	b := v.host.breaker
	b.mu.Lock()
	defer b.mu.Unlock()
	defer b.settle()
	if known && b.open == "" {
		return verdict{}
	}
	return b.refusal(v, task, f, now)
}

// forbidden says that the answer was a 403. storm: it is not the page that is forbidden, the host refuses.
func (v *visit) forbidden(task int64, f *Failure, started, now time.Time) (storm bool, what verdict) {
	b := v.host.breaker
	b.mu.Lock()
	defer b.mu.Unlock()
	defer b.settle()
	if !b.pleased {
		return false, verdict{}
	}
	if storm = b.open != "" || b.refused.n+1 >= troubles; storm {
		return true, b.refusal(v, task, f, now)
	}
	b.refused.add(task, started)
	b.refused.tasks[task]-- // it is final, and nothing to give back
	return false, verdict{}
}

// refusal notes an answer that is not the page that was asked for.
func (b *breaker) refusal(v *visit, task int64, f *Failure, now time.Time) verdict {
	switch {
	case b.open != "" && b.isProbe(v):
		return b.probeFailed(task, f, now)
	case b.open != "":
		return verdict{excused: true, next: b.next}
	case !b.pleased:
		return verdict{}
	}
	b.refused.add(task, now.Add(-f.Took))
	if !b.refused.opens() {
		return verdict{}
	}
	for other, n := range b.refused.tasks {
		if other == task {
			n-- // this one is not counted in the first place
		}
		if n > 0 {
			b.charges[other] = debt{attempts: b.charges[other].attempts - n}
		}
	}
	b.opened(banned, &b.refused, f, now)
	b.turn.learned.cut(now, now)
	return verdict{excused: true, next: b.next}
}
