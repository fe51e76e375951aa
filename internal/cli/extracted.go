package cli

import (
	"bytes"
	"fmt"
	"io"
	"text/tabwriter"

	"dogear/crawl"
	"dogear/crawl/job"
	"dogear/state"
)

// printExtracted prints what the new rules changed, or would.
func printExtracted(w io.Writer, t target, j *job.Job, r *crawl.Reread, dry bool) error {
	var text bytes.Buffer
	c := r.Changes
	would := ""
	if dry {
		would = "; dry run: nothing is written"
	}
	fmt.Fprintf(&text, "%s: %s read again by the rules of %s in %s%s, no request was made%s\n",
		j.Name, counted(r.Pages, "kept page"), rulesOf(t), round(r.Took), perSecond(r.Pages, r.Took), would)
	if !c.Any() {
		fmt.Fprintln(&text, "nothing changed: these rules make of them what is there")
	} else {
		printTableChanges(&text, c)
		printFieldChanges(&text, c)
		printTaskChanges(&text, t, c, dry)
	}
	printLeftAlone(&text, r)
	_, err := w.Write(text.Bytes())
	return err
}

func rulesOf(t target) string {
	if t.jobPath == "" {
		return t.statePath
	}
	return t.jobPath
}

func printTableChanges(w io.Writer, c *state.Changes) {
	fmt.Fprintln(w)
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "TABLE\tBEFORE\tAFTER\tADDED\tCHANGED\tUNCHANGED\tREMOVED")
	for i := range c.Tables {
		t := &c.Tables[i]
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", t.Table.Name, count(t.Before), count(t.After), count(t.Added),
			count(t.Changed), count(t.Unchanged), count(t.Removed))
	}
	out.Flush()
}

// printFieldChanges lists the fields with other values in the records that changed.
func printFieldChanges(w io.Writer, c *state.Changes) {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	any := false
	for i := range c.Tables {
		t := &c.Tables[i]
		for k, f := range t.Fields {
			if f == (state.FieldChanges{}) {
				continue
			}
			if !any {
				fmt.Fprint(out, "\nFIELD\tCHANGED\tFILLED\tEMPTIED\n")
			}
			any = true
			name := t.Table.Name + "." + t.Table.Fields[k].Name
			fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", name, count(f.Changed), count(f.Filled), count(f.Emptied))
		}
	}
	out.Flush()
}

// printTaskChanges says what became of tasks, a line for each thing.
func printTaskChanges(out io.Writer, t target, c *state.Changes, dry bool) {
	w := new(bytes.Buffer)
	are, fail, fetches := "are done now", "fail now", "fetches them"
	if dry {
		are, fail, fetches = "would be done", "would fail", "would fetch them"
	}
	if c.WasRejects+c.Rejects > 0 {
		fmt.Fprintf(w, "rejected records: %s before, %s after\n", count(c.WasRejects), count(c.Rejects))
	}
	if c.NowDone > 0 {
		fmt.Fprintf(w, "failed tasks that %s: %s\n", are, count(c.NowDone))
	}
	if c.NowFailed > 0 {
		fmt.Fprintf(w, "done tasks that %s: %s; `dogear failures %s` says why\n", fail, count(c.NowFailed), shown(t))
	}
	if c.Reasons > 0 {
		fmt.Fprintf(w, "tasks that fail, or have rejected records, for other reasons: %s\n", count(c.Reasons))
	}
	if c.Links > 0 {
		fmt.Fprintf(w, "new links: %s; `dogear run %s` %s\n", count(c.Links), shown(t), fetches)
	}
	if c.LeftOut > 0 {
		fmt.Fprintf(w, "new links left out, since limits.tasks is reached: %s\n", count(c.LeftOut))
	}
	for i := range c.Tables {
		if c.Tables[i].Removed > 0 {
			fmt.Fprintln(w, "removed records stay where they were exported to: exports send what is new and what changed")
			break
		}
	}
	if w.Len() > 0 {
		fmt.Fprintf(out, "\n%s", w)
	}
}

// printLeftAlone says what the new rules were not applied to.
func printLeftAlone(w io.Writer, r *crawl.Reread) {
	for _, left := range []struct {
		n    int64
		noun string
		rest string
	}{
		{r.Changes.Without, "task", "no kept page"},
		{r.Changes.Stale, "task", "a kept page of an earlier answer than the last"},
		{r.Unknown, "task", "a kept page of a kind that the job has no more"},
		{r.Damaged, "task", "a kept page that can't be read"},
	} {
		switch {
		case left.n == 1:
			fmt.Fprintf(w, "1 task has %s: it keeps its records\n", left.rest)
		case left.n > 1:
			fmt.Fprintf(w, "%s have %s: they keep their records\n", counted(left.n, left.noun), left.rest)
		}
	}
}

// printDamagedPages names the pages that could not be read.
func printDamagedPages(w io.Writer, name string, r *crawl.Reread) {
	for _, d := range r.Reports {
		fmt.Fprintf(w, "%s: task %d is left alone, %s: %s\n", name, d.Task, visible(d.URL), visible(d.Err.Error()))
	}
	if more := r.Damaged - int64(len(r.Reports)); more > 0 {
		fmt.Fprintf(w, "%s: and %s more\n", name, count(more))
	}
}
