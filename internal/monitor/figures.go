package monitor

import (
	"time"

	"dogear/state"
)

// Figures are the numbers of a run at its last commit.
type Figures struct {
	Counts state.Counts
	Tally  state.Tally // of this run
	Active int         // tasks that are being worked on
	Limit  int         // how many may be
	Due    time.Time   // when a pending task may be claimed; zero: none is pending
}

// Host is how a host may be asked now.
type Host struct {
	Name  string    // and its port, where that is not its scheme's
	Rate  float64   // requests per second at the most; 0: no limit
	Until time.Time // it is left alone until then, if that is in the future
	Why   string    // what for
}
