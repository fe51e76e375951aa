package crawl

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"dogear/crawl/fetch"
	"dogear/crawl/job"
	"dogear/state"
)

// Tried is what one page gave, without a state file.
type Tried struct {
	Kind    *job.Page
	Outcome state.Outcome // what a run would have committed
	Page    *fetch.Page   // nil when there was no good answer
}

// ChoiceError says that what was asked of Try leaves something open, and what to say.
type ChoiceError struct{ Text string }

func (e *ChoiceError) Error() string { return e.Text }

func choose(format string, args ...any) error { return &ChoiceError{fmt.Sprintf(format, args...)} }

// Try fetches one page as a run would, once and without retries, and takes it apart; it writes nothing. Without a URL it is
// the first one of the job. kind names the kind of page; "" is the kind that the start gives its URL, or the only one of
// the job. It returns *ChoiceError when that leaves several.
func Try(ctx context.Context, o Options, url, kind string) (*Tried, error) {
	p, err := newPlan(o, time.Nanosecond) // any wait is handed back: one request
	if err != nil {
		return nil, err
	}
	defer p.client.Close()
	task, err := p.pick(url, kind)
	if err != nil {
		return nil, err
	}
	page, _ := o.Job.Page(task.Page)
	t := &Tried{Kind: page, Outcome: state.Outcome{Task: task, At: time.Now()}}
	rules := p.pages[task.Page]
	task.Attempts = o.Job.Retry.Attempts - 1 // the last one: none is made again
	result := p.ask(ctx, ctx, task, rules)
	switch {
	case result.Page != nil:
		t.Page = result.Page
		p.read(&t.Outcome, rules, result.Page)
		t.Page.URL = cmp.Or(t.Outcome.FinalURL, task.URL) // as it may be shown
	case result.Failure != nil:
		fail(&t.Outcome, string(result.Failure.Kind), result.Failure.Status, result.Failure.Err)
	case result.Waiting != nil:
		w := result.Waiting
		t.Outcome.State, t.Outcome.Kind, t.Outcome.Status, t.Outcome.Error = state.Pending, string(w.Kind), w.Status, w.Err.Error()
	case len(result.Failed) > 0: // a run would wait and ask again
		last := result.Failed[len(result.Failed)-1]
		t.Outcome.State, t.Outcome.Kind, t.Outcome.Status, t.Outcome.Error = state.Pending, string(last.Kind), last.Status, last.Err
	}
	return t, ctx.Err()
}

// pick makes the task for a URL.
func (p *plan) pick(url, kind string) (state.Task, error) {
	j := p.options.Job
	if kind != "" {
		if _, ok := j.Page(kind); !ok {
			return state.Task{}, choose("the job has no kind of page %q, only %s", kind, strings.Join(kinds(j), ", "))
		}
	}
	if url == "" {
		for i := range j.Starts {
			if s := &j.Starts[i]; s.Total() > 0 {
				q := s.Request(0)
				return state.Task{URL: q.URL, Page: cmp.Or(kind, q.Page), Method: cmp.Or(q.Method, "GET"), Body: q.Body}, nil
			}
		}
		return state.Task{}, choose("the job's start yields no URL")
	}
	if kind == "" && len(j.Pages) > 1 {
		return state.Task{}, choose("which kind of page is it? --as %s", strings.Join(kinds(j), "|"))
	}
	return state.Task{URL: url, Page: cmp.Or(kind, j.Pages[0].Name), Method: "GET"}, nil
}

func kinds(j *job.Job) []string {
	var names []string
	for i := range j.Pages {
		names = append(names, j.Pages[i].Name)
	}
	return names
}
