package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"dogear/crawl"
	"dogear/state"
)

// How much of a page `try` shows.
const (
	tryRecords = 10
	tryLinks   = 20
	tryCell    = 60 // characters
)

func newTry(s Streams) *cli.Command {
	return command(&cli.Command{
		Name: "try", Usage: "fetch one page and show what the job makes of it; writes nothing", ArgsUsage: "JOB [URL]",
		Description: "Example: dogear try shop.yaml https://shop.example/item/7 --as product",
		Flags:       []cli.Flag{&cli.StringFlag{Name: "as", Usage: "the `KIND` of page that the URL brings, when the job has several"}},
		Action: func(c *cli.Context) error {
			if n := c.Args().Len(); n < 1 || n > 2 {
				return usagef("dogear try JOB [URL]")
			}
			j, err := locate(c.Args().First(), "").load(c.Context)
			if err != nil {
				return err
			}
			warn := func(text string) { fmt.Fprintf(s.Err, "%s: %s\n", j.Name, visible(text)) }
			tried, err := crawl.Try(c.Context, crawl.Options{Job: j, Version: Version, Warn: warn}, c.Args().Get(1), c.String("as"))
			if err != nil {
				return err
			}
			var text bytes.Buffer
			printTried(&text, tried)
			if _, err := s.Out.Write(text.Bytes()); err != nil {
				return err
			}
			if tried.Outcome.State != state.Done {
				return ended(exitError)
			}
			return nil
		},
	})
}

func printTried(w io.Writer, t *crawl.Tried) {
	o := &t.Outcome
	fmt.Fprintf(w, "request   %s %s\n", o.Task.Method, visible(o.Task.URL))
	if t.Page != nil {
		fmt.Fprintf(w, "answer    %d, %s in %s, %s\n", t.Page.Status, size(t.Page.Size), round(t.Page.Took), visible(t.Page.ContentType))
		if o.FinalURL != "" {
			fmt.Fprintf(w, "final url %s\n", visible(o.FinalURL))
		}
		if t.Page.Charset != "" {
			fmt.Fprintf(w, "charset   %s (from %s)\n", t.Page.Charset, t.Page.CharsetFrom)
		}
	}
	fmt.Fprintf(w, "page      %s\n", t.Kind.Name)
	if o.State != state.Done {
		fmt.Fprintf(w, "FAILED    %s: %s\n", o.Kind, visible(o.Error))
	}
	printRecords(w, o)
	for _, r := range o.Rejects {
		fmt.Fprintf(w, "\nrejected from %s: %s: %s\n  %s\n", r.Table, r.Field, visible(r.Reason), visible(r.Raw))
	}
	printLinks(w, o)
}

func printRecords(w io.Writer, o *state.Outcome) {
	fmt.Fprintf(w, "\n%s\n", counted(int64(len(o.Rows)), "record"))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for n, row := range o.Rows[:min(len(o.Rows), tryRecords)] {
		fmt.Fprintf(t, "\n%s %d\t\t\n", row.Table.Name, n+1)
		for i := range row.Table.Fields {
			f := &row.Table.Fields[i]
			value := "NULL"
			if row.Values[i] != nil {
				value = visible(row.Table.Text(i, row.Values[i]))
			}
			fmt.Fprintf(t, "  %s\t%s\t%s\n", f.Name, f.Type, cut(value))
		}
	}
	t.Flush()
	if more := len(o.Rows) - tryRecords; more > 0 {
		fmt.Fprintf(w, "\n… and %d more\n", more)
	}
}

func printLinks(w io.Writer, o *state.Outcome) {
	if len(o.Links) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", counted(int64(len(o.Links)), "link"))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, l := range o.Links[:min(len(o.Links), tryLinks)] {
		fmt.Fprintf(t, "  %s\t%s\n", l.Page, visible(l.URL))
	}
	t.Flush()
	if more := len(o.Links) - tryLinks; more > 0 {
		fmt.Fprintf(w, "  … and %d more\n", more)
	}
}

// cut shortens a value to what a line can show.
func cut(s string) string {
	if utf8.RuneCountInString(s) <= tryCell {
		return s
	}
	return strings.TrimSpace(string([]rune(s)[:tryCell-1])) + "…"
}
