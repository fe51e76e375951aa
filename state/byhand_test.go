package state_test

import (
	"testing"

	"dogear/state"
)

// People who look into the file with sqlite3 also change it: they send tasks round again, give some up, take some out. The
// rows are the truth; the counters follow. The reported kind: crawlee #1324, scrapy-redis #28, #45, a crawl that idles with
// work left, or never ends.
func TestWhatAUserChangedByHandIsTakenAsItIs(t *testing.T) {
	for _, c := range []struct {
		name, statement string
		during          bool // while a run has tasks 9 and 10 in flight; else between two runs
		want            string
	}{
		{"a done task sent round again", `UPDATE tasks SET state = 'pending' WHERE id = 1`, false, "done|5\nfailed|3"},
		{"all failed tasks sent round again", `UPDATE tasks SET state = 'pending' WHERE state = 'failed'`, false, "done|8"},
		{"all tasks sent round again", `UPDATE tasks SET state = 'pending'`, false, "done|8"},
		{"pending tasks given up", `UPDATE tasks SET state = 'failed', error_kind = 'client', finished_at = 0 WHERE state = 'pending'`, false, "done|3\nfailed|5"},
		{"pending tasks taken out", `DELETE FROM tasks WHERE state = 'pending'`, false, "done|3\nfailed|3"},
		{"a task put in", `INSERT INTO tasks (url, page, created_at) VALUES ('http://127.0.0.1/by-hand', 'page', 0)`, false, "done|6\nfailed|3"},
		{"during a run, a task in flight given up", `UPDATE tasks SET state = 'failed', error_kind = 'client', finished_at = 0 WHERE id = 9`, true, "done|6\nfailed|4"},
		{"during a run, a task in flight taken out", `DELETE FROM tasks WHERE id = 9`, true, "done|6\nfailed|3"},
		{"during a run, failed tasks sent round again", `UPDATE tasks SET state = 'pending' WHERE state = 'failed'`, true, "done|10"},
		{"during a run, pending tasks taken out", `DELETE FROM tasks WHERE state = 'pending'`, true, "done|5\nfailed|3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFile(t)
			run := f.open(f.with(productStart(8)))
			tasks := f.commit(run, 6)
			f.commit(run, 0, done(tasks[0]), done(tasks[1]), done(tasks[2]),
				failed(tasks[3], "client", 404), failed(tasks[4], "network", 0), failed(tasks[5], "client", 404))
			if !c.during {
				f.close(run, state.Interrupted)
				raw(c.statement)(t, f.path)
				run = f.open(f.with(productStart(8)))
				tasks = nil
			} else {
				f.close(run, state.Interrupted)
				run = f.open(f.with(productStart(10)))
				f.want(`SELECT count(*) FROM tasks`, "8")
				tasks = f.takeLast(run, 2)
				raw(c.statement)(t, f.path)
			}
			f.workOff(run, tasks)
			f.agree(run)
			f.want(`SELECT state, count(*) FROM tasks GROUP BY state`, c.want)
		})
	}
}

// takeLast claims n tasks that no other test step has touched: those that were added last. The rest is put back.
func (f *file) takeLast(run *state.Run, n int) []state.Task {
	f.Helper()
	all := f.commit(run, 100)
	var back []state.Outcome
	for _, task := range all[:len(all)-n] {
		back = append(back, state.Outcome{Task: task, State: state.Pending})
	}
	f.commit(run, 0, back...)
	return all[len(all)-n:]
}

// workOff crawls on as the engine does, until it says that nothing is left. It gives up after more rounds than that takes.
func (f *file) workOff(run *state.Run, tasks []state.Task) {
	f.Helper()
	for range 20 {
		var group []state.Outcome
		for _, task := range tasks {
			group = append(group, done(task))
		}
		var err error
		if tasks, err = run.Commit(f.ctx, epoch, group, 3); err != nil {
			f.Fatal(err)
		}
		if len(tasks) < 3 {
			if _, err := run.NextDue(f.ctx); err != nil {
				f.Fatal(err)
			}
		}
		if len(tasks) > 0 || run.Counts().Left() > 0 {
			continue
		}
		settled, err := run.Settled(f.ctx)
		if err != nil {
			f.Fatal(err)
		}
		if settled {
			return
		}
	}
	f.Errorf("the crawl does not end: %+v", run.Counts())
}

func TestFailedTasksMadeByHandCanBeRetried(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(productStart(3)))
	f.commit(run, 0)
	f.close(run, state.Interrupted)
	raw(`UPDATE tasks SET state = 'failed', error_kind = 'client', finished_at = 0 WHERE id > 1`)(t, f.path)
	run = f.open(f.with(productStart(3)))
	if n, err := run.Retry(f.ctx, state.Filter{}); n != 2 || err != nil {
		t.Errorf("put back %d, %v", n, err)
	}
	f.agree(run)
}
