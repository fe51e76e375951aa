package cli

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"dogear/crawl"
	"dogear/state"
)

func newRetry(s Streams) *cli.Command {
	return command(&cli.Command{
		Name: "retry", Usage: "put failed tasks back and run", ArgsUsage: "JOB",
		Description: "Examples: dogear retry products.yaml\n          dogear retry products.yaml --kind timeout --no-run",
		Flags:       append(append(runFlags(), filterFlags()...), &cli.BoolFlag{Name: "no-run", DisableDefaultText: true, Usage: "only put them back"}),
		Action: func(c *cli.Context) error {
			o, err := readRunFlags(c)
			if err != nil {
				return err
			}
			// Without a state file there is nothing to retry, and none should be made.
			store, err := o.open(c.Context)
			if err != nil {
				return err
			}
			store.Close()
			filter, err := readFilter(c)
			if err != nil {
				return err
			}
			if c.Bool("no-run") {
				return putBack(c.Context, s, o, filter)
			}
			return runJob(c.Context, s, o, &filter)
		},
	})
}

func putBack(ctx context.Context, s Streams, o runOptions, filter state.Filter) error {
	j, err := o.load(ctx)
	if err != nil {
		return err
	}
	summary, err := crawl.Run(ctx, ctx, crawl.Options{
		Job: j, Path: o.statePath, Version: Version, Accept: o.accept, Retry: &filter, NoFetch: true,
		Tell: teller(s, j.Name, o.statePath),
		Warn: func(text string) { fmt.Fprintf(s.Err, "%s: %s\n", j.Name, text) },
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Err, "%s put back; `dogear run %s` fetches them\n", counted(summary.Retried, "failed task"), shown(o.target))
	return nil
}
