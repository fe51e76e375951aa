package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"dogear/crawl"
	"dogear/crawl/job"
)

func newRefresh(s Streams) *cli.Command {
	return command(&cli.Command{
		Name: "refresh", Usage: "put done tasks of some age back and run: the hourly update", ArgsUsage: "JOB",
		Description: "Examples: dogear refresh products.yaml --older-than 1h\n          dogear refresh products.yaml --older-than 7d --match /product/ --no-run\n\n" +
			"The records stay until the new answers replace them.",
		Flags: append(runFlags(), olderFlag("when they were answered"),
			&cli.StringFlag{Name: "match", Usage: "only URLs that match `REGEX`"},
			&cli.BoolFlag{Name: "no-run", DisableDefaultText: true, Usage: "only put them back"}),
		Action: func(c *cli.Context) error {
			o, err := readRunFlags(c)
			if err != nil {
				return err
			}
			if o.refresh, err = readRefresh(c); err != nil {
				return err
			}
			// Without a state file there is nothing to refresh, and none should be made.
			store, err := o.open(c.Context)
			if err != nil {
				return err
			}
			store.Close()
			if c.Bool("no-run") {
				return putBackDone(c.Context, s, o)
			}
			return runJob(c.Context, s, o, nil)
		},
	})
}

func olderFlag(what string) cli.Flag {
	return &cli.StringFlag{Name: "older-than", Usage: "how long ago it is `AT_LEAST` " + what + ": 1h, 30d, 1d12h"}
}

// readOlder reads --older-than, which has to be given.
func readOlder(c *cli.Context) (time.Duration, error) {
	if !c.IsSet("older-than") {
		return 0, usagef("how old? dogear %s --older-than 30d (or 1h, 1d12h; 0s means all)", c.Command.FullName())
	}
	d, err := job.ParseDuration(c.String("older-than"))
	if err != nil || d < 0 {
		return 0, usagef("--older-than is written 1h, 30d or 1d12h, not %q", c.String("older-than"))
	}
	return d, nil
}

func readRefresh(c *cli.Context) (*crawl.Refresh, error) {
	older, err := readOlder(c)
	if err != nil {
		return nil, err
	}
	f, err := readFilter(c) // it has only --match here
	if err != nil {
		return nil, err
	}
	return &crawl.Refresh{OlderThan: older, Match: f.Match}, nil
}

func putBackDone(ctx context.Context, s Streams, o runOptions) error {
	j, err := o.load(ctx)
	if err != nil {
		return err
	}
	summary, err := crawl.Run(ctx, ctx, crawl.Options{Job: j, Path: o.statePath, Version: Version,
		Accept: o.accept, Refresh: o.refresh, NoFetch: true, Tell: teller(s, j.Name, o.statePath)})
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Err, "%s put back; `dogear run %s` fetches them\n", counted(summary.Refreshed, "done task"), shown(o.target))
	return nil
}
