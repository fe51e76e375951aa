package cli

import (
	"math"
	"time"

	"dogear/crawl/fetch"
	"dogear/state"
)

type hostEvent struct {
	event
	Host  string  `json:"host"`
	State string  `json:"state"`
	Text  string  `json:"text"`
	Until *string `json:"until"` // RFC 3339, UTC: it is left alone until then
	Rate  float64 `json:"rate"`
}

func (e *events) host(t trouble) {
	h := hostEvent{Host: t.host, State: t.state, Text: t.text, Rate: math.Round(t.rate*1000) / 1000}
	if t.until.After(e.now()) {
		until := t.until.UTC().Format(time.RFC3339)
		h.Until = &until
	}
	e.emit("host", func(head event) any { h.event = head; return h })
}

// hostChanges is the last state of the hosts that are not well.
type hostChanges map[string]string

// since returns the hosts whose state is another than the last time, also those that are well again.
func (c hostChanges) since(hosts []fetch.Standing, now time.Time) []trouble {
	var changed []trouble
	for i := range hosts {
		t, bad := troubleOf(&hosts[i], now)
		was, known := c[t.host]
		switch {
		case bad && was != t.state:
			c[t.host] = t.state
			changed = append(changed, t)
		case !bad && known:
			delete(c, t.host)
			changed = append(changed, t)
		}
	}
	return changed
}

// finishedEvent is the summary. The counts beside total are those of the job.
type finishedEvent struct {
	event
	Ended string `json:"ended"` // state.Finished, state.Interrupted, state.Stopped; "failed": see error
	Exit  int    `json:"exit"`
	Error string `json:"error,omitempty"`
	taskCounts
	Run      *runCounts           `json:"run"` // null: it did not begin
	Tables   []state.TableCount   `json:"tables"`
	Failures []state.FailureCount `json:"failures"` // of the whole job
	Dropped  int64                `json:"dropped"`  // links and start values beyond limits.tasks
	Deep     int64                `json:"deep"`     // links beyond limits.depth
	Unfilled []string             `json:"unfilled"` // fields that no page filled, as they are told to people
	Why      string               `json:"stopped_because,omitempty"`
	Seconds  float64              `json:"seconds"`
	State    string               `json:"state"`
}

// runCounts are those of one run.
type runCounts struct {
	Done    int64 `json:"done"`
	Failed  int64 `json:"failed"`
	Retried int64 `json:"retried"` // attempts that were, or will be, made again
	PutOff  int64 `json:"put_off"`
	Records int64 `json:"records"`
	Rejects int64 `json:"rejects"`
	Links   int64 `json:"links"`
	Bytes   int64 `json:"bytes"`
}

// finish tells how the run ended; sum is nil when it did not come to a summary.
func (e *events) finish(sum *summary, code int, err error) {
	if e == nil {
		return
	}
	f := finishedEvent{
		Ended: "failed", Exit: code, State: e.state, Tables: []state.TableCount{}, Failures: []state.FailureCount{},
		Unfilled: []string{},
	}
	if code == exitInterrupted {
		f.Ended = state.Interrupted
	}
	if err != nil {
		f.Error = err.Error()
	}
	if sum != nil {
		f.sum(sum)
	}
	e.emit("finished", func(head event) any { f.event = head; return f })
}

func (f *finishedEvent) sum(s *summary) {
	f.Ended, f.taskCounts, f.Tables, f.Dropped = s.Ended, countsOf(s.Counts), append(f.Tables, s.tables...), s.Dropped
	f.Deep = s.Deep.Links
	for _, u := range s.Unfilled {
		f.Unfilled = append(f.Unfilled, u.String())
	}
	f.Seconds = math.Round(s.Took.Seconds()*1000) / 1000
	f.Run = &runCounts{
		s.Tally.Done, s.Tally.Failed, s.Tally.Retried, s.Tally.PutOff, s.Tally.Records, s.Tally.Rejects,
		s.Tally.Links, s.Tally.Bytes,
	}
	f.Failures = append(f.Failures, s.failures...)
	if s.Failing != nil {
		f.Why = s.Failing.String()
	}
}

func tenth(v float64) float64 { return math.Round(v*10) / 10 }
