package cli

import (
	"errors"
	"io"

	"dogear/crawl"
	"dogear/crawl/job"
	"dogear/state"
)

// telling is all that a run says while it goes on, and to whom: people on stderr, a program on stdout, if it asked to,
// and the log.
type telling struct {
	job    *job.Job
	stderr io.Writer // for what is no error; io.Discard with --quiet and --json
	state  string    // path of the state file
	show   *display
	people *people // nil: the log goes to stderr, and has it all
	events *events
	log    *runLog
	rows   rowCount
}

// newTelling opens the log. An error says that it can't be written.
func newTelling(s Streams, j *job.Job, o runOptions) (t *telling, err error) {
	t = &telling{job: j, stderr: s.Err, state: o.statePath, events: newEvents(s.Out, j, o)}
	if o.quiet || o.json {
		t.stderr = io.Discard
	}
	t.show = newDisplay(j.Name, t.stderr, o.every)
	screen := newScreen(t.stderr)
	t.people = newPeople(t.show, screen, j.Name, o.target)
	stderr := logHandler(t.show, screen, o.log.level)
	if o.json {
		stderr = logHandler(s.Err, newScreen(s.Err), o.log.level)
	}
	t.log, err = newRunLog(j, o.log, stderr, func(text string) {
		t.people.warn(text)
		t.events.warn(text)
	})
	if t.log != nil && t.log.file == nil {
		t.people = nil
	}
	return t, err
}

// watch begins to show the run; crawl.Run calls it.
func (t *telling) watch(p *crawl.Progress) {
	t.events.watch(p)
	t.show.watch(p)
	t.log.started(p, t.state)
}

// warn is for what the user should know while the run goes on; any number of goroutines call it.
func (t *telling) warn(text string) {
	text = t.job.Hide(text)
	t.events.warn(text)
	t.log.warn(text)
	if t.people != nil {
		t.people.warn(text)
	}
}

// landed takes what each commit landed, on the engine's goroutine.
func (t *telling) landed(outcomes []state.Outcome) {
	t.rows.landed(outcomes)
	t.events.landed(outcomes)
	t.log.landed(outcomes)
	if t.people != nil {
		t.people.landed(outcomes, t.job.HideURL)
	}
}

// stop ends the showing: the run is over.
func (t *telling) stop() {
	t.show.stop()
	t.events.stop()
}

// finish says how the command ends. sum is nil when the run did not come to one.
func (t *telling) finish(sum *summary, err error) {
	code := exitCode(err, io.Discard)
	if o := (outcome{}); errors.As(err, &o) {
		err = nil
	}
	t.events.finish(sum, code, err)
	t.log.finish(sum, code, err)
}
