package cli

import (
	"encoding/json"
	"io"
	"os"
	"sync"
	"time"

	"dogear/crawl"
	"dogear/crawl/job"
	"dogear/state"
)

// eventsHelp is the contract of --json.
const eventsHelp = `With --json one JSON object a line is written to stdout, each with event, at (RFC 3339, UTC) and
job; stderr has errors only. The events:
  started   what the run found: total, done, failed, left, recovered, new, complete, state (the file), pid
  progress  every 10 s (--every): the same counts, in_flight, retried, records, rejects, bytes, per_second,
            overall_per_second, eta_s (null: unknown)
  host      a host's state changed: state (away, refusing, waiting, slowed, well), text, until, rate (0: no limit)
  failure   a task was given up: task, url, page, attempts, status, kind, error
  warning   text
  finished  the last one: ended (finished, interrupted, stopped, failed), exit, error, the counts of the job, those of
            this run, tables, failures by kind and status, seconds

`

// events tells a program how a run goes, a JSON object a line. A nil one does nothing.
type events struct {
	job   *job.Job
	state string // path of the state file
	every time.Duration

	mu   sync.Mutex
	out  *json.Encoder
	now  func() time.Time
	over chan struct{}
	went sync.WaitGroup
}

func newEvents(w io.Writer, j *job.Job, o runOptions) *events {
	if !o.json {
		return nil
	}
	e := &events{job: j, state: o.statePath, every: o.every, out: json.NewEncoder(w), now: time.Now,
		over: make(chan struct{})}
	e.out.SetEscapeHTML(false)
	return e
}

// event is what all of them begin with.
type event struct {
	Event string `json:"event"`
	At    string `json:"at"` // RFC 3339, UTC
	Job   string `json:"job"`
}

// emit writes one event. That nobody reads any more is for the system to say: a crawl does not end for it.
func (e *events) emit(kind string, make func(event) any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	_ = e.out.Encode(make(event{kind, e.now().UTC().Format("2006-01-02T15:04:05.000Z"), e.job.Name}))
}

// taskCounts are those of the whole job.
type taskCounts struct {
	Total  int64 `json:"total"`
	Done   int64 `json:"done"`
	Failed int64 `json:"failed"`
	Left   int64 `json:"left"`
}

func countsOf(c state.Counts) taskCounts { return taskCounts{c.Total(), c.Done, c.Failed, c.Left()} }

type startedEvent struct {
	event
	taskCounts
	New       bool   `json:"new"`
	Complete  bool   `json:"complete"` // nothing is left to do
	Recovered int64  `json:"recovered"`
	PutBack   int64  `json:"put_back"`
	Refreshed int64  `json:"refreshed"`
	Salvaged  bool   `json:"salvaged"` // the state file was damaged
	State     string `json:"state"`
	PID       int    `json:"pid"`
	Version   string `json:"version"`
}

// watch begins to tell; stop ends it.
func (e *events) watch(p *crawl.Progress) {
	if e == nil {
		return
	}
	f := p.Found
	e.emit("started", func(head event) any {
		return startedEvent{
			head, countsOf(f.Counts), f.New, f.Counts.Left() == 0, f.Recovered, p.PutBack, p.Refreshed,
			f.Salvaged != nil,
			e.state, os.Getpid(), Version,
		}
	})
	e.went.Go(func() { e.follow(p) })
}

// follow tells the progress now and then, and of hosts every second what changed.
func (e *events) follow(p *crawl.Progress) {
	m, known := newMeter(p), hostChanges{}
	tick, look := time.NewTicker(e.every), time.NewTicker(hostsEvery)
	defer tick.Stop()
	defer look.Stop()
	for {
		select {
		case <-e.over:
			return
		case <-tick.C:
			e.progress(m.read())
		case now := <-look.C:
			m.read() // so that the rate is one of moments that lie close together
			for _, t := range known.since(p.Hosts(now), now) {
				e.host(t)
			}
		}
	}
}

type progressEvent struct {
	event
	taskCounts
	InFlight  int     `json:"in_flight"`
	Retried   int64   `json:"retried"` // these five of this run
	Records   int64   `json:"records"`
	Rejects   int64   `json:"rejects"`
	Bytes     int64   `json:"bytes"`
	PerSecond float64 `json:"per_second"` // over the last 10 s
	Overall   float64 `json:"overall_per_second"`
	ETA       *int64  `json:"eta_s"`
}

func (e *events) progress(r *reading) {
	t := r.Tally
	p := progressEvent{
		taskCounts: countsOf(r.Counts), InFlight: r.Busy, Retried: t.Retried, Records: t.Records, Rejects: t.Rejects,
		Bytes: t.Bytes, PerSecond: tenth(r.perSecond), Overall: tenth(r.overall),
	}
	if d, ok := r.remaining(); ok {
		s := int64(d.Seconds())
		p.ETA = &s
	}
	e.emit("progress", func(head event) any { p.event = head; return p })
}

type warningEvent struct {
	event
	Text string `json:"text"`
}

func (e *events) warn(text string) {
	if e != nil {
		e.emit("warning", func(head event) any { return warningEvent{head, text} })
	}
}

type failureEvent struct {
	event
	Task     int64  `json:"task"`
	URL      string `json:"url"`
	Page     string `json:"page"`
	Attempts int    `json:"attempts"`
	Status   *int   `json:"status"` // null: there was no answer
	Kind     string `json:"kind"`
	Error    string `json:"error"`
}

// landed tells of the tasks that were given up.
func (e *events) landed(outcomes []state.Outcome) {
	if e == nil {
		return
	}
	for i := range outcomes {
		o := &outcomes[i]
		if o.State != state.Failed {
			continue
		}
		f := failureEvent{
			Task: o.Task.ID, URL: e.job.HideURL(o.Task.URL), Page: o.Task.Page, Attempts: o.Task.Attempts + o.Attempts,
			Kind: o.Kind, Error: o.Error,
		}
		if o.Status != 0 {
			f.Status = &o.Status
		}
		e.emit("failure", func(head event) any { f.event = head; return f })
	}
}

// stop ends what watch began; finish may follow.
func (e *events) stop() {
	if e != nil {
		close(e.over)
		e.went.Wait()
	}
}
