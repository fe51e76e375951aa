package crawl

import (
	"sync/atomic"
	"time"

	"dogear/crawl/fetch"
	"dogear/state"
)

// Progress is what a run publishes while it goes on, for any number of readers.
type Progress struct {
	Found     state.Found
	PutBack   int64 // failed tasks that were put back at the start
	Refreshed int64 // done ones
	Began     time.Time
	last      atomic.Pointer[Committed]
	client    *fetch.Client
}

// Committed are the numbers of the last commit.
type Committed struct {
	Counts state.Counts
	Tally  state.Tally // of this run
	Due    time.Time   // when a pending task may be claimed; zero: none is pending
	Busy   int         // tasks that are being worked on: Counts.InFlight has those too that are claimed ahead
	Auto   bool        // the concurrency is a range
	Limit  int         // how many may be now: the job's concurrency, or what it has come to when that is one
}

// Last returns the numbers of the last commit.
func (p *Progress) Last() Committed { return *p.last.Load() }

// Hosts returns the hosts that were asked, by name, and how each may be asked now. It takes a moment for each of them.
func (p *Progress) Hosts(now time.Time) []fetch.Standing { return p.client.Hosts(now) }

// publish says where the run is, after a commit.
func (e *engine) publish() {
	e.progress.last.Store(&Committed{
		Counts: e.state.Counts(), Tally: e.state.Tally(), Due: e.nextDue, Busy: e.queue.load().busy,
		Auto: e.measure != nil, Limit: e.limit,
	})
}

// tell says what a commit landed, and how long it took, to whoever wants to hear.
func (e *engine) tell(took time.Duration) {
	if e.options.Committed != nil {
		e.options.Committed(len(e.group), took)
	}
	if e.options.Landed != nil && len(e.group) > 0 {
		e.options.Landed(e.group)
	}
}

// watchWAL says once, each time, that the WAL has become too large, and why.
func (e *engine) watchWAL() {
	wal := e.state.WAL()
	if wal.Over() && !e.swollen {
		e.warn("%s", wal)
	}
	e.swollen = wal.Over()
}
