package state

import (
	"context"
	"fmt"
)

// throttledKind is the kind of a failed attempt that was told to wait: it is not counted in tasks.attempts.
const throttledKind = "throttled"

// What went before the end of the task is history: it was put back since.
const throttlesSQL = `SELECT count(*) FROM attempts WHERE task = ?1 AND kind = '` + throttledKind + `'
	AND at > coalesce((SELECT finished_at FROM tasks WHERE id = ?1), 0)`

// giveUp ends a task that is put off because its host told it to wait, and was told so too often: no attempt counts
// that, so nothing else would end it (browsertrix PR #1123).
func (r *Run) giveUp(ctx context.Context, o *Outcome) error {
	if r.maxThrottles == 0 || o.State != Pending || len(o.Failures) == 0 {
		return nil
	}
	last := &o.Failures[len(o.Failures)-1]
	if last.Kind != throttledKind {
		return nil
	}
	n := 0
	if err := r.conn.QueryRowContext(ctx, throttlesSQL, o.Task.ID).Scan(&n); err != nil {
		return fmt.Errorf("count throttled attempts: %w", err)
	}
	for i := range o.Failures {
		if o.Failures[i].Kind == throttledKind {
			n++
		}
	}
	if n >= r.maxThrottles {
		o.State, o.Kind, o.Status, o.At, o.Took = Failed, last.Kind, last.Status, last.At, last.Took
		o.Error = fmt.Sprintf("told to wait %d times: %s", n, last.Error)
	}
	return nil
}
