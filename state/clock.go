package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// clockSlack is how far the clock may go back without a task being moved for it.
const clockSlack = time.Second

const (
	earlierSQL  = `UPDATE tasks SET not_before = max(not_before - ?1, ?2) WHERE state = 'pending' AND not_before > ?2`
	noFutureSQL = `DELETE FROM ticks WHERE at > ?`
)

// followClock is for a clock that was set back since the last commit, by whatever run: a time that was written by the
// clock of then would come too late by as much. So what is put off comes earlier by as much, and ticks of what is now the
// future are forgotten. A clock that was set forward, or stood still while the machine slept, needs nothing: what it made
// due is asked for.
func (r *Run) followClock(ctx context.Context, now time.Time) error {
	back := r.clock - now.UnixMilli()
	if back <= clockSlack.Milliseconds() {
		return nil
	}
	if _, err := r.conn.ExecContext(ctx, earlierSQL, back, now.UnixMilli()); err != nil {
		return fmt.Errorf("follow the clock: %w", err)
	}
	if _, err := r.conn.ExecContext(ctx, noFutureSQL, now.UnixMilli()); err != nil {
		return fmt.Errorf("follow the clock: %w", err)
	}
	return nil
}

// lastClock reads when the run before this one committed last, by its clock.
func (r *Run) lastClock(ctx context.Context) error {
	row := r.conn.QueryRowContext(ctx, `SELECT heartbeat_at FROM runs ORDER BY id DESC LIMIT 1`)
	if err := row.Scan(&r.clock); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("read the last heartbeat: %w", err)
	}
	return nil
}

// shortenWaits brings back what was put off further than any task may be: the clock was wrong when that was written.
func (r *Run) shortenWaits(ctx context.Context, longest time.Duration, now time.Time) error {
	if longest == 0 {
		return nil
	}
	_, err := r.conn.ExecContext(ctx, `UPDATE tasks SET not_before = ?1 WHERE state = 'pending' AND not_before > ?1`, now.Add(longest).UnixMilli())
	if err != nil {
		return fmt.Errorf("shorten waits: %w", err)
	}
	return nil
}
