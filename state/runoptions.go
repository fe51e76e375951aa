package state

import (
	"time"

	"dogear/schema"
)

// RunOptions say what a run works on.
type RunOptions struct {
	Path   string // of the state file, made if absent
	Name   string // of the job
	Text   []byte // the job file as given, before ${NAME} is filled in
	Tables []*schema.Table
	Pages  []Page // the job's kinds of page
	Starts []Start
	// Changed is asked when the file was made for another text of the job, given the name and the text of then; an error
	// refuses the new one. nil: any is taken.
	Changed  func(name string, text []byte) error
	MaxTasks int64         // no more tasks than this are ever added; 0: no limit
	MaxWait  time.Duration // the longest that a task is ever put off; 0: no limit
	Reread   bool          // the run reads kept pages again, see Run.Reread, and fetches nothing
	Mirrors  []*Mirror     // that are told what changes, each target once; their cursors are the only ones that are kept
	// MaxThrottles is how often a task may be told to wait, over all runs, before it fails; 0: no limit.
	MaxThrottles int
	Version      string
	// Tell is told what was done about a file that is not as its last run left it, before the run begins. nil: nobody is.
	Tell func(*Salvage)
}

// Page is a kind of page that a job has.
type Page struct {
	Name    string
	Follows bool     // its links become tasks
	Keeps   []string // the tables that its records go to
}

// Found is what a run found when it opened the file.
type Found struct {
	Counts    Counts
	Recovered int64    // tasks that dead runs left in flight, now pending
	New       bool     // the file was made by this run
	Salvaged  *Salvage // what was done about a damaged file; nil: it was as the last run left it
	Hosts     []Host   // what earlier runs kept of hosts
}
