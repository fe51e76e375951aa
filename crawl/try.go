package crawl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"dogear/crawl/extract"
	"dogear/crawl/fetch"
	"dogear/crawl/job"
	"dogear/state"
)

// Tried is what one page gave, without a state file. What the page said is free of the job's secrets, but for
// Page.Body.
type Tried struct {
	Kind     *job.Page
	Sitemap  bool          // the page is one, and Kind has no rules but its name
	Outcome  state.Outcome // what a run would have committed of a first attempt: Pending when it would ask again
	BodyType string        // of the body of the request; "" when it has none
	Page     *fetch.Page   // nil when there was no good answer

	// Seen is what each rule found on the page, also where a run would keep nothing of it. Without a Page it has only
	// the judgement of the status.
	Seen *extract.Inspection
}

// ChoiceError says that what was asked of Try leaves something open, and what to say.
type ChoiceError struct{ Text string }

func (e *ChoiceError) Error() string { return e.Text }

func choose(format string, args ...any) error { return &ChoiceError{fmt.Sprintf(format, args...)} }

// Try fetches one page as a run would, once and without retries, and takes it apart; it writes nothing. Without a URL
// it is the first one of the job. kind names the kind of page; "" is the kind that the start gives its URL, or the only
// one of the job. It returns *ChoiceError when that leaves several.
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
	t := p.newTried(task)
	task.Attempts = o.Job.Retry.Attempts - 1 // the last one: none is made again
	result := p.ask(ctx, ctx, task, p.pages[task.Page])
	if result.Page != nil {
		p.takeApart(t, result.Page)
	} else {
		p.report(t, &result)
	}
	return t, ctx.Err()
}

// TryPage takes apart a page that is at hand already, as the answer to this request; nothing is fetched. The kind of
// page in task.Page is chosen as Try does when it is "".
func TryPage(o Options, task state.Task, page *fetch.Page) (*Tried, error) {
	p, err := newPlan(o, time.Nanosecond)
	if err != nil {
		return nil, err
	}
	defer p.client.Close()
	picked, err := p.pick(task.URL, task.Page)
	if err != nil {
		return nil, err
	}
	picked.Method, picked.Body = cmp.Or(task.Method, picked.Method), cmp.Or(task.Body, picked.Body)
	t := p.newTried(picked)
	page.URL = o.Job.Fill(page.URL)
	if f := page.Refused(p.pages[picked.Page].accept); f != nil {
		p.report(t, &fetch.Result{Failure: f})
		return t, nil
	}
	p.takeApart(t, page)
	return t, nil
}

func (p *plan) newTried(task state.Task) *Tried {
	kind, ok := p.options.Job.Page(task.Page)
	if !ok {
		kind = &job.Page{Name: task.Page}
	}
	return &Tried{
		Kind: kind, Sitemap: !ok, BodyType: p.options.Job.ContentType(task.Body),
		Outcome: state.Outcome{Task: task, At: time.Now()},
	}
}

// takeApart reads a page as a run does, and then for a person.
func (p *plan) takeApart(t *Tried, page *fetch.Page) {
	o, kind := &t.Outcome, p.pages[t.Outcome.Task.Page]
	p.read(o, kind, page)
	t.Seen = kind.rules.Inspect(p.toExtract(o.Task, kind, page))
	p.concealSeen(t.Seen)
	t.Page = page
	page.URL = cmp.Or(o.FinalURL, o.Task.URL) // as it may be shown
}

// report says why there is no page.
func (p *plan) report(t *Tried, result *fetch.Result) {
	o := &t.Outcome
	switch {
	case result.Failure != nil:
		f := result.Failure
		fail(o, string(f.Kind), f.Status, f.Err)
		o.FinalURL, o.Took = p.elsewhere(o.Task, f.URL), f.Took
	case result.Waiting != nil:
		w := result.Waiting
		o.State, o.Kind, o.Status, o.Error = state.Pending, string(w.Kind), w.Status, w.Err.Error()
	case len(result.Failed) > 0: // a run would wait and ask again
		last := result.Failed[len(result.Failed)-1]
		o.State, o.Kind, o.Status, o.Error, o.Took = state.Pending, string(last.Kind), last.Status, last.Err, last.Took
	case result.NoFiles:
		fail(o, string(fetch.Network), 0, errors.New("too many files are open for a connection"))
	}
	t.Seen = &extract.Inspection{Judgements: p.pages[o.Task.Page].rules.JudgeStatus(o.Status)}
}

