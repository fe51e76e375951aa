package crawl

import (
	"sync/atomic"
	"time"

	"dogear/state"
)

// Progress is what a run publishes while it goes on, for any number of readers.
type Progress struct {
	Found     state.Found
	PutBack   int64 // failed tasks that were put back at the start
	Refreshed int64 // done ones
	Began     time.Time
	last      atomic.Pointer[Committed]
}

// Committed are the numbers of the last commit.
type Committed struct {
	Counts state.Counts
	Tally  state.Tally // of this run
	Due    time.Time   // when a pending task may be claimed; zero: none is pending
}

// Last returns the numbers of the last commit.
func (p *Progress) Last() Committed { return *p.last.Load() }

func (p *Progress) publish(run *state.Run, due time.Time) {
	p.last.Store(&Committed{Counts: run.Counts(), Tally: run.Tally(), Due: due})
}
