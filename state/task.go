package state

import (
	"time"

	"dogear/schema"
)

// The states of a task, as they stand in tasks.state.
const (
	Pending  = "pending"
	InFlight = "in-flight"
	Done     = "done"
	Failed   = "failed"
)

// Task is a claimed row: one request to make, owned by this run until its outcome lands.
type Task struct {
	ID       int64
	URL      string // fetched as given
	Page     string // the kind of page it brings
	Method   string
	Body     string
	Carry    string // see schema.Request
	Depth    int
	Attempts int  // counted attempts made in earlier leases
	Again    bool // it was answered before: what it left then is replaced
}

// Outcome is what a task's attempts came to. State says which of the other fields count: Done and Failed end the task,
// Pending puts it off until NotBefore.
type Outcome struct {
	Task      Task
	State     string
	Attempts  int // counted attempts made in this lease
	NotBefore time.Time

	Status   int    // of the last answer; 0: there was none
	Kind     string // of the failure; "" when done
	Error    string
	FinalURL string // where redirects led; "" when nowhere else
	Bytes    int64
	Took     time.Duration
	At       time.Time // when the last answer was complete

	Failures []Attempt
	Rows     []schema.Row
	Rejects  []schema.Reject
	Links    []schema.Request
	Kept     *Body // the page itself, for Done and Failed; nil: it is not kept
}

// Attempt is one failed HTTP exchange.
type Attempt struct {
	Number int
	At     time.Time
	Status int // 0: no answer
	Kind   string
	Error  string
	Took   time.Duration
}

// Weight is how many rows the outcome brings, at least 1, so that a group can be kept short whatever the pages hold. A
// page that is kept weighs as much as the rows that would fill its place.
func (o *Outcome) Weight() int {
	weight := 1 + len(o.Failures) + len(o.Rows) + len(o.Rejects) + len(o.Links)
	if o.Kept != nil {
		weight += len(o.Kept.Packed) / rowWeight
	}
	return weight
}

// Counts are the numbers of tasks by state, and Ahead the values of starts that are not tasks yet.
type Counts struct {
	Pending, InFlight, Done, Failed, Ahead int64
}

// Total is every task there is and will be.
func (c Counts) Total() int64 { return c.Pending + c.InFlight + c.Done + c.Failed + c.Ahead }

// Left is what is still to be done.
func (c Counts) Left() int64 { return c.Pending + c.InFlight + c.Ahead }

// Tally is what one run did so far; the same numbers stand in its row in runs.
type Tally struct {
	Done, Failed, Retried, PutOff, Records, Rejects, Links, Bytes int64
}
