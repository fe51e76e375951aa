package crawl

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dogear/crawl/job"
	"dogear/internal/practice"
	"dogear/state"
)

const panicJob = `
start: [{url: SITE/detail/1, as: bad}, {url: "SITE/detail/{2..5}", as: good}]
rate: none
pages:
  bad: {records: {table: a, fields: {title: h1}}}
  good: {records: {table: b, fields: {title: h1}}}
`

// No page is known on which dogear panics, so the plan is spoiled for one kind of page: it has no rules.
func TestAPanicIsTheFailureOfItsTaskAndTheRunGoesOn(t *testing.T) {
	site, err := practice.Start(practice.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer site.Close()
	j, err := job.Parse("test.yaml", []byte(strings.ReplaceAll(panicJob, "SITE", site.URL)), nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPlan(Options{Job: j, Path: filepath.Join(t.TempDir(), "test.db"), Version: "test"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer p.client.Close()
	p.pages["bad"].rules = nil

	ctx := context.Background()
	run, err := state.OpenRun(ctx, p.stateOptions(), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	ended, err := newEngine(p, run).run(ctx, ctx)
	counts := run.Counts()
	if err := run.Close(ctx, time.Now(), ended); err != nil {
		t.Fatal(err)
	}
	if err != nil || ended != state.Finished || counts.Done != 4 || counts.Failed != 1 {
		t.Errorf("ended %s, %v: %+v", ended, err, counts)
	}
}

func TestAPanicNamesTheBugAndAsksToReportIt(t *testing.T) {
	p := &plan{options: Options{Job: &job.Job{}}, pages: map[string]*pageKind{"page": {}}} // no client: asking panics
	o := p.attempt(context.Background(), context.Background(), state.Task{ID: 7, URL: "http://127.0.0.1/", Page: "page"})
	if o.State != state.Failed || o.Kind != "parse" || o.Task.ID != 7 || !strings.Contains(o.Error, "bug in dogear") ||
		!strings.Contains(o.Error, "report it") {
		t.Errorf("%+v", o)
	}
}
