package state_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"dogear/schema"
	"dogear/state"
)

// crawlee-python #1825, and the local queue of Zeno: what a dead process had in flight was skipped for ever.
func TestWhatAKilledProcessHadInFlightIsPendingAtTheNextOpen(t *testing.T) {
	f := newFile(t)
	c := startChild(t, "hold", f.path)
	c.line()
	f.want(`SELECT pending, in_flight, done, failed FROM counters`, "2|6|3|1")
	c.kill()

	run := f.open(f.with(productStart(heldTasks)))
	want := state.Counts{Pending: 8, Done: 3, Failed: 1}
	if run.Found.Recovered != 6 || run.Found.Counts != want || run.Found.New {
		t.Errorf("found %+v, want 6 recovered and %+v", run.Found, want)
	}
	f.agree(run)
	f.want(`SELECT id, attempts, not_before FROM tasks WHERE state = 'pending' ORDER BY id`,
		lines("5|3|0", "6|3|0", "7|0|0", "8|0|0", "9|0|0", "10|0|0", "11|0|0", "12|0|0"))

	tasks := f.commit(run, 100)
	var got []string
	for _, task := range tasks {
		got = append(got, fmt.Sprintf("%d:%d:%t", task.ID, task.Attempts, task.Again))
	}
	if want := []string{"5:3:false", "6:3:false", "7:0:false", "8:0:false", "9:0:false", "10:0:false", "11:0:false", "12:0:false"}; !slices.Equal(got, want) {
		t.Errorf("claimed (id:attempts:again) %v, want %v", got, want)
	}
	runs, err := f.store().Runs(f.ctx, 10)
	if err != nil || len(runs) != 2 || runs[0].Ended != "running" || runs[1].Ended != "died" {
		t.Errorf("runs are %+v, %v", runs, err)
	}
}

// A claim that was answered by nobody belongs to nobody else either: the outcome of a dead run's lease is refused.
func TestTheOutcomeOfALeaseOfADeadRunIsDropped(t *testing.T) {
	f := newFile(t)
	table := productsTable(t)
	o := f.with(productStart(3))
	o.Tables = []*schema.Table{table}
	first := f.open(o)
	lease := f.commit(first, 1)[0]
	f.close(first, "")

	second := f.open(o)
	f.commit(second, 0, doneWithProduct(lease, table, epoch))
	f.want(`SELECT state FROM tasks WHERE id = 1`, "pending")
	f.want(`SELECT count(*) FROM products`, "0")
	again := f.commit(second, 1)[0]
	f.commit(second, 0, doneWithProduct(again, table, epoch))
	f.want(`SELECT state FROM tasks WHERE id = 1`, "done")
}

// scrapy #7978, #2399, #4106: killed at any moment, what a commit covered is there, once, and the rest is asked again.
func TestAProcessKilledAtAnyMomentLosesNothingThatWasCommitted(t *testing.T) {
	want := uninterrupted(t)
	for _, commits := range []int{1, 2, 7, 20, 61} {
		t.Run(fmt.Sprintf("killed after %d commits", commits), func(t *testing.T) {
			f := newFile(t)
			c := startChild(t, "crawl", f.path)
			promised := 0
			for range commits {
				n, err := strconv.Atoi(c.line())
				if err != nil {
					t.Fatal(err)
				}
				promised = n
			}
			c.kill()

			table := productsTable(t)
			run := f.open(crawlOptions(f.path, table))
			f.agree(run)
			if got := run.Counts().Done; got < int64(promised) {
				t.Errorf("%d tasks are done, %d were committed", got, promised)
			}
			if r := run.Found.Recovered; r > 8 {
				t.Errorf("%d tasks were in flight, at most 8 can have been", r)
			}
			f.want(`SELECT count(*) FROM products`, fmt.Sprint(run.Counts().Done))
			f.want(`SELECT count(*) FROM products AS p JOIN tasks AS t ON t.id = p._task AND t.state = 'done'`, fmt.Sprint(run.Counts().Done))
			f.want(`SELECT * FROM pragma_integrity_check`, "ok")
			finish(t, f, run, table)
			if got := f.ask(wholeResult); got != want {
				t.Errorf("the result differs from that of an uninterrupted run: %.300s", got)
			}
		})
	}
}

// wholeResult is what a crawl came to, without what tells one crawl from another.
const wholeResult = `SELECT t.id, t.url, t.state, t.attempts, p.* FROM tasks AS t LEFT JOIN
	(SELECT _task, _pos, product_id, name, price, stock, category, rating, update_time FROM products) AS p ON p._task = t.id ORDER BY t.id`

func uninterrupted(t *testing.T) string {
	f := newFile(t)
	table := productsTable(t)
	finish(t, f, f.open(crawlOptions(f.path, table)), table)
	return f.ask(wholeResult)
}

func finish(t *testing.T, f *file, run *state.Run, table *schema.Table) {
	t.Helper()
	for rounds := 0; run.Counts().Left() > 0; rounds++ {
		if rounds > crawledTasks {
			t.Fatalf("the crawl does not end: %+v", run.Counts())
		}
		if _, err := commitProducts(f.ctx, run, table, state.GroupSize); err != nil {
			t.Fatal(err)
		}
	}
	f.agree(run)
	if settled, err := run.Settled(f.ctx); !settled || err != nil {
		t.Errorf("settled is %t, %v", settled, err)
	}
	f.close(run, state.Finished)
}

// A task that was put off while the clock was a day ahead waits no longer than any may, once the clock is right.
func TestAWaitThatAWrongClockWroteIsShortened(t *testing.T) {
	f := newFile(t)
	o := f.with(productStart(3))
	run := f.open(o)
	tasks := f.commit(run, 3)
	f.commit(run, 0, state.Outcome{Task: tasks[0], State: state.Pending, NotBefore: epoch.Add(24 * time.Hour)},
		state.Outcome{Task: tasks[1], State: state.Pending, NotBefore: epoch.Add(time.Minute)})
	f.close(run, state.Interrupted)
	o.MaxWait = 10 * time.Minute
	f.close(f.open(o), state.Interrupted)
	f.want(`SELECT group_concat(not_before - `+strconv.FormatInt(epoch.UnixMilli(), 10)+`) FROM tasks WHERE not_before > 0`, "600000,60000")
}
