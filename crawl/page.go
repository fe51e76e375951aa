package crawl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"dogear/crawl/fetch"
	"dogear/state"
)

// Fetch gets the first page of a job as a run would, once and without retries, and does not take it apart. The error
// says why there is none: its kind, as in the failures of a run, and what to make of it.
func Fetch(ctx context.Context, o Options) (*fetch.Page, error) {
	p, err := newPlan(o, time.Nanosecond) // any wait is handed back: one request
	if err != nil {
		return nil, err
	}
	defer p.client.Close()
	task, err := p.pick("", "")
	if err != nil {
		return nil, err
	}
	task.Attempts = o.Job.Retry.Attempts - 1 // the last one: none is made again
	result := p.ask(ctx, ctx, task, p.pages[task.Page])
	if result.Page != nil {
		return result.Page, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("fetch %s: %w", task.URL, err)
	}
	return nil, fmt.Errorf("fetch %s: %w", task.URL, noPage(&result))
}

// noPage is why a request brought none.
func noPage(result *fetch.Result) error {
	if f := cmp.Or(result.Failure, result.Waiting); f != nil {
		return fmt.Errorf("%s: %w", f.Kind, f.Err)
	}
	if n := len(result.Failed); n > 0 { // a run would wait and ask again
		return fmt.Errorf("%s: %s", result.Failed[n-1].Kind, result.Failed[n-1].Err)
	}
	return errors.New("the host asks for a pause; try again later")
}

// Read takes a page apart by the rules of the job's only kind of page, as a run would, without asking for it.
func Read(o Options, page *fetch.Page) (*state.Outcome, error) {
	p, err := newPlan(o, 0)
	if err != nil {
		return nil, err
	}
	defer p.client.Close()
	task, err := p.pick("", "")
	if err != nil {
		return nil, err
	}
	outcome := &state.Outcome{Task: task}
	p.read(outcome, p.pages[task.Page], page)
	return outcome, nil
}
