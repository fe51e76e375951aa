package state_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"dogear/schema"
	"dogear/state"
)

// twoTables opens a run with a keyed and a keyless table, and claims n tasks of ten.
func twoTables(t *testing.T, n int) (f *file, run *state.Run, products, notes *schema.Table, tasks []state.Task) {
	t.Helper()
	f, products, notes = newFile(t), productsTable(t), notesTable(t)
	o := f.with(productStart(10))
	o.Tables = []*schema.Table{products, notes}
	run = f.open(o)
	return f, run, products, notes, f.commit(run, n)
}

// scrapy #7978: state, records, found links, attempts and numbers land together or not at all.
func TestAGroupWithOneBadOutcomeLeavesFileAndRunAsTheyWere(t *testing.T) {
	short := func(o *state.Outcome, p, n *schema.Table) {
		o.Rows = []schema.Row{{Table: p, Values: []any{int64(1), "x"}}}
	}
	for _, c := range []struct {
		name  string
		spoil func(o *state.Outcome, products, notes *schema.Table)
	}{
		{"a record with too few values", short},
		{"a record with too many values", func(o *state.Outcome, p, n *schema.Table) {
			o.Rows = []schema.Row{{Table: n, Values: []any{"a", "b"}}}
		}},
		{"two records whose values are right only in sum", func(o *state.Outcome, p, n *schema.Table) {
			o.Rows = []schema.Row{{Table: n, Values: []any{"a", int64(7)}}, {Table: n, Values: nil}}
		}},
		{"a full statement of records, the last one bad", func(o *state.Outcome, p, n *schema.Table) {
			for i := range 15 {
				o.Rows = append(o.Rows, note(n, fmt.Sprint(i)))
			}
			o.Rows = append(o.Rows, schema.Row{Table: n, Values: nil})
		}},
		{"a record with a value of another type", func(o *state.Outcome, p, n *schema.Table) {
			o.Rows[0].Values[0] = "not a number"
		}},
		{"a record of a table that the job does not have", func(o *state.Outcome, p, n *schema.Table) {
			o.Rows = []schema.Row{{Table: &schema.Table{Name: "other"}, Values: []any{"x"}}}
		}},
		{"a reject whose raw text is not JSON", func(o *state.Outcome, p, n *schema.Table) {
			o.Rejects = []schema.Reject{{Table: "products", Reason: "r", Raw: "{"}}
		}},
		{"a failure without a kind", func(o *state.Outcome, p, n *schema.Table) { o.State, o.Kind = state.Failed, "" }},
		{"a state that does not exist", func(o *state.Outcome, p, n *schema.Table) { o.State = "finished" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, run, products, notes, tasks := twoTables(t, 4)
			f.commit(run, 0, doneWithProduct(tasks[0], products, epoch))
			good := doneWithProduct(tasks[1], products, epoch)
			good.Rows = append(good.Rows, note(notes, "kept"))
			good.Links = []schema.Request{get("http://127.0.0.1/found")}
			bad := doneWithProduct(tasks[2], products, epoch)
			c.spoil(&bad, products, notes)

			before, counts, tally := f.dump(), run.Counts(), run.Tally()
			claimed, err := run.Commit(f.ctx, epoch, []state.Outcome{good, failed(tasks[3], "client", 404), bad}, 2)
			if err == nil || claimed != nil {
				t.Fatalf("the commit went through: %v, %v", claimed, err)
			}
			if got := f.dump(); got != before {
				t.Errorf("the file changed to\n%s\nfrom\n%s", got, before)
			}
			if run.Counts() != counts || run.Tally() != tally {
				t.Errorf("the run says %+v %+v, want %+v %+v", run.Counts(), run.Tally(), counts, tally)
			}

			f.commit(run, 0, good)
			f.want(`SELECT _seq, _task, _pos, text FROM notes`, "3|2|0|kept")
			f.want(`SELECT _seq, product_id FROM products`, "1|1\n2|2")
			f.want(`SELECT url FROM tasks WHERE parent IS NOT NULL`, "http://127.0.0.1/found")
			if got := run.Counts(); got.Done != 2 || got.InFlight != 2 {
				t.Errorf("counts are %+v, want 2 done, 2 in flight", got)
			}
		})
	}
}

