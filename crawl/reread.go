package crawl

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"dogear/crawl/extract"
	"dogear/crawl/fetch"
	"dogear/crawl/job"
	"dogear/state"
)

const (
	// rereadPages and rereadBytes are how much of the kept pages is in memory at a time, twice: one batch is taken apart
	// while the one before is written.
	rereadPages = 256
	rereadBytes = 16 << 20
	// damagedShown is how many of the pages that can't be read are named.
	damagedShown = 20
)

// RereadOptions say what to read again.
type RereadOptions struct {
	Job     *job.Job
	Path    string // of the state file
	Version string // of dogear
	Dry     bool   // nothing is written
	Tell    func(*state.Salvage)
	Watch   func(RereadProgress) // called after each batch; may be nil
}

// RereadProgress is how far reading again has come: tasks are gone through by their ids.
type RereadProgress struct {
	Pages    int64
	At, Last int64 // ids; Last is the last kept page's
}

// Reread is what reading kept pages again came to.
type Reread struct {
	Changes *state.Changes // nil unless Ended is state.Finished
	Pages   int64          // read
	Unknown int64          // kept pages of kinds that the job has no more: left alone
	Damaged int64          // those that could not be read: left alone
	Reports []DamagedPage  // the first of them
	Ended   string         // state.Finished, or state.Interrupted
	Took    time.Duration
}

// DamagedPage is a kept page that could not be read.
type DamagedPage struct {
	Task int64
	URL  string
	Err  error
}

// ReadAgain takes the kept pages of a job apart by its rules of now, as if they had been those of then, and makes the
// state file what it would be. No request is made. When ctx is cancelled it ends after the batch at hand; the same call
// begins anew, and comes to the same. Errors are those of Run.
func ReadAgain(ctx context.Context, o RereadOptions) (*Reread, error) {
	began := time.Now()
	run := Options{Job: o.Job, Path: o.Path, Version: o.Version, Tell: o.Tell, Accept: true}
	p := &plan{options: run, pages: map[string]*pageKind{}}
	if err := p.compile(); err != nil {
		return nil, err
	}
	options := p.stateOptions()
	options.Reread = true
	r := &rereading{plan: p, o: o, summary: &Reread{}}
	var err error
	if r.run, err = openReread(ctx, options, o.Dry, began); err != nil {
		return nil, err
	}
	err = r.all(ctx, options)
	r.summary.Took = time.Since(began)
	if err = errors.Join(err, r.close(ctx, err)); err != nil {
		return r.summary, fmt.Errorf("read the pages of %s again: %w", o.Job.Name, err)
	}
	return r.summary, nil
}

func openReread(ctx context.Context, options state.RunOptions, dry bool, now time.Time) (*state.Run, error) {
	if dry {
		return state.OpenDry(ctx, options, now)
	}
	return state.OpenRun(ctx, options, now)
}

// rereading is the one who reads and writes; taking apart is the workers' (rereadBatch).
type rereading struct {
	*plan
	o       RereadOptions
	run     *state.Run
	rows    *state.Rereader
	unpack  *unpacker
	last    int64 // the last task that has a kept page
	summary *Reread
}

// readKept reads so many kept pages, of about so many bytes.
type readKept func(ctx context.Context, pages int, bytes int64) ([]state.Kept, error)

// all goes through all kept pages. While a batch is written the next one is taken apart.
func (r *rereading) all(ctx context.Context, options state.RunOptions) (err error) {
	// As UTF-8 a body may have three times its bytes.
	if r.unpack, err = newUnpacker(3*r.o.Job.Limits.Body + 1<<20); err != nil {
		return err
	}
	defer r.unpack.Close()
	if r.rows, err = r.run.Reread(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.rows.Close()) }()
	if r.last, err = r.run.LastKept(ctx); err != nil {
		return err
	}
	r.summary.Ended = state.Interrupted
	if err := r.batches(ctx, false, r.rows.Next); err != nil || ctx.Err() != nil {
		return err
	}
	rest := func(ctx context.Context, pages int, _ int64) ([]state.Kept, error) { return r.rows.Again(ctx, pages) }
	if err := r.batches(ctx, true, rest); err != nil || ctx.Err() != nil {
		return err
	}
	r.summary.Ended = state.Finished
	if r.summary.Changes, err = r.rows.End(ctx, options); err == nil {
		r.summary.Changes.Without -= r.summary.Unknown + r.summary.Damaged
	}
	return err
}

// batches reads until there is nothing more to read.
func (r *rereading) batches(ctx context.Context, again bool, read readKept) error {
	next := func() (*rereadBatch, error) {
		kept, err := read(context.WithoutCancel(ctx), rereadPages, rereadBytes)
		return r.takeApart(kept), err
	}
	batch, err := next()
	for err == nil && len(batch.kept) > 0 && ctx.Err() == nil {
		var following *rereadBatch
		if !again { // what is to be looked at again is known when the batch is written
			if following, err = next(); err != nil {
				break
			}
		}
		if err = r.land(ctx, batch, again); err == nil && again {
			following, err = next()
		}
		batch = following
	}
	if batch != nil {
		batch.wait()
	}
	return err
}

