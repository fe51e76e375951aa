package crawl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"dogear/crawl/extract"
	"dogear/crawl/fetch"
	"dogear/crawl/job"
	"dogear/state"
)

// work takes tasks until there are no more. Once ctx is cancelled it only hands them back.
func (e *engine) work(ctx, abort context.Context) {
	for task, lane, ok := e.queue.take(nil); ok; task, lane, ok = e.queue.take(lane) {
		if ctx.Err() != nil {
			e.outcomes <- state.Outcome{Task: task}
			continue
		}
		e.outcomes <- e.attempt(ctx, abort, task)
	}
}

// attempt takes one task from its URL to its outcome. An outcome without a state is a task that was not got to. What
// panics on the way is the task's failure: strangers wrote what it is fed with, and the other tasks go on.
func (p *plan) attempt(ctx, abort context.Context, task state.Task) (o state.Outcome) {
	var result fetch.Result
	defer func() {
		if v := recover(); v != nil {
			o = failed(task, fetch.Failure{Kind: fetch.Parse, Err: hide(p.options.Job, extract.Bug(v))})
		}
		if page := result.Page; page != nil && p.options.Observe != nil {
			p.options.Observe(fetch.Exchange{Kind: fetch.Kind(o.Kind), Status: page.Status, Took: page.Took})
		}
	}()
	kind := p.pages[task.Page]
	if kind == nil {
		return failed(task, fetch.Failure{Kind: "invalid", Err: fmt.Errorf("the job has no kind of page %q any more", task.Page)})
	}
	result = p.ask(ctx, abort, task, kind)
	if result.NoFiles {
		p.noFiles.Store(true)
	}
	o = state.Outcome{Task: task, Attempts: max(result.Made, -task.Attempts), At: time.Now()}
	for _, a := range result.Failed {
		o.Failures = append(o.Failures, state.Attempt{Number: a.Number, At: a.At, Status: a.Status, Kind: string(a.Kind), Error: a.Err, Took: a.Took})
	}
	switch {
	case result.Page != nil:
		p.read(&o, kind, result.Page)
		p.judge(&o, fetch.Request{Task: task.ID, Made: task.Attempts}, &result)
		p.keep(&o, kind, result.Page)
	case result.Failure != nil:
		fail(&o, string(result.Failure.Kind), result.Failure.Status, result.Failure.Err)
		o.FinalURL, o.Took = p.elsewhere(task, result.Failure.URL), result.Failure.Took
	case !result.RetryAt.IsZero(): // also when there were no files left, which costs nothing
		o.State, o.NotBefore = state.Pending, result.RetryAt
	case len(result.Failed) > 0: // stopped between two attempts: those made are kept
		o.State = state.Pending
	}
	return o
}

// ask makes a task's request. Only on the wire its URL has its secrets in it; the errors that come back have them no more.
func (p *plan) ask(ctx, abort context.Context, task state.Task, kind *pageKind) fetch.Result {
	j := p.options.Job
	url := j.Fill(task.URL)
	result := p.client.Do(ctx, abort, fetch.Request{
		Method: task.Method, URL: url, Body: j.FillBody(task.Body), ContentType: j.ContentType(task.Body),
		Made: task.Attempts, Accept: kind.accept, Scope: kind.scope(task, url), Task: task.ID,
		BodyLimit: kind.body, Unzip: kind.body > 0,
	})
	for _, f := range []*fetch.Failure{result.Failure, result.Waiting} {
		if f != nil {
			f.Err = hide(j, f.Err)
		}
	}
	for i := range result.Failed {
		result.Failed[i].Err = j.Hide(result.Failed[i].Err)
	}
	return result
}

// elsewhere is the final URL, as it may be kept, when redirects led away from the one asked for; else "".
func (p *plan) elsewhere(task state.Task, final string) string {
	j := p.options.Job
	if final == "" || final == task.URL || final == j.Fill(task.URL) {
		return ""
	}
	return j.HideURL(final)
}

