package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"dogear/state"
)

// statusReport is what `status` knows; with --json it is printed as it is.
type statusReport struct {
	Job   string `json:"job"`
	State string `json:"state"`
	state.Progress
	state.WAL
	Complete bool                 `json:"complete"`
	Running  bool                 `json:"running"`
	Records  []state.TableCount   `json:"records"`
	Fields   []state.FieldCount   `json:"fields"` // of those tables that the job has; null: the file is older than that
	Rejects  int64                `json:"rejects"`
	Reasons  []state.RejectGroup  `json:"reject_reasons"` // the most frequent
	Kept     state.KeptPages      `json:"kept_pages"`
	Failures []state.FailureGroup `json:"failures"`
	Runs     []state.RunInfo      `json:"runs"` // the newest first

	declared map[string]bool // by fieldID, the fields of the job; nil: they are not known
}

func newStatus(s Streams) *cli.Command {
	return command(&cli.Command{
		Name: "status", Usage: "show progress, rate, ETA, failures and runs", ArgsUsage: "JOB",
		Description: "Examples: dogear status products.yaml\n          dogear status products.yaml --watch\n\n" +
			"Reading never disturbs a run.",
		Flags: []cli.Flag{
			stateFlag(), &cli.BoolFlag{Name: "json", DisableDefaultText: true, Usage: "one JSON object"},
			&cli.BoolFlag{Name: "watch", DisableDefaultText: true, Aliases: []string{"w"},
				Usage: "on a terminal: show it every second, until the run ends, or Ctrl-C"},
		},
		Action: func(c *cli.Context) error {
			t, err := find(c)
			if err != nil {
				return err
			}
			switch {
			case c.Bool("watch") && c.Bool("json"):
				return usagef("--watch is for people; for a program, run `dogear status --json %s` now and then",
					shown(t))
			case c.Bool("watch"):
				return watchStatus(c.Context, s, t)
			}
			r, err := readStatus(c.Context, t)
			if err != nil {
				return err
			}
			if c.Bool("json") {
				e := json.NewEncoder(s.Out)
				e.SetIndent("", "  ")
				e.SetEscapeHTML(false)
				return e.Encode(r)
			}
			return r.print(s.Out)
		},
	})
}

func readStatus(ctx context.Context, t target) (*statusReport, error) {
	store, err := t.open(ctx)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	r := &statusReport{State: t.statePath, Running: store.Running()}
	r.declared = declaredFields(ctx, t)
	if r.WAL, err = store.WAL(ctx); err != nil {
		return nil, err
	}
	return r, store.Snapshot(ctx, func(s *state.Store) error { return r.read(ctx, s) })
}

// read fills the report in from one moment of the file: its numbers agree with each other.
func (r *statusReport) read(ctx context.Context, s *state.Store) error {
	kept, err := s.Job(ctx)
	if err != nil {
		return err
	}
	r.Job = kept.Name
	if r.Progress, err = s.Progress(ctx); err != nil {
		return err
	}
	r.Complete = r.Progress.Complete()
	if r.Records, r.Rejects, err = s.RecordCounts(ctx); err != nil {
		return err
	}
	if err := r.readFields(ctx, s); err != nil {
		return err
	}
	if r.Kept, err = s.KeptPages(ctx); err != nil {
		return err
	}
	if r.Failures, err = s.FailureGroups(ctx); err != nil {
		return err
	}
	r.Runs, err = s.Runs(ctx, 5)
	return err
}

func (r *statusReport) print(w io.Writer) error {
	first := fmt.Sprintf("%s: %.1f%% of %s tasks finished", r.Job, r.Percent, count(r.Total))
	switch {
	case r.Complete:
		first += ", complete"
	case !r.Running:
		first += ", no run is working on it"
	case r.ETA != nil:
		left := time.Duration(*r.ETA) * time.Second
		first += fmt.Sprintf(", %s/s over the last minute, ETA %s", speed(r.PerSecond), left)
	}
	fmt.Fprintf(w, "%s\n\ndone %s   failed %s   in flight %s   pending %s\n", newScreen(w).wrap(first, 0),
		count(r.Done), count(r.Failed), count(r.InFlight), count(r.Pending))
	r.printRecords(w)
	printKept(w, r.Kept)
	if r.Over() {
		fmt.Fprintln(w, visible(r.WAL.String()))
	}
	r.printFields(w)
	r.printRejects(w)
	printGroups(w, r.Failures)
	return r.printRuns(w)
}

func printGroups(w io.Writer, groups []state.FailureGroup) {
	if len(groups) == 0 {
		return
	}
	fmt.Fprintln(w)
	t := newTable(w)
	fmt.Fprintln(t, "FAILED\tKIND\tSTATUS\tLAST AT (UTC)\tFOR EXAMPLE")
	for _, g := range groups {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s  %s\n", count(g.Tasks), g.Kind, statusText(g.Status), g.LastAt, visible(g.ExampleURL), visible(g.ExampleError))
	}
	t.Flush()
}

func (r *statusReport) printRuns(w io.Writer) error {
	fmt.Fprintln(w)
	t := newTable(w)
	fmt.Fprintln(t, "RUN\tSTARTED\tTOOK\tENDED\tDONE\tFAILED\tRETRIED\tRECORDS\tPID\tHOST")
	for _, run := range r.Runs {
		until := run.Heartbeat
		if run.EndedAt != nil {
			until = *run.EndedAt
		}
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%s\n", run.ID, run.StartedAt.Local().Format("2006-01-02 15:04:05"),
			round(until.Sub(run.StartedAt)), run.Ended, count(run.Done), count(run.Failed), count(run.Retried), count(run.Records), run.PID, run.Host)
	}
	return t.Flush()
}

// newTable aligns columns; on a terminal its lines end where that does.
func newTable(w io.Writer) *tabwriter.Writer {
	if s := newScreen(w); s.terminal {
		w = &cutLines{w: w, width: s.width}
	}
	return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
}

// cutLines cuts lines to a width. What comes after the last line end is lost.
type cutLines struct {
	w     io.Writer
	width int
	rest  []byte
}

func (c *cutLines) Write(text []byte) (int, error) {
	c.rest = append(c.rest, text...)
	for {
		line, rest, whole := bytes.Cut(c.rest, []byte("\n"))
		if !whole {
			return len(text), nil
		}
		if _, err := fmt.Fprintln(c.w, fit(strings.TrimRight(string(line), " "), c.width)); err != nil {
			return 0, err
		}
		c.rest = rest
	}
}

func statusText(status *int) string {
	if status == nil {
		return "-"
	}
	return fmt.Sprint(*status)
}

// visible takes out of a stranger's text what would move the cursor, recolour a terminal or turn the line around:
// control characters, line separators, and the marks and overrides of bidirectional text.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < ' ', r >= 0x7f && r < 0xa0, r == 0x2028, r == 0x2029:
			return '\uFFFD'
		case r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return '\uFFFD'
		}
		return r
	}, s)
}
