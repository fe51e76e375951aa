package cli

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"dogear/crawl/job"
	"dogear/export"
	"dogear/schema"
	"dogear/state"
)

// Why an entry is left out, besides what is damaged in the checkpoint itself.
const (
	noWebURL    = "neither a web URL nor a whole number"
	noNumbers   = "a number, but the job has no start with one range of numbers, or several"
	outOfRange  = "a number that is not in the job's range"
	unknownKind = "a URL that no start of the job yields, so it can be any of its kinds of page"
	overLimit   = "beyond the job's limits.tasks"
)

// importer takes a checkpoint over into a state file. What is said of an entry by itself counts for more than
// current_page, and finished for more than failed, in whatever order they stand; so each is a pass of its own.
type importer struct {
	job    *job.Job
	left   checkpoint
	finder *job.Finder
	report importReport

	run    *state.Run
	batch  []state.Imported
	places []export.Entry // of the batch; none for what current_page says

	counts  state.ImportCounts
	others  int64  // URLs that no start yields, taken for the only kind of page
	implied int64  // tasks that are done because of current_page
	doubt   string // why current_page is not relied on
}

func newImporter(j *job.Job, left checkpoint, w io.Writer) *importer {
	return &importer{job: j, left: left, finder: j.Finder(), report: importReport{w: w, hide: j.Hide},
		doubt: left.Page().Doubt}
}

// take is what crawl.Run calls with the state file open.
func (i *importer) take(ctx context.Context, run *state.Run) error {
	i.run = run
	for _, d := range i.left.Damages() {
		i.report.problem(d)
	}
	if err := i.list(ctx, export.FinishedList); err != nil {
		return err
	}
	if err := i.list(ctx, export.FailedList); err != nil {
		return err
	}
	if err := i.below(ctx); err != nil {
		return err
	}
	return run.Advance(ctx, time.Now())
}

func (i *importer) list(ctx context.Context, list export.List) error {
	as := state.Imported{State: state.Done, Sure: true}
	if list == export.FailedList {
		as = state.Imported{State: state.Failed}
	}
	err := i.left.Each(ctx, list, func(e export.Entry) error {
		request, wrong := i.request(e.Text)
		if wrong != "" {
			i.report.skip(export.Damage{Place: e.Place, What: wrong, Text: e.Text})
			return nil
		}
		as.Request = request
		return i.add(ctx, as, e)
	}, func(d export.Damage) {
		if i.report.skip(d); list == export.FailedList {
			i.doubt = "not all of what failed can be read"
		}
	})
	if err != nil {
		return err
	}
	return i.flush(ctx)
}

// request finds what an entry means, or says why it means nothing.
func (i *importer) request(text string) (q schema.Request, wrong string) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		q, in, err := i.finder.Number(n)
		switch {
		case err != nil:
			return q, noNumbers
		case !in:
			return q, outOfRange
		}
		return q, ""
	}
	if !strings.Contains(text, ":") {
		return q, noWebURL
	}
	if q, ok := i.finder.URL(text); ok {
		return q, ""
	}
	q, ok, err := i.finder.Other(text)
	switch {
	case err != nil:
		return q, noWebURL
	case !ok:
		return q, unknownKind
	}
	i.others++
	return q, ""
}

// below makes done what current_page says is.
func (i *importer) below(ctx context.Context) error {
	page := i.left.Page()
	if !page.Given {
		return nil
	}
	note := func(text string) { i.report.note(export.Damage{Place: page.Place, What: text}) }
	if i.doubt != "" {
		note("not relied on, because " + i.doubt + ": one that failed could be taken for a finished one")
		return nil
	}
	requests, err := i.finder.Below(page.Number)
	if err != nil {
		note("not used: the job has no start with one range of numbers that counts up, or several, " +
			"so it does not say what is done")
		return nil
	}
	before := i.counts.Done
	for q := range requests {
		if err := i.add(ctx, state.Imported{Request: q, State: state.Done},
			export.Entry{Place: page.Place}); err != nil {
			return err
		}
	}
	err = i.flush(ctx)
	i.implied = i.counts.Done - before
	return err
}

func (i *importer) add(ctx context.Context, task state.Imported, e export.Entry) error {
	i.batch, i.places = append(i.batch, task), append(i.places, e)
	if len(i.batch) < state.ImportSize {
		return nil
	}
	return i.flush(ctx)
}

func (i *importer) flush(ctx context.Context) error {
	c, err := i.run.Import(ctx, time.Now(), i.batch)
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	for _, at := range c.Kept {
		e := i.places[at]
		i.report.note(export.Damage{Place: e.Place, What: "failed by this list, but it is done, and stays done",
			Text: e.Text})
	}
	i.report.leaveOut(overLimit, c.LeftOut)
	i.counts.Done, i.counts.Failed = i.counts.Done+c.Done, i.counts.Failed+c.Failed
	i.batch, i.places = i.batch[:0], i.places[:0]
	return nil
}
