package state_test

import (
	"fmt"
	"testing"

	"dogear/schema"
	"dogear/state"
)

// fetchAgain opens a run whose task 1 left three notes, one product and one reject, and claims it a second time.
func fetchAgain(t *testing.T, first string) (f *file, run *state.Run, products, notes *schema.Table, task state.Task) {
	t.Helper()
	f, run, products, notes, tasks := twoTables(t, 2)
	o := doneWithProduct(tasks[0], products, epoch)
	o.State = first
	if first == state.Failed {
		o.Kind = "invalid"
	}
	o.Rows = append(o.Rows, note(notes, "a"), note(notes, "b"), note(notes, "c"))
	o.Rejects = []schema.Reject{{Table: "notes", Field: "text", Reason: "first", Raw: "{}"}}
	neighbour := done(tasks[1])
	neighbour.Rows = []schema.Row{note(notes, "x"), note(notes, "y")}
	neighbour.Rejects = []schema.Reject{{Table: "notes", Field: "text", Reason: "neighbour", Raw: "{}"}}
	f.commit(run, 0, o, neighbour)
	f.close(run, state.Interrupted)
	const refresh = `UPDATE tasks SET state = 'pending', attempts = 0 WHERE id = 1;
		UPDATE counters SET pending = pending + 1, done = done - %d, failed = failed - %d`
	d := 0
	if first == state.Done {
		d = 1
	}
	raw(fmt.Sprintf(refresh, d, 1-d))(t, f.path)

	options := f.with(productStart(10))
	options.Tables = []*schema.Table{products, notes}
	run = f.open(options)
	task = f.commit(run, 1)[0]
	if task.ID != 1 || !task.Again {
		t.Fatalf("claimed %+v, want task 1 again", task)
	}
	return f, run, products, notes, task
}

func TestATaskFetchedAgainReplacesWhatItLeftBefore(t *testing.T) {
	for _, c := range []struct {
		name     string
		notes    []any
		want     string
		rejected bool
	}{
		{"with fewer records the rest goes", []any{"A"}, "1|0|A\n2|0|x\n2|1|y", false},
		{"with none all of them go", nil, "2|0|x\n2|1|y", false},
		{"with more they are added", []any{"A", "B", "C", "D"}, "1|0|A\n1|1|B\n1|2|C\n1|3|D\n2|0|x\n2|1|y", false},
		{"its rejects are the new ones", []any{"A", "B", "C"}, "1|0|A\n1|1|B\n1|2|C\n2|0|x\n2|1|y", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, run, _, notes, task := fetchAgain(t, state.Done)
			o := done(task)
			for _, text := range c.notes {
				o.Rows = append(o.Rows, note(notes, text))
			}
			want := "2|text: neighbour"
			if c.rejected {
				o.Rejects = []schema.Reject{{Table: "notes", Field: "text", Reason: "second", Raw: "{}"}}
				want = "1|text: second\n2|text: neighbour"
			}
			f.commit(run, 0, o)
			f.want(`SELECT _task, _pos, text FROM notes ORDER BY _task, _pos`, c.want)
			f.want(`SELECT task, reason FROM rejects ORDER BY task`, want)
			f.want(`SELECT count(*) FROM products`, "1") // a record with a key outlives the page that showed it
			f.want(`SELECT count(*) = count(DISTINCT _seq) AND min(_seq) > 0 FROM notes`, "1")
		})
	}
}

// What was there is better than nothing: an answer that did not come takes nothing away.
func TestATaskThatFailsWhenFetchedAgainKeepsWhatItLeftBefore(t *testing.T) {
	f, run, _, _, task := fetchAgain(t, state.Done)
	f.commit(run, 0, failed(task, "network", 0))
	f.want(`SELECT count(*) FROM notes WHERE _task = 1`, "3")
	f.want(`SELECT reason FROM rejects WHERE task = 1`, "text: first")
}

func TestRejectsOfATaskDoNotPileUpHoweverOftenItIsFetched(t *testing.T) {
	for _, second := range []string{state.Done, state.Failed, state.Pending} {
		t.Run("failed first, then "+second, func(t *testing.T) {
			f, run, _, _, task := fetchAgain(t, state.Failed)
			o := state.Outcome{Task: task, State: second, Attempts: 1, Status: 200, Kind: "invalid", Error: "no name", At: epoch}
			o.Rejects = []schema.Reject{{Table: "notes", Field: "text", Reason: "second", Raw: "{}"}}
			f.commit(run, 0, o)
			f.want(`SELECT task, reason FROM rejects ORDER BY task`, "1|text: second\n2|text: neighbour")
		})
	}
}
