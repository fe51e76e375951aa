package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"dogear/crawl/job"
	"dogear/export"
	"dogear/schema"
	"dogear/state"
)

const jsonHelp = `Examples: dogear export json products.yaml --out checkpoint.json
          dogear export json products.yaml --records > all.json

Writes {"current_page", "finished_urls", "fail_urls", "update_time"}. current_page is the lowest number of the
job's id or page range that is not done (the one after the last when all are; null for a job without a range),
update_time is ISO 8601 with its offset. FILE is replaced whole or not at all, under a lock on FILE.lock.`

func newExportJSON(s Streams) *cli.Command {
	return command(&cli.Command{
		Name: "json", Usage: "the checkpoint: finished and fail URLs and where to go on", ArgsUsage: "JOB",
		Description: jsonHelp,
		Flags: []cli.Flag{
			stateFlag(),
			&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Value: "-", Usage: "write to `FILE`; - is stdout"},
			&cli.BoolFlag{Name: "records", DisableDefaultText: true,
				Usage: "the records too, as \"records\": {\"TABLE\": [{…}, …]}"},
		},
		Action: func(c *cli.Context) error { return exportJSON(c, s) },
	})
}

func exportJSON(c *cli.Context, s Streams) error {
	t, err := find(c)
	if err != nil {
		return err
	}
	j, err := t.load(c.Context)
	if err != nil {
		return err
	}
	store, err := t.open(c.Context)
	if err != nil {
		return err
	}
	defer store.Close()
	var tables []*schema.Table
	if c.Bool("records") {
		tables = j.Tables()
	}
	write := func(w io.Writer) error {
		return store.Snapshot(c.Context, func(s *state.Store) error {
			return checkpointOf(j).JSON(c.Context, s, tables, time.Now(), w)
		})
	}
	out := c.String("out")
	if out == "-" {
		return write(s.Out)
	}
	if err := export.ToFileInTurn(c.Context, out, write); err != nil {
		return err
	}
	fmt.Fprintf(s.Err, "the checkpoint of %s is in %s\n", j.Name, out)
	return nil
}

// checkpointOf is what export has to know of a job.
func checkpointOf(j *job.Job) *export.Checkpoint {
	c := &export.Checkpoint{Job: j.Name, Page: func(ctx context.Context, s *state.Store) (*int64, error) {
		return currentPage(ctx, s, j)
	}}
	if r, ok := j.Range(); ok {
		c.Value = func(url string) (int64, bool) { return r.Value(url, "") }
	}
	return c
}