// land writes a batch, in transactions that are not too long, and reports the pages that could not be read.
func (r *rereading) land(ctx context.Context, b *rereadBatch, again bool) error {
	b.wait()
	var group []state.Reread
	weight := 0
	for i := range b.kept {
		switch err := b.errs[i]; {
		case again && err != nil: // it was counted
		case errors.Is(err, errNoKind):
			r.summary.Unknown++
		case err != nil:
			r.damaged(&b.kept[i], err)
		default:
			group = append(group, state.Reread{Kept: b.kept[i], Outcome: b.outcomes[i]})
			weight += b.outcomes[i].Weight()
		}
		if weight < groupWeight && i < len(b.kept)-1 {
			continue
		}
		if err := r.commit(ctx, group, again); err != nil {
			return err
		}
		group, weight = group[:0], 0
	}
	if last := b.kept[len(b.kept)-1].Task.ID; r.o.Watch != nil && !again {
		r.o.Watch(RereadProgress{Pages: r.summary.Pages, At: last, Last: max(last, r.last)})
	}
	return nil
}

// commit waits for whoever else writes to the file.
func (r *rereading) commit(ctx context.Context, group []state.Reread, again bool) error {
	if len(group) == 0 {
		return nil
	}
	err := r.rows.Land(ctx, time.Now(), group, again)
	for errors.Is(err, state.ErrBusy) && ctx.Err() == nil {
		err = r.rows.Land(ctx, time.Now(), group, again)
	}
	if err == nil && !again {
		r.summary.Pages += int64(len(group))
	}
	return err
}

func (r *rereading) damaged(k *state.Kept, err error) {
	if r.summary.Damaged++; len(r.summary.Reports) < damagedShown {
		r.summary.Reports = append(r.summary.Reports, DamagedPage{k.Task.ID, k.Task.URL, err})
	}
}

// close ends the run: finished when nothing is left to fetch, else stopped, as it is when only tasks were put back.
func (r *rereading) close(ctx context.Context, err error) error {
	if r.o.Dry {
		return r.run.CloseDry()
	}
	ended := r.summary.Ended
	if counts := r.run.Counts(); ended == state.Finished && counts.Left() > 0 {
		ended = state.Stopped
	}
	if err != nil {
		ended = ""
	}
	return r.run.Close(ctx, time.Now(), ended)
}

// errNoKind says that a page is of a kind that the job has no more.
var errNoKind = errors.New("the job has no such kind of page")

// rereadBatch are kept pages that workers take apart: outcomes and errs are those of kept, when ended is closed.
type rereadBatch struct {
	kept     []state.Kept
	outcomes []state.Outcome
	errs     []error
	ended    chan struct{}
}

func (b *rereadBatch) wait() { <-b.ended }

// takeApart starts a worker for each processor, which end with the batch.
func (r *rereading) takeApart(kept []state.Kept) *rereadBatch {
	b := &rereadBatch{kept, make([]state.Outcome, len(kept)), make([]error, len(kept)), make(chan struct{})}
	each := make(chan int, len(kept))
	for i := range kept {
		each <- i
	}
	close(each)
	go func() {
		defer close(b.ended)
		var workers sync.WaitGroup
		for range min(len(kept), runtime.GOMAXPROCS(0)) {
			workers.Go(func() {
				for i := range each {
					b.outcomes[i], b.errs[i] = r.again(&kept[i])
					kept[i].Body.Packed = nil
				}
			})
		}
		workers.Wait()
	}()
	return b
}

// again takes one page apart, as plan.attempt does when it has come. The attempts that a task had are used up: what is
// not good now won't be better by asking.
func (r *rereading) again(k *state.Kept) (o state.Outcome, err error) {
	task := k.Task
	task.Attempts = r.o.Job.Retry.Attempts
	defer func() {
		if v := recover(); v != nil {
			o = failed(task, fetch.Failure{Kind: fetch.Parse, Err: hide(r.o.Job, extract.Bug(v))})
		}
	}()
	kind := r.pages[task.Page]
	if kind == nil {
		return o, errNoKind
	}
	body, err := r.unpack.unpack(&k.Body)
	if err != nil {
		return o, err
	}
	page := r.keptPage(&k.Body, body)
	o = state.Outcome{Task: task, At: page.At}
	if f := fetch.Unwanted(page.Status, kind.accept); f != nil {
		return failed(task, *f), nil
	}
	r.read(&o, kind, page)
	return o, nil
}
