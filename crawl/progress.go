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
