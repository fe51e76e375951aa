package crawl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"dogear/crawl/fetch"
	"dogear/crawl/job"
	"dogear/state"
)

// Grace is how long requests in flight may go on after ctx was cancelled.
const Grace = 10 * time.Second

// Options say what to crawl and what overrides the job file.
type Options struct {
	Job         *job.Job
	Path        string          // of the state file
	Version     string          // of dogear, for the runs table and the User-Agent
	Rate        *job.Rate       // instead of the job's
	Concurrency job.Concurrency // instead of the job's; zero: the job's
	Stdin       io.Reader       // what a start with from: - reads; nil: there is nothing to be read, as on a terminal
	Limit       int64           // claim no more tasks than this; 0: no limit
	Grace       time.Duration
	Watch       func(*Progress)      // called once, before the first request, with what the run publishes; may be nil
	Warn        func(text string)    // something the user should know while the run goes on; may be nil
	Tell        func(*state.Salvage) // what was done about a damaged file, before the run begins; may be nil
	Retry       *state.Filter        // put these failed tasks back first; nil: none
	Refresh     *Refresh             // put these done tasks back first; nil: none
	Accept      bool                 // go on with rules other than those that the records were made by, instead of a *ChangedError
	Mirrors     []*state.Mirror      // are told which tasks finish, see state.Mirror
	NoFetch     bool                 // open, put back, close: no request is made

	// Observe is told of every exchange that was not cut off, robots.txt included, when it is known what it came to;
	// called by many goroutines, so it must be quick; may be nil.
	Observe func(fetch.Exchange)
	// Committed is told how many outcomes each commit landed, which may be none, and what it took; called by one goroutine
	// that everything waits for; may be nil.
	Committed func(tasks int, took time.Duration)
	// Landed is told what each commit landed, after it did, and keeps nothing of it; called by that goroutine too; may
	// be nil.
	Landed func([]state.Outcome)

	// Import is called before all of these, with the run that was opened, to take over what another program did; may be nil.
	Import func(ctx context.Context, run *state.Run) error
}

// Summary is what a run came to.
type Summary struct {
	Found     state.Found
	Counts    state.Counts
	Tally     state.Tally
	Retried   int64      // failed tasks put back by Options.Retry
	Refreshed int64      // done tasks put back by Options.Refresh
	Dropped   int64      // links and start values beyond limits.tasks
	Deep      Deep       // links beyond limits.depth
	Ended     string     // state.Finished, state.Interrupted or state.Stopped
	Failing   *Failing   // why it stopped by itself; nil: it did not
	Unfilled  []Unfilled // of which the user has not been told while the run went on
	Took      time.Duration
}

// Run starts or resumes the crawl of a job and returns when nothing is left, when ctx is cancelled and the requests in
// flight are through (state.Interrupted), when Options.Limit is reached (state.Stopped), or when too many tasks fail
// (state.Stopped, Summary.Failing). An error means that the state file could not be opened (*state.LockedError when
// another run holds it) or written, or a file that a start is read from could not be read: what was committed stays.
func Run(ctx, abort context.Context, o Options) (*Summary, error) {
	began := time.Now()
	p, err := newPlan(o, 0)
	if err != nil {
		return nil, err
	}
	if err := p.checkLists(); err != nil {
		return nil, err
	}
	defer p.closeInput()
	defer p.client.Close()
	run, err := state.OpenRun(ctx, p.stateOptions(), began)
	if err != nil {
		return nil, err
	}
	p.remember(run.Found.Hosts, began)
	p.recall(run.Found.Hosts, began)
	s := &Summary{Found: run.Found, Ended: state.Stopped}
	if o.Import != nil {
		err = o.Import(ctx, run)
	}
	if err == nil && o.Retry != nil {
		s.Retried, err = run.Retry(ctx, *o.Retry)
	}
	if err == nil {
		s.Refreshed, err = o.Refresh.refresh(ctx, run, began)
	}
	if err == nil && !o.NoFetch {
		e := newEngine(p, run)
		e.progress.PutBack, e.progress.Refreshed = s.Retried, s.Refreshed
		s.Ended, err = e.run(ctx, abort)
		if s.Ended == state.Stopped {
			s.Failing = e.failing
		}
		s.Unfilled = e.fields.take(run.Fields(), enoughPages)
		p.keepHosts(run, time.Now())
	}
	ended := s.Ended
	if err != nil {
		ended = "" // as a death would leave it
	}
	err = errors.Join(err, run.Close(ctx, time.Now(), ended))
	s.Counts, s.Tally, s.Dropped, s.Took = run.Counts(), run.Tally(), run.Dropped(), time.Since(began)
	s.Deep = p.deep.sum()
	if err != nil {
		return s, fmt.Errorf("crawl %s: %w", o.Job.Name, err)
	}
	return s, nil
}
