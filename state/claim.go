package state

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"
)

// A partial index is used only where the query has the literal state. OR ROLLBACK, here and where rows are added, spares
// the journal of the statement: whatever fails takes the whole commit back anyway.
const claimSQL = `UPDATE OR ROLLBACK tasks SET state = 'in-flight', run = ?1, started_at = ?2,
	spare = x'00000000000000'
	WHERE id IN (SELECT id FROM tasks WHERE state = 'pending' AND not_before <= ?2 ORDER BY not_before, id LIMIT ?3)
	RETURNING id, url, page, method, body, carry, depth, attempts, not_before, finished_at IS NOT NULL`

// claim takes up to n due tasks, by not_before and then by id: fresh ones first, then those put off, the longest due first.
func (r *Run) claim(ctx context.Context, now time.Time, n int) ([]Task, error) {
	if n <= 0 || r.counts.Pending == 0 {
		return nil, nil
	}
	rows, err := r.stmts.claim.QueryContext(ctx, r.ID, now.UnixMilli(), n)
	if err != nil {
		return nil, fmt.Errorf("claim: %w", err)
	}
	defer rows.Close()
	type due struct {
		Task
		notBefore int64
	}
	found := make([]due, 0, n)
	for rows.Next() {
		var t due
		var body, carry sql.NullString
		if err := rows.Scan(&t.ID, &t.URL, &t.Page, &t.Method, &body, &carry, &t.Depth, &t.Attempts, &t.notBefore, &t.Again); err != nil {
			return nil, fmt.Errorf("claim: %w", err)
		}
		t.Body, t.Carry = body.String, carry.String
		found = append(found, t)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("claim: %w", err)
	}
	// RETURNING promises no order.
	slices.SortFunc(found, func(a, b due) int {
		return cmp.Or(cmp.Compare(a.notBefore, b.notBefore), cmp.Compare(a.ID, b.ID))
	})
	tasks := make([]Task, len(found))
	for i := range found {
		tasks[i] = found[i].Task
	}
	r.counts.Pending -= int64(len(tasks))
	r.counts.InFlight += int64(len(tasks))
	r.doubt = r.doubt || r.counts.Pending < 0
	return tasks, nil
}

const nextDueSQL = `SELECT min(not_before) FROM tasks WHERE state = 'pending'`

// NextDue returns when the next pending task may be claimed, the zero time when there is none.
func (r *Run) NextDue(ctx context.Context) (time.Time, error) {
	ctx = context.WithoutCancel(ctx)
	var ms sql.NullInt64
	row := r.conn.QueryRowContext(ctx, nextDueSQL)
	if err := row.Scan(&ms); err != nil {
		return time.Time{}, fmt.Errorf("read when the next task is due: %w", r.explain(err))
	}
	if ms.Valid {
		return time.UnixMilli(ms.Int64), nil
	}
	if r.counts.Pending > 0 {
		return time.Time{}, r.recount(ctx)
	}
	return time.Time{}, nil
}

const openSQL = `SELECT EXISTS (SELECT 1 FROM tasks WHERE state = 'pending') OR EXISTS (SELECT 1 FROM tasks WHERE state = 'in-flight')`

// Settled reads from the file whether nothing is left to do: the counters are a convenience, the rows are the truth. When
// they differ the counters are made right, and the crawl goes on.
func (r *Run) Settled(ctx context.Context) (bool, error) {
	ctx = context.WithoutCancel(ctx)
	var open bool
	row := r.conn.QueryRowContext(ctx, openSQL)
	if err := row.Scan(&open); err != nil {
		return false, fmt.Errorf("look for open tasks: %w", r.explain(err))
	}
	if open && r.counts.Pending+r.counts.InFlight == 0 {
		return false, r.recount(ctx)
	}
	return !open && r.counts.Ahead == 0, nil
}

// recount sets the counters by counting rows: O(tasks). It is for when the rows are not as this run left them, because
// somebody changed them by hand.
func (r *Run) recount(ctx context.Context) error {
	row := r.conn.QueryRowContext(ctx, `UPDATE counters SET (pending, in_flight, done, failed) = (
		SELECT count(*) FILTER (WHERE state = 'pending'), count(*) FILTER (WHERE state = 'in-flight'),
		       count(*) FILTER (WHERE state = 'done'), count(*) FILTER (WHERE state = 'failed') FROM tasks)
		RETURNING pending, in_flight, done, failed`)
	if err := row.Scan(&r.counts.Pending, &r.counts.InFlight, &r.counts.Done, &r.counts.Failed); err != nil {
		return fmt.Errorf("count tasks: %w", err)
	}
	return nil
}
