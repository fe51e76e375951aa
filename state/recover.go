package state

import (
	"context"
	"fmt"
)

// recover puts what dead runs left in flight back to pending. This run holds the lock, so every other run is dead.
func (r *Run) recover(ctx context.Context) (err error) {
	var recent string
	row := r.conn.QueryRowContext(ctx, `SELECT pending, in_flight, done, failed, seq, recent FROM counters`)
	if err := row.Scan(&r.counts.Pending, &r.counts.InFlight, &r.counts.Done, &r.counts.Failed, &r.seq, &recent); err != nil {
		return fmt.Errorf("read counters: %w", err)
	}
	r.recent.parse(recent)
	if r.Found.Recovered, err = r.putBack(ctx); err != nil {
		return err
	}
	const imported = `SELECT EXISTS (SELECT 1 FROM tasks WHERE state = 'failed' AND error_kind = ?)`
	row = r.conn.QueryRowContext(ctx, imported, ImportKind)
	if err := row.Scan(&r.carrier.imported); err != nil {
		return fmt.Errorf("look for imported tasks: %w", err)
	}
	r.counts.Ahead = r.ahead()
	r.Found.Counts = r.counts
	return nil
}

// The literal state lets the partial index serve it: O(in flight), however many tasks there are.
const putBackSQL = `UPDATE tasks SET state = 'pending', not_before = 0 WHERE state = 'in-flight'`

// putBack makes what is in flight pending again, without taking an attempt from it, and returns how many tasks that were.
func (r *Run) putBack(ctx context.Context) (int64, error) {
	result, err := r.conn.ExecContext(ctx, putBackSQL)
	if err != nil {
		return 0, fmt.Errorf("put back tasks in flight: %w", err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		return 0, err
	}
	if n != r.counts.InFlight {
		return n, r.recount(ctx)
	}
	r.counts.Pending, r.counts.InFlight = r.counts.Pending+n, 0
	return n, r.writeCounts(ctx)
}

// Reclaim puts back what is in flight by the file, for when nothing is: rows that somebody changed by hand.
func (r *Run) Reclaim(ctx context.Context) error {
	return r.tx(context.WithoutCancel(ctx), func() error {
		_, err := r.putBack(ctx)
		return err
	})
}
