package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"dogear/crawl"
	"dogear/crawl/job"
	"dogear/state"
)

func newExtract(s Streams) *cli.Command {
	return command(&cli.Command{
		Name: "extract", Usage: "run changed rules over kept pages, without a request", ArgsUsage: "JOB",
		Description: "Examples: dogear extract shop.yaml --dry-run\n          dogear extract shop.yaml\n\n" +
			"For pages with `keep: body` in the job. Their records, rejects, failures and links become what the job's rules\n" +
			"make of them now, and what changed is printed. Interrupted, the same command does it all again.\n\n" + exitHelp,
		Flags: []cli.Flag{
			stateFlag(),
			&cli.BoolFlag{Name: "dry-run", DisableDefaultText: true, Usage: "print what would change, and write nothing"},
			&cli.BoolFlag{Name: "quiet", DisableDefaultText: true, Aliases: []string{"q"},
				Usage: "print the result and errors only"},
		},
		Action: func(c *cli.Context) error {
			t, err := find(c)
			if err != nil {
				return err
			}
			return extractJob(c.Context, s, t, c.Bool("dry-run"), c.Bool("quiet"))
		},
	})
}

func extractJob(ctx context.Context, s Streams, t target, dry, quiet bool) error {
	j, err := t.load(ctx)
	if err != nil {
		return err
	}
	if err := anyKept(ctx, t, j); err != nil {
		return err
	}
	show := newExtracting(j.Name, s.Err, quiet)
	ctx, stop := untilInterrupted(ctx, show, "stopping after the pages at hand")
	defer stop()
	r, err := crawl.ReadAgain(ctx, crawl.RereadOptions{
		Job: j, Path: t.statePath, Version: Version, Dry: dry, Tell: teller(s, j.Name, t.statePath), Watch: show.watch,
	})
	show.stop()
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return ended(exitInterrupted) // before the first page
	}
	var key *state.KeyError
	if errors.As(err, &key) {
		return key
	}
	if err != nil {
		return err
	}
	printDamagedPages(s.Err, j.Name, r)
	if r.Ended != state.Finished {
		fmt.Fprintf(s.Err, "%s: interrupted after %s; `dogear extract %s` does it all again\n",
			j.Name, counted(r.Pages, "page"), shown(t))
		return ended(exitInterrupted)
	}
	return printExtracted(s.Out, t, j, r, dry)
}

// anyKept refuses a job that has no kept pages, before its rules become those of the file.
func anyKept(ctx context.Context, t target, j *job.Job) error {
	store, err := t.open(ctx)
	if err != nil {
		return err
	}
	defer store.Close()
	kept, err := store.KeptPages(ctx)
	if err != nil || kept.Pages > 0 {
		return err
	}
	for i := range j.Pages {
		if j.Pages[i].Keep {
			return usagef("%s has no kept pages yet: those that are fetched from now on are kept; "+
				"`dogear refresh %s --older-than 0s` fetches all again", t.statePath, shown(t))
		}
	}
	return usagef("%s keeps no pages, so there is nothing to extract from: give its pages keep: body, "+
		"which keeps those that are fetched from then on", shown(t))
}
