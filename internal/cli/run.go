package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

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
	fresh       bool
	accept      bool   // rules other than those that the records were made by
	sync, dsn   string // where the records go as they come
	demo        bool   // the site is gone when the command ends: no hints at what to run next
}

func newRun(s Streams) *cli.Command {
	return command(&cli.Command{
		Name: "run", Usage: "start a job, or carry on with it", ArgsUsage: "JOB",
		Description: "Example: dogear run products.yaml\n\nAfter whatever ended the last run, the same command carries on.\n\n" +
			mirrorHelp + exitHelp,
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

func runFlags() []cli.Flag {
	return append([]cli.Flag{
		stateFlag(),
		&cli.StringFlag{Name: "rate", Usage: "requests per host: `5/s`, 300/m, 1000/h or none", DefaultText: "the job's"},
		&cli.StringFlag{Name: "concurrency", Usage: "`N` requests at the same time, or auto", DefaultText: "the job's"},
		&cli.Int64Flag{Name: "limit", Usage: "stop after `N` tasks", DefaultText: "none"},
		&cli.BoolFlag{Name: "accept", DisableDefaultText: true, Usage: "go on though the job's rules changed; records already kept stay as they are"},
		&cli.BoolFlag{Name: "quiet", DisableDefaultText: true, Aliases: []string{"q"}, Usage: "print errors only"},
		metricsFlag(),
	}, append(mirrorFlags(), syncFlags()...)...)
}

func readRunFlags(c *cli.Context) (runOptions, error) {
	t, err := find(c)
	if err != nil {
		return runOptions{}, err
	}
	o := runOptions{target: t, limit: c.Int64("limit"), quiet: c.Bool("quiet"), fresh: c.Bool("fresh"),
		accept: c.Bool("accept"), sync: c.String("sync"), dsn: c.String("dsn"), metrics: c.String("metrics")}
	if c.IsSet("metrics") && (o.metrics == "" || c.Bool("no-run")) {
		return o, usagef("--metrics takes an address, and goes with a run")
	}
	if o.mirror, err = readMirrors(c); err != nil {
		return o, err
	}
	if c.IsSet("limit") && o.limit < 1 {
		return o, usagef("--limit takes a number of 1 or more")
	}
	if c.IsSet("concurrency") {
		if o.concurrency, err = job.ParseConcurrency(c.String("concurrency")); err != nil {
			return o, usagef("--concurrency: %v", err)
		}
	}
	if text := c.String("rate"); text != "" {
		rate, err := job.ParseRate(text)
		if err != nil {
			return o, usagef("--rate: %v", err)
		}
		o.rate = &rate
	}
	return o, nil
}

// runJob runs a job to its end or to Ctrl-C, shows how it goes on stderr, and returns the exit code as an outcome. With
// retry, the failed tasks that it picks are put back first.
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
	stderr := s.Err
	if o.quiet {
		stderr = io.Discard
	}
	look, err := newWatcher(ctx, o, j, stderr)
	if err != nil {
		return err
	}
	defer look.stop(nil, nil) // if the run does not get that far
	copies, err := newMirrors(o.mirror, o.target, j)
	if err != nil {
		return err
	}
	show := newDisplay(j.Name, stderr)
	follow, err := newFollower(ctx, j, o, show)
	if err != nil {
		return err
	}
	if o.fresh {
		if err := state.Remove(ctx, o.statePath); err != nil {
			return errors.Join(err, follow.close())
		}
	}
	// Most of the garbage is short-lived: collecting it half as often costs 7 MB at 64 workers and saves a tenth of the CPU.
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(200))
	}
	ctx, stop := untilInterrupted(ctx, stderr, "stopping: requests in flight may finish (10 s at most)")
	defer stop()
	warn := func(text string) { fmt.Fprintf(show, "%s: %s\n", j.Name, visible(text)) }
	watch := func(p *crawl.Progress) {
		show.watch(p)
		copies.start(o.target, p, warn)
		follow.start()
		look.start(p, warn)
	}
	options := crawl.Options{
		Job: j, Path: o.statePath, Version: Version, Rate: o.rate, Concurrency: o.concurrency, Limit: o.limit, Accept: o.accept,
		Retry: retry, Refresh: o.refresh, Tell: teller(s, j.Name, o.statePath), Watch: watch, Warn: warn,
		Mirrors: copies.cursors(), Stdin: piped(s.In),
	}
	look.observe(&options)
	summary, err := crawl.Run(ctx, context.WithoutCancel(ctx), options)
	show.stop()
	look.stop(summary, err)
	copies.stop()
	if err != nil {
		follow.leave()
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return ended(exitInterrupted) // before the first request
	}
	if err != nil {
		copies.report(io.Discard, s.Err)
		return err
	}
	report(stderr, j, o, summary)
	copies.report(stderr, s.Err)
	if !o.demo {
		hints(stderr, o.target, summary)
	}
	return withSync(runCode(summary), follow.finish(ctx), s.Err)
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

func runCode(s *crawl.Summary) int {
	switch {
	case s.Ended == state.Interrupted:
		return exitInterrupted
	case s.Failing != nil:
		return exitStopped
	case s.Ended == state.Finished && s.Counts.Failed > 0, s.Tally.Failed > 0:
		return exitSomeFailed
	}
	return exitComplete
}

// report says what the run came to.
func report(w io.Writer, j *job.Job, o runOptions, s *crawl.Summary) {
	did := s.Tally.Done + s.Tally.Failed
	if s.Ended == state.Finished && did == 0 && !s.Found.New {
		fmt.Fprintf(w, "%s is complete: %s done, %s failed; nothing was fetched\n", j.Name, count(s.Counts.Done), count(s.Counts.Failed))
		return
	}
	fmt.Fprintf(w, "%s %s: %s done, %s failed, %s left; this run: %s in %s%s\n", j.Name, s.Ended, count(s.Counts.Done),
		count(s.Counts.Failed), count(s.Counts.Left()), counted(did, "task"), round(s.Took), perSecond(did, s.Took))
	fmt.Fprintf(w, "  %s, %s, %s retried, %s read; all of it is in %s\n", counted(s.Tally.Records, "record"),
		counted(s.Tally.Rejects, "reject"), counted(s.Tally.Retried, "attempt"), size(s.Tally.Bytes), o.statePath)
	for _, u := range s.Unfilled {
		fmt.Fprintf(w, "  %s\n", visible(u.String()))
	}
	if s.Dropped > 0 {
		fmt.Fprintf(w, "  limits.tasks (%s) was reached: up to %s links or start values were left out\n", count(j.Limits.Tasks), count(s.Dropped))
	}
	if s.Deep.Links > 0 {
		fmt.Fprintf(w, "  limits.depth (%d) was reached, first on %s: up to %s links were left out\n", j.Limits.Depth,
			visible(s.Deep.URL), count(s.Deep.Links))
	}
}

// stopped says why a run stopped by itself, and what to do.
func stopped(w io.Writer, name string, f *crawl.Failing) {
	fmt.Fprintf(w, "  %s of the last %s failed, more than limits.failures (%v%%) allows: %s\n"+
		"  dogear try %s           fetches one page and shows what is wrong; limits: {failures: 90%%} in the job would go on\n",
		count(int64(f.Failed)), counted(int64(f.Of), "task"), f.Limit*100, visible(f.String()), name)
}

// hints says what could be done next.
func hints(w io.Writer, t target, s *crawl.Summary) {
	name := shown(t)
	if s.Failing != nil {
		stopped(w, name, s.Failing)
	}
	if s.Counts.Failed > 0 {
		fmt.Fprintf(w, "  dogear failures %s      what failed and why\n  dogear retry %s         try those again\n", name, name)
	}
	switch {
	case s.Counts.Left() > 0:
		fmt.Fprintf(w, "  dogear run %s           carries on\n", name)
	case s.Tally.Done == 0:
		fmt.Fprintf(w, "  dogear refresh %s --older-than 1d   fetches again what is older than a day\n", name)
		fmt.Fprintf(w, "  dogear run --fresh %s   forgets everything and starts over\n", name)
	}
}
