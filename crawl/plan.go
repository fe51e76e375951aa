package crawl

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"dogear/crawl/extract"
	"dogear/crawl/fetch"
	"dogear/crawl/job"
	"dogear/state"
)

// plan is a job made ready: what its parts mean to the rooms that do the work. It is only read, by all workers, but for what says so.
type plan struct {
	options     Options
	client      *fetch.Client
	pages       map[string]*pageKind
	concurrency job.Concurrency
	measure     *fetch.Load // of the requests on the wire; nil when the concurrency is a number
	input       *input      // what is read of the standard input; nil: no start reads it
	noFiles     atomic.Bool // there were no files left for a connection; set by workers
	deep        deep        // what limits.depth left out; counted by workers
}

// extractor takes pages of one kind apart.
type extractor interface {
	Extract(*extract.Page) (*extract.Result, error)
	Inspect(*extract.Page) *extract.Inspection // the same for a person
	JudgeStatus(int) []extract.Judgement
}

// pageKind is what is done with one kind of page.
type pageKind struct {
	rules  extractor
	accept []int  // statuses that are good answers besides 2xx
	params bool   // its rules ask for parameters of the start
	keep   bool   // the pages themselves are kept
	within string // how far from its URL a redirect may lead a task that was found as a link
	body   int64  // of a sitemap, which may be a gzip file: how large it may be; 0: it is none
}

// newPlan makes the job of o ready. lease is the longest wait that a worker sleeps through; 0: fetch's own.
func newPlan(o Options, lease time.Duration) (*plan, error) {
	o.Warn = inTurn(o.Warn)
	p := &plan{options: o, pages: map[string]*pageKind{}, concurrency: o.Job.Concurrency}
	if o.Concurrency.Max > 0 {
		p.concurrency = o.Concurrency
	}
	p.fitFiles()
	if p.concurrency.Auto() {
		p.measure = &fetch.Load{}
	}
	if err := p.compile(); err != nil {
		return nil, err
	}
	p.addSitemaps()
	var err error
	if p.client, err = fetch.New(p.fetchOptions(lease)); err != nil {
		return nil, err
	}
	return p, nil
}

// compile makes the kinds of page ready.
func (p *plan) compile() error {
	j := p.options.Job
	for i := range j.Pages {
		page := &j.Pages[i]
		rules, err := extract.Compile(extractOptions(page))
		if err != nil {
			return fmt.Errorf("page %s: %w", page.Name, err)
		}
		p.pages[page.Name] = &pageKind{
			rules: rules, accept: page.Expect.Status, params: asksParams(page), within: withinOf(j, page.Name),
			keep: page.Keep,
		}
	}
	return nil
}

// inTurn makes a Warn fit for many goroutines.
func inTurn(warn func(string)) func(string) {
	if warn == nil {
		return nil
	}
	var mu sync.Mutex
	return func(text string) {
		mu.Lock()
		defer mu.Unlock()
		warn(text)
	}
}

// warn says something to the user, if anybody listens.
func (p *plan) warn(format string, args ...any) {
	if p.options.Warn != nil {
		p.options.Warn(fmt.Sprintf(format, args...))
	}
}

func (p *plan) fetchOptions(lease time.Duration) fetch.Options {
	j, rate := p.options.Job, p.options.Job.Rate
	if p.options.Rate != nil {
		rate = *p.options.Rate
	}
	o := fetch.Options{
		UserAgent: "dogear/" + p.options.Version + " (resumable crawler)", Timeout: j.Timeout, BodyLimit: j.Limits.Body,
		Concurrency: p.concurrency.Max, Load: p.measure, Rate: rate.Limit, Burst: rate.Burst, Limiter: rate.Limiter,
		Period:   rate.Per,
		Attempts: j.Retry.Attempts, Delay: j.Retry.Delay, MaxDelay: j.Retry.MaxDelay, MaxWait: j.Retry.MaxWait, LeaseWait: lease,
	}
	o.Robots, o.Warn, o.Observe = j.Robots == job.Obey, p.options.Warn, p.options.Observe
	o.NoCookies, o.Proxies = j.NoCookies, j.Proxies
	for _, h := range j.Headers {
		o.Headers = append(o.Headers, fetch.Header{Name: h.Name, Value: h.Value})
	}
	return o
}

func (p *plan) stateOptions() state.RunOptions {
	j := p.options.Job
	o := state.RunOptions{
		Path: p.options.Path, Name: j.Name, Text: j.Text, Tables: j.Tables(), Changed: p.changed, MaxTasks: j.Limits.Tasks,
		MaxWait: max(j.Retry.MaxWait, j.Retry.MaxDelay), Version: p.options.Version, Tell: p.options.Tell,
		Mirrors:      p.options.Mirrors,
		MaxThrottles: maxThrottles,
	}
	for i := range j.Pages {
		page := state.Page{Name: j.Pages[i].Name, Follows: len(j.Pages[i].Follow) > 0 || j.Pages[i].Next != nil}
		for _, r := range j.Pages[i].Records {
			page.Keeps = append(page.Keeps, r.Table.Name)
		}
		o.Pages = append(o.Pages, page)
	}
	for i := range j.Sitemaps {
		o.Pages = append(o.Pages, state.Page{Name: j.Sitemaps[i].Kind, Follows: true})
	}
	for i := range j.Starts {
		s := &j.Starts[i]
		o.Starts = append(o.Starts, state.Start{Entry: s.Entry(), Total: s.Total(), Request: s.Request, Open: p.opener(s)})
	}
	return o
}

// params returns the values of the start's parameters, looked up only for pages that ask. Those of a start that is read
// come along with the task.
func (p *plan) params(kind *pageKind, task state.Task) map[string]string {
	if !kind.params {
		return nil
	}
	return p.options.Job.Params(task.URL, task.Body)
}
