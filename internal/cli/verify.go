package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"dogear/crawl/job"
	"dogear/state"
)

// maxLookedAt is how many values ahead in a start are named; what is beyond is only counted.
const maxLookedAt = 1_000_000

// verifyReport is what `verify` found; with --json it is printed as it is.
type verifyReport struct {
	Job      string `json:"job"`
	State    string `json:"state"`
	Complete bool   `json:"complete"` // nothing is missing or failed
	Running  bool   `json:"running"`
	Expected int64  `json:"expected"` // every task there is, and every value of a start that is none yet
	Done     int64  `json:"done"`
	Gone     int64  `json:"gone"`    // failed, because the site says that there is no such page: 404 or 410
	Failed   gap    `json:"failed"`  // otherwise
	Missing  gap    `json:"missing"` // pending, put off, in flight, or ahead in a start
}

func newVerify(s Streams) *cli.Command {
	return command(&cli.Command{
		Name: "verify", Usage: "is it complete? what is missing, as ranges", ArgsUsage: "JOB",
		Description: "Example: dogear verify products.yaml\n\nExit code 0 when nothing is missing and nothing failed " +
			"but for pages that are gone (404, 410);\n3 otherwise; 1 when the state file is damaged, all of which is checked.",
		Flags: []cli.Flag{stateFlag(), &cli.BoolFlag{Name: "json", DisableDefaultText: true, Usage: "one JSON object"}},
		Action: func(c *cli.Context) error {
			t, err := find(c)
			if err != nil {
				return err
			}
			r, err := verify(c.Context, t)
			if err != nil {
				return err
			}
			if err := r.write(s.Out, c.Bool("json")); err != nil {
				return err
			}
			if !r.Complete {
				return ended(exitSomeFailed)
			}
			return nil
		},
	})
}

func verify(ctx context.Context, t target) (*verifyReport, error) {
	j, err := t.load(ctx)
	if err != nil {
		return nil, err
	}
	store, err := t.open(ctx)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	if err := store.Check(ctx); err != nil {
		return nil, err
	}
	r := &verifyReport{Job: j.Name, State: t.statePath, Running: store.Running()}
	if err := store.Snapshot(ctx, func(s *state.Store) error { return r.read(ctx, s, j) }); err != nil {
		return nil, err
	}
	r.Failed.settle()
	r.Missing.settle()
	r.Expected = r.Done + r.Gone + r.Failed.Tasks + r.Missing.Tasks
	r.Complete = r.Failed.Tasks+r.Missing.Tasks == 0
	return r, nil
}

// read fills the report in from one moment of the file. Only what is not done is read row by row.
func (r *verifyReport) read(ctx context.Context, s *state.Store, j *job.Job) error {
	p, err := s.Progress(ctx)
	if err != nil {
		return err
	}
	r.Done = p.Done
	err = s.EachFailed(ctx, state.Filter{}, func(f state.FailedTask) error {
		if f.Kind == "client" && f.Status != nil && (*f.Status == 404 || *f.Status == 410) {
			r.Gone++
		} else {
			r.Failed.add(f.URL, j.Params(f.URL, f.Body))
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = s.EachUnfinished(ctx, func(url, body string) error {
		r.Missing.add(url, j.Params(url, body))
		return nil
	})
	if err != nil {
		return err
	}
	return r.readAhead(ctx, s, j)
}

// readAhead adds the values of the job's starts that are no tasks yet: by the job as it is now, not as it last ran.
func (r *verifyReport) readAhead(ctx context.Context, s *state.Store, j *job.Job) error {
	marks, err := s.Marks(ctx)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	look := int64(maxLookedAt)
	for i := range j.Starts {
		start := &j.Starts[i]
		cursor := marks[start.Entry()].Cursor
		if seen[start.Entry()] {
			continue
		}
		seen[start.Entry()] = true
		if start.List() != nil {
			if err := r.readList(ctx, s, j, start.List(), marks[start.Entry()], &look); err != nil {
				return err
			}
			continue
		}
		for ; cursor < start.Total() && look > 0 && r.room(j) > 0; cursor++ {
			look--
			q := start.Request(cursor)
			// An earlier start may have yielded it, a page may have led to it, or it was imported.
			if known, err := s.Known(ctx, q); err != nil {
				return err
			} else if known {
				continue
			}
			r.Missing.add(q.URL, j.Params(q.URL, q.Body))
		}
		r.Missing.Tasks += max(0, min(start.Total()-cursor, r.room(j)))
	}
	return nil
}

// room is how many tasks more limits.tasks lets the job have.
func (r *verifyReport) room(j *job.Job) int64 {
	if j.Limits.Tasks == 0 {
		return 1<<63 - 1
	}
	return max(0, j.Limits.Tasks-r.Done-r.Gone-r.Failed.Tasks-r.Missing.Tasks)
}

func (r *verifyReport) write(w io.Writer, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		return e.Encode(r)
	}
	answer := "complete"
	if !r.Complete {
		answer = "not complete"
	}
	if r.Running {
		answer += ", a run is working on it"
	}
	fmt.Fprintf(w, "%s: %s\n\nexpected %s   done %s   gone %s   failed %s   missing %s\n", r.Job, answer, count(r.Expected), count(r.Done),
		count(r.Gone), count(r.Failed.Tasks), count(r.Missing.Tasks))
	r.Failed.print(w, "failed")
	return r.Missing.print(w, "missing")
}

// print shows what is lacking, an item a line.
func (g *gap) print(w io.Writer, name string) (err error) {
	if g.Tasks == 0 {
		return nil
	}
	_, err = fmt.Fprintf(w, "\n%s:\n", name)
	for _, v := range g.Ranges {
		_, err = fmt.Fprintf(w, "  %s\n", visible(v.String()))
	}
	for _, url := range g.URLs {
		_, err = fmt.Fprintf(w, "  %s\n", visible(url))
	}
	if g.More > 0 {
		_, err = fmt.Fprintf(w, "  and %s more\n", count(g.More))
	}
	return err
}
