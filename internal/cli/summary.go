package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"dogear/crawl"
	"dogear/crawl/job"
	"dogear/state"
)

// summary is what is said of a run when it is over.
type summary struct {
	*crawl.Summary
	name     string // of the job
	target   target
	tables   []state.TableCount   // the records of this run, by table
	failures []state.FailureCount // of the whole job
	limits   job.Limits
	bare     bool // the job can't be run again: no commands
}

// sumUp adds what the engine does not count. That the file can't be read now is no reason to say less of the run.
func sumUp(ctx context.Context, j *job.Job, o runOptions, s *crawl.Summary, rows *rowCount) *summary {
	sum := &summary{
		Summary: s, name: j.Name, target: o.target, tables: rows.tables(j), limits: j.Limits, bare: o.demo,
	}
	if s.Counts.Failed == 0 {
		return sum
	}
	store, err := o.open(context.WithoutCancel(ctx))
	if err != nil {
		return sum
	}
	defer store.Close()
	sum.failures, _ = store.FailureCounts(context.WithoutCancel(ctx))
	return sum
}

// rowCount counts the records of a run by table. The engine's goroutine counts; who reads waits for its end.
type rowCount map[string]int64

func (r *rowCount) landed(outcomes []state.Outcome) {
	if *r == nil {
		*r = rowCount{}
	}
	for i := range outcomes {
		rows := outcomes[i].Rows
		for k := 0; k < len(rows); {
			table, first := rows[k].Table, k
			for k < len(rows) && rows[k].Table == table {
				k++
			}
			(*r)[table.Name] += int64(k - first)
		}
	}
}

// tables has all tables of the job, in its order.
func (r *rowCount) tables(j *job.Job) []state.TableCount {
	all := []state.TableCount{}
	for _, t := range j.Tables() {
		if !slices.ContainsFunc(all, func(c state.TableCount) bool { return c.Table == t.Name }) {
			all = append(all, state.TableCount{Table: t.Name, Records: (*r)[t.Name]})
		}
	}
	return all
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

// did is how many tasks the run finished.
func (s *summary) did() int64 { return s.Tally.Done + s.Tally.Failed }

// idle reports whether there was nothing to do any more.
func (s *summary) idle() bool { return s.Ended == state.Finished && s.did() == 0 && !s.Found.New }

// print says what the run came to, for a screen that w is or is not.
func (s *summary) print(w io.Writer, p screen) {
	if s.idle() {
		fmt.Fprintf(w, "%s is complete: %s done, %s failed; nothing was fetched\n",
			s.name, count(s.Counts.Done), count(s.Counts.Failed))
		s.printFailures(w, p)
		return
	}
	first := fmt.Sprintf("%s %s: %s done, %s failed, %s left; this run: %s in %s%s",
		s.name, s.Ended, count(s.Counts.Done), count(s.Counts.Failed), count(s.Counts.Left()),
		counted(s.did(), "task"), round(s.Took), perSecond(s.did(), s.Took))
	fmt.Fprintln(w, p.painted(p.wrap(first, 0), s.colours()))
	line := func(format string, args ...any) { fmt.Fprintf(w, "  %s\n", p.wrap(fmt.Sprintf(format, args...), 2)) }
	line("%s, %s, %s retried, %s read; all of it is in %s", counted(s.Tally.Records, "record"),
		counted(s.Tally.Rejects, "reject"), counted(s.Tally.Retried, "attempt"), size(s.Tally.Bytes),
		s.target.statePath)
	if len(s.tables) > 1 {
		line("records: %s", strings.Join(tableTexts(s.tables), ", "))
	}
	if s.Tally.Rejects > 0 {
		line("rejects: sqlite3 %s 'select * from rejects'", quoted(s.target.statePath))
	}
	for _, u := range s.Unfilled {
		line("%s", visible(u.String()))
	}
	if s.Deep.Links > 0 {
		line("limits.depth (%d) was reached, first on %s: up to %s links were left out", s.limits.Depth,
			visible(s.Deep.URL), count(s.Deep.Links))
	}
	if s.Dropped > 0 {
		line("limits.tasks (%s) was reached: up to %s links or start values were left out", count(s.limits.Tasks),
			count(s.Dropped))
	}
	s.printFailures(w, p)
}

// colours are those of the words of the first line that have one.
func (s *summary) colours() map[string]string {
	c := map[string]string{s.name + " " + s.Ended: green}
	if s.Ended != state.Finished {
		c[s.name+" "+s.Ended] = yellow
	}
	if s.Counts.Failed > 0 {
		c[count(s.Counts.Failed)+" failed"] = red
	}
	return c
}

func tableTexts(tables []state.TableCount) (texts []string) {
	for _, t := range tables {
		texts = append(texts, t.Table+" "+count(t.Records))
	}
	return texts
}

// stopped says why a run stopped by itself, and what to do.
func stopped(w io.Writer, name string, f *crawl.Failing) {
	fmt.Fprintf(w, "  %s of the last %s failed, more than limits.failures (%v%%) allows: %s\n"+
		"  dogear try %s           fetches one page and shows what is wrong; "+
		"limits: {failures: 90%%} in the job would go on\n",
		count(int64(f.Failed)), counted(int64(f.Of), "task"), f.Limit*100, visible(f.String()), name)
}

// hints says what could be done next.
func (s *summary) hints(w io.Writer) {
	name := shown(s.target)
	if s.Failing != nil {
		stopped(w, name, s.Failing)
	}
	if s.Counts.Failed > 0 {
		fmt.Fprintf(w, "  dogear failures %s      what failed and why\n  dogear retry %s         try those again\n",
			name, name)
	}
	switch {
	case s.Counts.Left() > 0:
		fmt.Fprintf(w, "  dogear run %s           carries on\n", name)
	case s.Tally.Done == 0:
		fmt.Fprintf(w, "  dogear refresh %s --older-than 1d   fetches again what is older than a day\n", name)
		fmt.Fprintf(w, "  dogear run --fresh %s   forgets everything and starts over\n", name)
	}
}