// concealSeen takes the secrets out of what an inspection repeats.
func (p *plan) concealSeen(in *extract.Inspection) {
	j := p.options.Job
	p.conceal(&in.Result)
	if in.Err != nil {
		in.Err = hide(j, in.Err)
	}
	for i := range in.Judgements {
		in.Judgements[i].Found = j.Hide(in.Judgements[i].Found)
	}
	for i := range in.Tables {
		for k := range in.Tables[i].Fields {
			in.Tables[i].Fields[k].Text = j.Hide(in.Tables[i].Fields[k].Text)
		}
	}
}

// pick makes the task for a URL: that of the start that yields it, or a GET. Secrets that were typed in are put back to
// ${NAME}.
func (p *plan) pick(url, kind string) (state.Task, error) {
	j := p.options.Job
	kind, err := kindNamed(j, kind)
	if err != nil {
		return state.Task{}, err
	}
	if url == "" {
		for i := range j.Starts {
			if q, ok, err := first(&j.Starts[i]); err != nil {
				return state.Task{}, err
			} else if ok {
				return state.Task{URL: q.URL, Page: cmp.Or(kind, q.Page), Method: cmp.Or(q.Method, "GET"), Body: q.Body, Carry: q.Carry}, nil
			}
		}
		return state.Task{}, choose("the job's start yields no URL by itself: give one, as dogear try JOB URL")
	}
	if q, ok := j.Finder().URL(url); ok {
		task := state.Task{URL: j.HideURL(url), Page: cmp.Or(kind, q.Page), Method: cmp.Or(q.Method, "GET"), Body: q.Body}
		return task, nil
	}
	if kind == "" && len(j.Pages) > 1 {
		return state.Task{}, choose("which kind of page is it? --as %s", strings.Join(kinds(j), "|"))
	}
	return state.Task{URL: j.HideURL(url), Page: cmp.Or(kind, j.Pages[0].Name), Method: "GET"}, nil
}

// first is the first request of a start; false when it has none, or they come from the standard input.
func first(s *job.Start) (q job.Request, ok bool, err error) {
	l := s.List()
	switch {
	case l == nil && s.Total() > 0:
		return s.Request(0), true, nil
	case l == nil, l.From == job.Stdin:
		return q, false, nil
	}
	f, err := l.Open(0, "")
	if err != nil {
		return q, false, err
	}
	defer f.Close()
	for {
		var bad *job.LineError
		switch q, err = f.Next(); {
		case err == nil:
			return q, true, nil
		case err == io.EOF:
			return q, false, nil
		case !errors.As(err, &bad):
			return q, false, err
		}
	}
}

// anySitemap is what people may call the kind of a job's sitemaps, when there is one: its whole name has a > in it, which
// a shell takes for itself.
const anySitemap = "sitemap"

// kindNamed returns the kind of page that is called so, "" for "".
func kindNamed(j *job.Job, name string) (string, error) {
	if j.HasKind(name) || name == "" {
		return name, nil
	}
	if name == anySitemap && len(j.Sitemaps) == 1 {
		return j.Sitemaps[0].Kind, nil
	}
	return "", choose("the job has no kind of page %q, only %s", name, strings.Join(kinds(j), ", "))
}

// kinds are the names of the kinds of page, as --as takes them.
func kinds(j *job.Job) []string {
	var names []string
	for i := range j.Pages {
		names = append(names, j.Pages[i].Name)
	}
	if _, taken := j.Page(anySitemap); len(j.Sitemaps) == 1 && !taken {
		return append(names, anySitemap)
	}
	for i := range j.Sitemaps {
		names = append(names, strconv.Quote(j.Sitemaps[i].Kind))
	}
	return names
}
