package state_test

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"testing"
	"time"

	"dogear/schema"
	"dogear/state"
)

// doneTasks opens a run of eight tasks: 1 to 4 done, an hour apart, the fourth at epoch; 5 failed long ago, 6 in flight.
func doneTasks(t *testing.T) (*file, *state.Run) {
	t.Helper()
	f := newFile(t)
	run := f.open(withPages(f.with(productStart(8))))
	tasks := f.commit(run, 6)
	var group []state.Outcome
	for i, task := range tasks[:4] {
		o := done(task)
		o.At = epoch.Add(time.Duration(i-3) * time.Hour)
		group = append(group, o)
	}
	old := failed(tasks[4], "client", 404)
	old.At = epoch.Add(-99 * time.Hour)
	f.commit(run, 0, append(group, old)...)
	return f, run
}

func TestRefreshPutsDoneTasksBackThatAreOlder(t *testing.T) {
	for _, c := range []struct {
		name   string
		before time.Time
		match  *regexp.Regexp
		ids    []int64
	}{
		{"none is", epoch.Add(-9 * time.Hour), nil, nil},
		{"some are", epoch.Add(-time.Hour), nil, []int64{1, 2}},
		{"one is as old to the millisecond, and stays", epoch.Add(-3 * time.Hour), nil, nil},
		{"all are, but not what failed or is in flight", epoch.Add(time.Hour), nil, []int64{1, 2, 3, 4}},
		{"only those with such a URL", epoch.Add(time.Hour), regexp.MustCompile("product/[24]$"), []int64{2, 4}},
		{"none with such a URL", epoch.Add(time.Hour), regexp.MustCompile("%"), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, run := doneTasks(t)
			n, err := run.Refresh(f.ctx, c.before, c.match)
			if err != nil || n != int64(len(c.ids)) {
				t.Errorf("put back %d, %v, want %d", n, err, len(c.ids))
			}
			f.agree(run)
			f.want(`SELECT state FROM tasks WHERE id IN (5, 6)`, "failed\nin-flight")
			var again []int64
			for _, task := range f.commit(run, 9) {
				if task.Again {
					again = append(again, task.ID)
				}
				if task.Attempts != 0 {
					t.Errorf("claimed %+v, want it with all its attempts", task)
				}
			}
			if !slices.Equal(again, c.ids) {
				t.Errorf("claimed again %v, want %v", again, c.ids)
			}
		})
	}
}

// The hourly update: whoever reads in between sees the old price, never a gap.
func TestARefreshedRecordStaysUntilTheNewOneReplacesIt(t *testing.T) {
	f := newFile(t)
	table := productsTable(t)
	o := withPages(f.with(productStart(1)))
	o.Tables = []*schema.Table{table}
	run := f.open(o)
	f.commit(run, 0, doneWithProduct(f.commit(run, 1)[0], table, epoch))
	if n, err := run.Refresh(f.ctx, epoch.Add(time.Hour), nil); n != 1 || err != nil {
		t.Fatalf("put back %d, %v", n, err)
	}
	f.want(`SELECT _seq, _fetched_at FROM products`, "1|1770000000000")
	again := doneWithProduct(f.commit(run, 1)[0], table, epoch.Add(2*time.Hour))
	f.commit(run, 0, again)
	f.want(`SELECT _seq, _fetched_at FROM products`, "2|1770007200000")
	if n, err := run.Refresh(f.ctx, epoch.Add(time.Hour), nil); n != 0 || err != nil {
		t.Errorf("put back %d, %v: it is fresh", n, err)
	}
}

func TestARefreshThatIsRefusedChangesNothing(t *testing.T) {
	f, run := doneTasks(t)
	ctx, cancel := context.WithCancel(f.ctx)
	cancel()
	before := run.Counts()
	if _, err := run.Refresh(ctx, epoch.Add(time.Hour), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
	if run.Counts() != before {
		t.Errorf("counts are %+v, were %+v", run.Counts(), before)
	}
	f.agree(run)
}

func TestATaskOfAKindOfPageThatIsGoneStaysDone(t *testing.T) {
	f, run := doneTasks(t)
	f.close(run, state.Interrupted)
	raw(`UPDATE tasks SET page = 'gone' WHERE id IN (1, 2)`)(t, f.path)
	run = f.open(withPages(f.with(productStart(8))))
	if n, err := run.Refresh(f.ctx, epoch.Add(time.Hour), nil); n != 2 || err != nil {
		t.Errorf("put back %d, %v", n, err)
	}
	f.agree(run)
	f.want(`SELECT id FROM tasks WHERE state = 'done' ORDER BY id`, "1\n2")
}

// withPages gives the job the kinds of page that the tasks of these tests are of.
func withPages(o state.RunOptions) state.RunOptions {
	o.Pages = []state.Page{{Name: "page"}, {Name: "product"}}
	return o
}

func TestRefreshMakesWrongCountersRight(t *testing.T) {
	f, run := doneTasks(t)
	f.close(run, state.Interrupted)
	raw(`UPDATE counters SET done = 1`)(t, f.path)
	run = f.open(withPages(f.with(productStart(8))))
	if n, err := run.Refresh(f.ctx, epoch.Add(time.Hour), nil); n != 4 || err != nil {
		t.Errorf("put back %d, %v", n, err)
	}
	f.agree(run)
}