// conceal takes the secrets out of what a page said: it knows those that it was asked with, and links may repeat them. A
// ${NAME} that a page wrote itself is made harmless, or it could send for a secret with a link to its own host.
func (p *plan) conceal(r *extract.Result) {
	j := p.options.Job
	for i := range r.Links {
		r.Links[i].URL = j.HideURL(strings.ReplaceAll(r.Links[i].URL, "${", "$%7B"))
		r.Links[i].Carry = hideCarry(j, r.Links[i].Carry)
	}
	for i := range r.Rows {
		for k, v := range r.Rows[i].Values {
			if text, ok := v.(string); ok {
				r.Rows[i].Values[k] = j.Hide(text)
			}
		}
	}
	for i := range r.Rejects {
		r.Rejects[i].Raw, r.Rejects[i].Reason = j.Hide(r.Rejects[i].Raw), j.Hide(r.Rejects[i].Reason)
	}
}

// hideCarry hides in the texts, not in their JSON: what stands for a secret may have quotes in it.
func hideCarry(j *job.Job, carry string) string {
	if carry == "" || j.Hide(carry) == carry {
		return carry
	}
	given := map[string]string{}
	if err := json.Unmarshal([]byte(carry), &given); err != nil {
		return "" // it is none that a page could read either
	}
	for name, text := range given {
		given[name] = j.Hide(text)
	}
	hidden, err := json.Marshal(given)
	if err != nil {
		return ""
	}
	return string(hidden)
}

// hide returns the error itself when there is nothing to hide in its text.
func hide(j *job.Job, err error) error {
	if text := j.Hide(err.Error()); text != err.Error() {
		return errors.New(text)
	}
	return err
}

func failed(task state.Task, f fetch.Failure) state.Outcome {
	o := state.Outcome{Task: task, At: time.Now()}
	fail(&o, string(f.Kind), f.Status, f.Err)
	return o
}

func fail(o *state.Outcome, kind string, status int, err error) {
	o.State, o.Kind, o.Status, o.Error = state.Failed, kind, status, err.Error()
}

// read turns the page into records and links. What a page that is not good enough had to say is kept all the same: its
// rejects, and the links on it.
func (p *plan) read(o *state.Outcome, kind *pageKind, page *fetch.Page) {
	o.State, o.Status, o.Bytes, o.Took, o.At = state.Done, page.Status, page.Size, page.Took, page.At
	o.FinalURL = p.elsewhere(o.Task, page.URL)
	result, err := kind.rules.Extract(p.toExtract(o.Task, kind, page))
	if result != nil {
		p.passedOver(o.Task, result)
		p.conceal(result)
		o.Rows, o.Rejects = result.Rows, result.Rejects
		if deepest := p.options.Job.Limits.Depth; deepest == 0 || o.Task.Depth < deepest {
			o.Links = result.Links
		} else {
			p.deep.add(o.Task.URL, len(result.Links))
		}
	}
	if err != nil {
		p.refuse(o, page, err)
	}
}

// toExtract is a page as its rules are given it.
func (p *plan) toExtract(task state.Task, kind *pageKind, page *fetch.Page) *extract.Page {
	return &extract.Page{
		RequestURL: task.URL, URL: page.URL, Status: page.Status, ContentType: page.ContentType,
		Charset: page.Charset, Body: page.Body,
		At: page.At, Depth: task.Depth, Params: p.params(kind, task), Carry: task.Carry,
	}
}

// refuse is for an answer that came well and is not good. A page that is not what was expected may be so again later, and
// is asked for slowly until its attempts are used up; anything else is final.
func (p *plan) refuse(o *state.Outcome, page *fetch.Page, err error) {
	kind := extract.Parse
	if f, ok := errors.AsType[*extract.Failure](err); ok {
		kind, err = f.Kind, f.Err
	}
	fail(o, string(kind), page.Status, hide(p.options.Job, err))
	number := o.Task.Attempts + o.Attempts
	o.Failures = append(o.Failures, state.Attempt{Number: number, At: page.At, Status: page.Status, Kind: o.Kind, Error: o.Error, Took: page.Took})
	if retry := p.options.Job.Retry; kind == extract.Blocked && number < retry.Attempts {
		o.State, o.NotBefore = state.Pending, o.At.Add(retry.MaxDelay)
	}
}
