package cli

import (
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
		Name: "export", Usage: "send the records elsewhere", ArgsUsage: "jsonl|csv JOB",
		Description: "Example: dogear export csv products.yaml --out products.csv",
		Flags:       []cli.Flag{},
		Action: func(c *cli.Context) error {
			return usagef("export as what? dogear export jsonl|csv JOB")
		},
		Subcommands: []*cli.Command{newExportRecords(s, export.JSONL, "one JSON object a line"), newExportRecords(s, export.CSV, "CSV as in RFC 4180")},
	})
}

func newExportRecords(s Streams, f export.Format, usage string) *cli.Command {
	return command(&cli.Command{
		Name: string(f), Usage: usage, ArgsUsage: "JOB",
		Flags: []cli.Flag{
			stateFlag(),
			&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Value: "-", Usage: "write to `FILE`, whole or not at all; - is stdout"},
			&cli.StringFlag{Name: "table", Usage: "the record `TABLE`, when the job has several"},
		},
		Action: func(c *cli.Context) error { return exportRecords(c, s, f) },
	})
}

func exportRecords(c *cli.Context, s Streams, f export.Format) error {
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
	var n int64
	write := func(w io.Writer) (err error) {
		n, err = export.Records(c.Context, store, table, f, w)
		return err
	}
	out := c.String("out")
	if out == "-" {
		return write(s.Out)
	}
	if err := export.ToFile(out, write); err != nil {
		return err
	}
	fmt.Fprintf(s.Err, "%s of %s in %s\n", counted(n, "record"), table.Name, out)
	return nil
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
