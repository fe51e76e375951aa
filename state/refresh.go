package state

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"time"
)

// No index has the done tasks, which would cost every task for the sake of a rare command: this one reads the whole table.
const refreshSQL = `UPDATE tasks SET state = 'pending', attempts = 0, not_before = 0, status = NULL WHERE id IN (
	SELECT id FROM tasks WHERE id > ? AND state = 'done' AND finished_at < ? AND page IN (SELECT value FROM json_each(?))%s
	ORDER BY id LIMIT ?) RETURNING id`

// Refresh puts the done tasks that were answered before a moment, and whose URL matches (nil: all), back to pending and
// returns how many, in transactions of putBackSize: an error or the end of the process leaves the rest as it is. Their
// records stay until the new answer replaces them; the rows in attempts stay: they are history. Tasks of a kind of page that
// the job no longer has stay done: fetched again they could only fail.
func (r *Run) Refresh(ctx context.Context, before time.Time, match *regexp.Regexp) (int64, error) {
	pages, err := json.Marshal(pageNames(r.pages))
	if err != nil {
		return 0, fmt.Errorf("refresh done tasks: %w", err)
	}
	condition, args := "", []any{int64(0), before.UnixMilli(), string(pages)}
	if match != nil {
		condition, args = ` AND url REGEXP ?`, append(args, match.String())
	}
	query, args := fmt.Sprintf(refreshSQL, condition), append(args, putBackSize)
	n, err := r.inBatches(ctx, &r.counts.Done, func() (n int64, err error) {
		last := int64(0)
		if n, last, err = r.refreshed(ctx, query, args); n > 0 {
			args[0] = last
		}
		return n, err
	})
	if err != nil {
		return n, fmt.Errorf("refresh done tasks: %w", err)
	}
	return n, nil
}

// refreshed runs the statement and returns how many tasks it put back, and the last of them.
func (r *Run) refreshed(ctx context.Context, query string, args []any) (n, last int64, err error) {
	rows, err := r.conn.QueryContext(ctx, query, args...)
	if err != nil {
		return 0, 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return n, last, err
		}
		n, last = n+1, max(last, id)
	}
	return n, last, rows.Err()
}
