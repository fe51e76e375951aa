package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"dogear/crawl"
	"dogear/crawl/fetch"
	"dogear/crawl/job"
	"dogear/internal/monitor"
)

func metricsFlag() cli.Flag {
	return &cli.StringFlag{Name: "metrics",
		Usage: "show the run as a page, and its metrics to Prometheus, at `ADDR`: 8000 is 127.0.0.1:8000"}
}

// watcher shows a run on an address of its own. A nil one does nothing.
type watcher struct {
	*monitor.Monitor
	target   target
	job      *job.Job
	progress *crawl.Progress // nil until the run begins
	stopped  bool
}

// newWatcher takes the address of --metrics, nil without one, before anything else begins.
func newWatcher(ctx context.Context, o runOptions, j *job.Job, stderr io.Writer) (*watcher, error) {
	if o.metrics == "" {
		return nil, nil
	}
	m, err := monitor.Listen(ctx, monitor.Options{Address: o.metrics, Job: j.Name, Version: Version})
	if wrong := (*monitor.AddressError)(nil); errors.As(err, &wrong) {
		return nil, usagef("--metrics: %v", err)
	}
	if err != nil {
		return nil, fmt.Errorf("--metrics: %w", err)
	}
	fmt.Fprintf(stderr, "%s: page %s, metrics %smetrics\n", j.Name, m.URL(), m.URL())
	if !m.Private() {
		fmt.Fprintf(stderr, "%s: anybody who can reach %s sees the job's URLs and records\n", j.Name, m.Address())
	}
	return &watcher{Monitor: m, target: o.target, job: j}, nil
}

// observe has a run tell what the metrics count.
func (w *watcher) observe(o *crawl.Options) {
	if w == nil {
		return
	}
	o.Observe = func(x fetch.Exchange) { w.Exchange(string(x.Kind), x.Took) }
	o.Committed = w.Commit
}

// start begins to show: the state file is there.
func (w *watcher) start(p *crawl.Progress, warn func(string)) {
	if w == nil {
		return
	}
	w.progress = p
	err := w.Show(monitor.Run{
		Path: w.target.statePath, Tables: w.job.Tables(), Began: p.Began, Figures: w.figures, Hosts: w.hosts,
		Status: func(ctx context.Context) (any, error) { return readStatus(ctx, w.target) },
	})
	if err != nil {
		warn(fmt.Sprintf("the page of --metrics can't be shown: %v", err))
	}
}

func (w *watcher) figures() monitor.Figures {
	last := w.progress.Last()
	return monitor.Figures{Counts: last.Counts, Tally: last.Tally, Active: last.Busy, Limit: last.Limit, Due: last.Due}
}

func (w *watcher) hosts() []monitor.Host {
	hosts := w.progress.Hosts(time.Now())
	all := make([]monitor.Host, len(hosts))
	for i, h := range hosts {
		all[i] = monitor.Host{Name: h.Host, Rate: h.Rate, Until: h.Until, Why: h.Why}
	}
	return all
}

// stop shows how the run ended to whoever looks, and ends; a second call does nothing. Without a summary, or with an
// error, it failed. What goes wrong now is of no use to anybody: all there is to tell has been told.
func (w *watcher) stop(summary *crawl.Summary, err error) {
	if w == nil || w.stopped {
		return
	}
	w.stopped = true
	end := monitor.End{How: "failed"}
	if w.progress != nil {
		end.Figures = w.figures()
	}
	if summary != nil && err == nil {
		end.How, end.Figures.Counts, end.Figures.Tally = summary.Ended, summary.Counts, summary.Tally
		end.Figures.Active = 0
	}
	_ = w.Close(end)
}
