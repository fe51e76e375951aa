package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"dogear/crawl/job"
	"dogear/export"
	"dogear/schema"
)

func newExport(s Streams) *cli.Command {
	return command(&cli.Command{
		Name: "export", Usage: "send records and progress elsewhere", ArgsUsage: "mysql|redis|json|jsonl|csv JOB",
		Description: "Examples: dogear export csv products.yaml --out products.csv\n" +
			"          dogear export mysql products.yaml\n" +
			"          dogear export json products.yaml --out checkpoint.json\n" +
			"          dogear export redis products.yaml --url redis://127.0.0.1:6379/0",
		Flags: []cli.Flag{},
		Action: func(c *cli.Context) error {
			return usagef("export as what? dogear export mysql|redis|json|jsonl|csv JOB")
		},
		Subcommands: []*cli.Command{
			newExportMySQL(s), newExportRedis(s), newExportJSON(s),
			newExportRecords(s, export.JSONL, "one JSON object a line"),
			newExportRecords(s, export.CSV, "CSV as in RFC 4180"),
		},
	})
}

func newExportRecords(s Streams, f export.Format, usage string) *cli.Command {
	example := "dogear export " + string(f) + " products.yaml --out products." + string(f)
	return command(&cli.Command{
		Name: string(f), Usage: usage, ArgsUsage: "JOB",
		Description: "Examples: " + example + "\n          " + example + " --since 1042    what changed since\n\n" +
			"Every export to a file, and every one with --since, says on stderr what to give --since the next time.",
		Flags: append(csvFlags(f),
			stateFlag(),
			&cli.Int64Flag{Name: "since", Usage: "only records that changed after this `SEQ`, which the export before said", DefaultText: "0: all"},
			&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Value: "-", Usage: "write to `FILE`, whole or not at all; - is stdout"},
			&cli.StringFlag{Name: "table", Usage: "the record `TABLE`, when the job has several"},
		),
		Action: func(c *cli.Context) error { return exportRecords(c, s, f) },
	})
}

func csvFlags(f export.Format) []cli.Flag {
	if f != export.CSV {
		return nil
	}
	return []cli.Flag{
		&cli.BoolFlag{Name: "bom", DisableDefaultText: true, Usage: "begin with a byte order mark, so that Excel shows Chinese"},
		&cli.BoolFlag{Name: "safe", DisableDefaultText: true, Usage: "put ' before texts that a spreadsheet would take for a formula: = + - @"},
	}
}

func exportRecords(c *cli.Context, s Streams, f export.Format) error {
	o := export.RecordsOptions{Format: f, Since: c.Int64("since"), BOM: c.Bool("bom"), Safe: c.Bool("safe")}
	if o.Since < 0 {
		return usagef("--since is the number that the export before said, or 0 for all")
	}
	t, err := find(c)
	if err != nil {
		return err
	}
	j, err := t.load(c.Context)
	if err != nil {
		return err
	}
	table, err := pickTable(j, c.String("table"))
	if err != nil {
		return err
	}
	store, err := t.open(c.Context)
	if err != nil {
		return err
	}
	defer store.Close()
	var n export.Written
	write := func(w io.Writer) (err error) {
		n, err = export.Records(c.Context, store, table, o, w)
		return err
	}
	out := c.String("out")
	if out == "-" {
		err = write(s.Out)
	} else {
		err = export.ToFile(out, write)
	}
	if errors.Is(err, export.ErrStartedOver) {
		return fmt.Errorf("%w: --since %d is from before, export without it", err, o.Since)
	}
	if err != nil || out == "-" && !c.IsSet("since") {
		return err
	}
	fmt.Fprintf(s.Err, "%s of %s in %s; the next time --since %d has what changed\n", counted(n.Records, "record"), table.Name, shownOut(out), n.Last)
	return nil
}

func shownOut(out string) string {
	if out == "-" {
		return "stdout"
	}
	return out
}

func pickTable(j *job.Job, name string) (*schema.Table, error) {
	tables := j.Tables()
	var names []string
	for _, t := range tables {
		if t.Name == name || name == "" && len(tables) == 1 {
			return t, nil
		}
		names = append(names, t.Name)
	}
	switch {
	case len(tables) == 0:
		return nil, usagef("job %s keeps no records", j.Name)
	case name == "":
		return nil, usagef("which table? --table %s", strings.Join(names, "|"))
	}
	return nil, usagef("job %s has no table %q, only %s", j.Name, name, strings.Join(names, ", "))
}