// The counters are written last, when starts have moved and tasks are claimed already.
func TestACommitThatFailsAtItsLastStepMovesNoStartAndClaimsNothing(t *testing.T) {
	f, run, products, _, tasks := twoTables(t, 1)
	f.close(run, state.Interrupted)
	o := f.with(productStart(10), starting("more", get("http://127.0.0.1/a"), get("http://127.0.0.1/b")))
	o.Tables = []*schema.Table{products}
	run = f.open(o)
	db := openRaw(t, f.path)
	if _, err := db.Exec(`CREATE TRIGGER full BEFORE UPDATE ON counters BEGIN SELECT RAISE(ABORT, 'disk full'); END`); err != nil {
		t.Fatal(err)
	}
	before, counts := f.dump(), run.Counts()
	for range 3 {
		if _, err := run.Commit(f.ctx, epoch, []state.Outcome{doneWithProduct(tasks[0], products, epoch)}, 5); err == nil {
			t.Fatal("the commit went through")
		}
	}
	if got := f.dump(); got != before || run.Counts() != counts {
		t.Errorf("the run says %+v, want %+v, and the file\n%s\nwas\n%s", run.Counts(), counts, got, before)
	}
	if _, err := db.Exec(`DROP TRIGGER full`); err != nil {
		t.Fatal(err)
	}
	if got := f.commit(run, 20); len(got) != 12 {
		t.Errorf("claimed %d tasks, want all 12", len(got))
	}
	f.want(`SELECT cursor, total FROM starts`, "10|10\n2|2")
}

// An outcome is worth only what the row says: it is guarded by id, run and state.
func TestAnOutcomeOfATaskThatIsNotInFlightForThisRunIsDroppedWhole(t *testing.T) {
	for _, said := range []string{state.Done, state.Failed, state.Pending} {
		for _, c := range []struct {
			name string
			id   int64
		}{
			{"a pending task", 5}, {"a task that is done", 1}, {"a task that failed", 2}, {"a task that was put off", 3}, {"no task at all", 99},
		} {
			t.Run(said+" said of "+c.name, func(t *testing.T) {
				f, run, products, notes, tasks := twoTables(t, 4)
				f.commit(run, 0, doneWithProduct(tasks[0], products, epoch), failed(tasks[1], "client", 404), putOff(tasks[2], epoch.Add(1e9)))
				tally := run.Tally()
				stray := doneWithProduct(tasks[0], products, epoch)
				stray.Task.ID, stray.State, stray.Kind = c.id, said, "network"
				stray.Rows = append(stray.Rows, note(notes, "stray"))
				stray.Rejects = []schema.Reject{{Table: "notes", Reason: "r", Raw: "{}"}}
				stray.Links = []schema.Request{get("http://127.0.0.1/stray")}
				stray.Failures = failed(tasks[0], "network", 0).Failures
				before := f.dump()
				f.commit(run, 0, stray)
				if got := f.dump(); got != before || run.Tally() != tally {
					t.Errorf("it left something behind:\n%s\nbefore:\n%s", got, before)
				}
			})
		}
	}
}

func TestTheSameOutcomeTwiceInOneGroupCountsOnce(t *testing.T) {
	f, run, products, _, tasks := twoTables(t, 1)
	o := doneWithProduct(tasks[0], products, epoch)
	f.commit(run, 0, o, o)
	f.want(`SELECT count(*), max(_seq) FROM products`, "1|1")
	if got := run.Tally(); got.Done != 1 || got.Records != 1 {
		t.Errorf("tally is %+v", got)
	}
}

// A write that is interrupted would take the whole group back, so what is finished is committed even after cancellation.
func TestACancelledContextStillCommitsAndCloses(t *testing.T) {
	f, run, products, _, tasks := twoTables(t, 2)
	ctx, cancel := context.WithCancel(f.ctx)
	cancel()
	if _, err := run.Commit(ctx, epoch, []state.Outcome{doneWithProduct(tasks[0], products, epoch)}, 0); err != nil {
		t.Fatal(err)
	}
	f.agree(run)
	f.want(`SELECT state FROM tasks WHERE id <= 2`, "done\nin-flight")
	if _, err := run.NextDue(ctx); err != nil {
		t.Error(err)
	}
	if settled, err := run.Settled(ctx); settled || err != nil {
		t.Errorf("settled is %t, %v", settled, err)
	}
	if err := run.Close(ctx, epoch, state.Interrupted); err != nil {
		t.Fatal(err)
	}
	f.want(`SELECT state FROM tasks WHERE id <= 2`, "done\npending")
	f.want(`SELECT ended FROM runs`, "interrupted")
}

func TestAnEmptyCommitIsAHeartbeat(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with())
	later := epoch.Add(2e9)
	if tasks, err := run.Commit(f.ctx, later, nil, 0); err != nil || len(tasks) != 0 {
		t.Fatal(tasks, err)
	}
	f.want(`SELECT heartbeat_at FROM runs`, fmt.Sprint(later.UnixMilli()))
	f.want(`SELECT count(*) FROM ticks`, "0")
}

// dump is everything in the file.
func (f *file) dump() string {
	f.Helper()
	var b strings.Builder
	for table := range slices.Values(strings.Split(f.ask(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`), "\n")) {
		fmt.Fprintf(&b, "%s:\n%s\n", table, f.ask(`SELECT * FROM "`+table+`"`))
	}
	return b.String()
}
