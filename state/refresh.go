package state

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"time"
)

// No index has the done tasks, which would cost every task for the sake of a rare command: this one reads the whole table.
const refreshSQL = `UPDATE tasks SET state = 'pending', attempts = 0, not_before = 0, status = NULL WHERE state = 'done' AND finished_at < ?
	AND page IN (SELECT value FROM json_each(?))`

// Refresh puts the done tasks that were answered before a moment, and whose URL matches (nil: all), back to pending in one
// transaction, and returns how many. Their records stay until the new answer replaces them; the rows in attempts stay: they
// are history. Tasks of a kind of page that the job no longer has stay done: fetched again they could only fail.
func (r *Run) Refresh(ctx context.Context, before time.Time, match *regexp.Regexp) (int64, error) {
	pages, err := json.Marshal(r.pages)
	if err != nil {
		return 0, fmt.Errorf("refresh done tasks: %w", err)
	}
	query, args := refreshSQL, []any{before.UnixMilli(), string(pages)}
	if match != nil {
		query, args = query+` AND url REGEXP ?`, append(args, match.String())
	}
	counts := r.counts
	var n int64
	err = r.tx(ctx, func() error {
		result, err := r.conn.ExecContext(ctx, query, args...)
		if err != nil {
			return err
		}
		if n, err = result.RowsAffected(); err != nil {
			return err
		}
		if n > r.counts.Done {
			return r.recount(ctx)
		}
		r.counts.Pending += n
		r.counts.Done -= n
		_, err = r.conn.ExecContext(ctx, `UPDATE counters SET pending = ?, done = ?`, r.counts.Pending, r.counts.Done)
		return err
	})
	if err != nil {
		r.counts = counts
		return 0, fmt.Errorf("refresh done tasks: %w", err)
	}
	return n, nil
}
