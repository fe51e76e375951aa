package state_test

import (
	"os"
	"testing"
	"time"

	"dogear/state"
)

// Putting many tasks back takes several transactions, so that the WAL does not grow with the job.
func TestManyTasksArePutBackInBatches(t *testing.T) {
	const many = 20_000
	for _, c := range []struct {
		name, state, kind string
		putBack           func(*file, *state.Run) (int64, error)
	}{
		{"done", "done", "NULL", func(f *file, run *state.Run) (int64, error) { return run.Refresh(f.ctx, epoch.Add(time.Hour), nil) }},
		{"failed", "failed", "'network'", func(f *file, run *state.Run) (int64, error) { return run.Retry(f.ctx, state.Filter{}) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFile(t)
			f.close(f.open(withPages(f.with())), state.Interrupted)
			raw(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000)
				INSERT INTO tasks (url, page, state, attempts, run, error_kind, created_at, finished_at)
				SELECT printf('http://a.example/%03500d', i), 'page', '`+c.state+`', 4, 1, `+c.kind+`, 0, 1 FROM n;
				UPDATE counters SET `+c.state+` = 20000`)(t, f.path)
			run := f.open(withPages(f.with()))
			n, err := c.putBack(f, run)
			if n != many || err != nil {
				t.Errorf("put back %d, %v, want %d", n, err, many)
			}
			f.agree(run)
			f.want(`SELECT count(*), sum(attempts), max(not_before) FROM tasks WHERE state = 'pending'`, "20000|0|0")
			if info, err := os.Stat(f.path + "-wal"); err != nil || info.Size() > 64<<20 {
				t.Errorf("the WAL has %d bytes, %v", info.Size(), err)
			}
			f.close(run, state.Interrupted)
		})
	}
}
