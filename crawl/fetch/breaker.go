package fetch

import (
	"sync"
	"sync/atomic"
	"time"
)

const (
	// A run of trouble opens a host's breaker when it is this long and not of one task alone. At a host that fails one
	// request in ten by chance that is one false alarm in 100,000 requests, and each costs a second.
	troubles = 5
	// How many failures that may be the host's a task has at least, whatever its attempts, before they are held to be the
	// task's: in a run of faults, so that one task alone does not end before another was tried, and as a probe.
	patience, probePatience = 3, 4
)

// cause is why a breaker is open.
type cause string

const (
	away   cause = "away"   // it does not answer: an outage
	banned cause = "banned" // it answers, with refusals
)

// breaker knows whether a host may be asked at all. It is shared by all calls to the host.
//
// Closed, everybody passes. A run of faults without an answer between, or of refusals without a good page between,
// opens it: then one call at a time passes, as a probe, after waits that grow. A probe that is answered closes it. Only
// a host that has answered before has one: what never answered is a wrong address, and its tasks fail as they must.
type breaker struct {
	options *Options
	turn    *turn // learns of a ban

	// What the common case reads without the lock.
	shut    atomic.Bool // somebody may have to wait: open, or asked to leave it alone
	well    atomic.Bool // it has answered, and nothing of a run of faults is to be ended
	welcome atomic.Bool // the same of refusals
	owing   atomic.Bool // charges is not empty

	mu      sync.Mutex
	lived   bool // it has answered, in this run or an earlier one
	pleased bool // it has given a good page
	faults  streak
	refused streak
	open    cause // "": closed
	outage  Outage
	failed  int       // probes since it opened
	next    time.Time // when the next probe may go
	prober  *visit    // it is on its way
	overdue time.Time // when prober is given up
	leave   time.Time // it asked to be left alone until then
	waiting int       // calls that sleep at the gate
	changed chan struct{}

	debts   map[int64]debt // failures of which is not known yet whose they are, by task
	charges map[int64]debt // known now: of the task; or, negative, given back to it

	notices []Outage // not told yet
	touched bool     // not kept yet
}

// streak is a run of trouble.
type streak struct {
	n     int
	began time.Time // when the first request of it was sent
	task  int64     // the first
	mixed bool      // others too
	tasks map[int64]int
}

func (s *streak) add(task int64, sent time.Time) {
	if s.n == 0 {
		*s = streak{began: sent, task: task, tasks: map[int64]int{}}
	}
	s.n++
	s.tasks[task]++
	s.mixed = s.mixed || task != s.task
}

func (s *streak) opens() bool { return s.n >= troubles && s.mixed }

// debt is what a task owes: attempts, how the last of them failed, and when that was known.
type debt struct {
	attempts int
	last     *Failure
	at       time.Time
}

func newBreaker(name string, o *Options, turn *turn) *breaker {
	return &breaker{
		options: o, turn: turn, outage: Outage{Host: name},
		changed: make(chan struct{}), debts: map[int64]debt{}, charges: map[int64]debt{},
	}
}

// lives says that the host answered a request that was sent at the time started.
func (v *visit) lives(started, now time.Time) {
	b := v.host.breaker
	if b.well.Load() && !v.probe {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.touched = b.touched || !b.lived
	b.lived = true
	switch {
	case b.open == away && b.isProbe(v):
		b.close(now)
	case b.open == "" && started.After(b.faults.began):
		// What was sent before those that failed says nothing: a server that ends still answers what it has.
		b.faults = streak{}
		b.charge(started)
	}
	b.settle()
}

// charge has tasks bear the failures that were known before the host was asked once more, and answered: those were
// their own.
func (b *breaker) charge(asked time.Time) {
	for task, d := range b.debts {
		if asked.After(d.at) {
			d.attempts += b.charges[task].attempts
			b.charges[task] = d
			delete(b.debts, task)
		}
	}
}

// settle brings what is read without the lock up to date.
func (b *breaker) settle() {
	b.well.Store(b.lived && b.open == "" && b.faults.n == 0 && len(b.debts) == 0)
	b.welcome.Store(b.pleased && b.open == "" && b.refused.n == 0)
	b.shut.Store(b.open != "" || !b.leave.IsZero())
	b.owing.Store(len(b.charges) > 0)
}

// wake has everybody who waits look again.
func (b *breaker) wake() {
	close(b.changed)
	b.changed = make(chan struct{})
}

// opened begins to let probes through only. The failures that led to it are forgiven.
func (b *breaker) opened(why cause, s *streak, f *Failure, now time.Time) {
	b.open, b.failed, b.next, b.prober = why, 0, now.Add(b.options.probeAfter(why, 0)), nil
	b.outage = Outage{Host: b.outage.Host, Banned: why == banned, Why: reason(f), Since: s.began}
	b.notices = append(b.notices, b.outage)
	b.faults, b.refused = streak{}, streak{}
	clear(b.debts)
}

// close lets everybody through again. What probes failed for is forgiven.
func (b *breaker) close(now time.Time) {
	b.outage.Until = now
	b.notices = append(b.notices, b.outage)
	b.open, b.prober = "", nil
	b.faults, b.refused = streak{}, streak{}
	clear(b.debts)
	b.wake()
}

// leaveUntil has nobody ask before that time.
func (b *breaker) leaveUntil(at, now time.Time) {
	if !at.After(now) {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if at.After(b.leave) {
		b.leave, b.touched = at, true
	}
	b.settle()
}
