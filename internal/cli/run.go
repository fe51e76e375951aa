package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"dogear/crawl"
	"dogear/crawl/job"
	"dogear/state"
)

// runOptions are what `run` was asked for.
type runOptions struct {
	target
	rate        *job.Rate
	concurrency job.Concurrency // zero: the job's
	limit       int64
	mirror      mirrorOptions
	metrics     string         // where the run is shown; "": nowhere
	refresh     *crawl.Refresh // the done tasks that `refresh` picks
	quiet       bool
	json        bool          // tell a program on stdout
	every       time.Duration // between two lines, or two events, about the progress
	fresh       bool
	accept      bool   // rules other than those that the records were made by
	sync, dsn   string // where the records go as they come
	log         logOptions
	demo        bool // the site is gone when the command ends: no hints at what to run next
}

func newRun(s Streams) *cli.Command {
	return command(&cli.Command{
		Name: "run", Usage: "start a job, or carry on with it", ArgsUsage: "JOB",
		Description: "Examples: dogear run products.yaml\n          dogear run products.yaml --metrics 8000 --log-dir logs\n\n" +
			"After whatever ended the last run, the same command carries on.\n\n" +
			mirrorHelp + eventsHelp + exitHelp,
		Flags: append(runFlags(), &cli.BoolFlag{Name: "fresh", DisableDefaultText: true, Usage: "forget the state first and start over"}),
		Action: func(c *cli.Context) error {
			o, err := readRunFlags(c)
			if err != nil {
				return err
			}
			return runJob(c.Context, s, o, nil)
		},
	})
}

// runJob runs a job to its end or to Ctrl-C, tells how it goes, and returns the exit code as an outcome. With retry,
// the failed tasks that it picks are put back first.
func runJob(ctx context.Context, s Streams, o runOptions, retry *state.Filter) error {
	j, err := o.load(ctx)
	if err != nil {
		return err
	}
	if o.fresh {
		if err := j.CheckLists(true); err != nil {
			return err // before anything is forgotten
		}
	}
	tell, err := newTelling(s, j, o)
	if err != nil {
		return err
	}
	sum, err := runTold(ctx, s, o, retry, tell)
	tell.finish(sum, err)
	return err
}

func runTold(ctx context.Context, s Streams, o runOptions, retry *state.Filter, tell *telling) (*summary, error) {
	j, show, stderr := tell.job, tell.show, tell.stderr
	look, err := newWatcher(ctx, o, j, stderr)
	if err != nil {
		return nil, err
	}
	defer look.stop(nil, nil) // if the run does not get that far
	copies, err := newMirrors(o.mirror, o.target, j)
	if err != nil {
		return nil, err
	}
	follow, err := newFollower(ctx, j, o, show)
	if err != nil {
		return nil, err
	}
	if o.fresh {
		if err := state.Remove(ctx, o.statePath); err != nil {
			return nil, errors.Join(err, follow.close())
		}
	}
	defer collectLess()()
	ctx, stop := untilInterrupted(ctx, show, "stopping: requests in flight may finish (10 s at most)")
	defer stop()
	watch := func(p *crawl.Progress) {
		tell.watch(p)
		copies.start(o.target, p, tell.warn)
		follow.start()
		look.start(p, tell.warn)
	}
	options := crawl.Options{
		Job: j, Path: o.statePath, Version: Version, Rate: o.rate, Concurrency: o.concurrency, Limit: o.limit,
		Accept: o.accept, Retry: retry, Refresh: o.refresh, Tell: teller(s, j.Name, o.statePath), Watch: watch,
		Warn: tell.warn, Mirrors: copies.cursors(), Landed: tell.landed, Stdin: piped(s.In),
	}
	look.observe(&options)
	summary, err := crawl.Run(ctx, context.WithoutCancel(ctx), options)
	tell.stop()
	look.stop(summary, err)
	copies.stop()
	if err != nil {
		follow.leave()
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil, ended(exitInterrupted) // before the first request
	}
	if err != nil {
		copies.report(io.Discard, s.Err)
		return nil, err
	}
	sum := sumUp(ctx, j, o, summary, &tell.rows)
	sum.print(stderr, newScreen(stderr))
	copies.report(stderr, s.Err)
	if !sum.bare {
		sum.hints(stderr)
	}
	return sum, withSync(runCode(summary), follow.finish(ctx), s.Err)
}

// withSync is how a run ends whose records were to be sent on. That they were not is an error, unless the run itself has
// something to say that matters more.
func withSync(code int, err error, stderr io.Writer) error {
	switch {
	case err == nil:
		return ended(code)
	case code == exitComplete || code == exitSomeFailed:
		return err
	}
	fmt.Fprintf(stderr, "dogear: %v\n", err)
	return ended(code)
}
