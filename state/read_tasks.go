package state

import (
	"context"
	"fmt"

	"dogear/schema"
)

// TaskRow is a row of tasks as somebody else reads it. Times are in Unix ms; nil is NULL.
type TaskRow struct {
	ID                             int64
	URL, Page, Method, State       string
	Attempts                       int64
	Status, Bytes, TookMS          *int64
	ErrorKind, Error, FinalURL     *string
	CreatedAt, StartedAt, Finished *int64
}

// EachTask calls f for every task by id, streamed from one snapshot. The row is reused: f keeps nothing of it. Values of a
// range that are no tasks yet are not among them. An error of f ends it and is returned.
func (s *Store) EachTask(ctx context.Context, f func(*TaskRow) error) error {
	rows, err := s.q.QueryContext(ctx, `SELECT id, url, page, method, state, attempts, status, bytes, took_ms,
		error_kind, error, final_url, created_at, started_at, finished_at FROM tasks ORDER BY id`)
	if err != nil {
		return fmt.Errorf("read tasks: %w", err)
	}
	defer rows.Close()
	var t TaskRow
	for rows.Next() {
		err := rows.Scan(&t.ID, &t.URL, &t.Page, &t.Method, &t.State, &t.Attempts, &t.Status, &t.Bytes, &t.TookMS,
			&t.ErrorKind, &t.Error, &t.FinalURL, &t.CreatedAt, &t.StartedAt, &t.Finished)
		if err != nil {
			return fmt.Errorf("read tasks: %w", err)
		}
		if err := f(&t); err != nil {
			return err
		}
	}
	return rows.Err()
}

// LastSeq returns the last _seq that was given to a record of any table.
func (s *Store) LastSeq(ctx context.Context) (int64, error) {
	var seq int64
	if err := s.q.QueryRowContext(ctx, `SELECT seq FROM counters`).Scan(&seq); err != nil {
		return 0, fmt.Errorf("read the last _seq: %w", err)
	}
	return seq, nil
}

// CountRecords returns how many records t has.
func (s *Store) CountRecords(ctx context.Context, t *schema.Table) (int64, error) {
	var n int64
	if err := s.q.QueryRowContext(ctx, `SELECT count(*) FROM `+quote(t.Name)).Scan(&n); err != nil {
		return 0, fmt.Errorf("count records of %s: %w", t.Name, err)
	}
	return n, nil
}

// EachLastPos calls f for every task after a given one that has records in t, which has no key, by its id, with the
// position of the last of them. An error of f ends it and is returned.
func (s *Store) EachLastPos(ctx context.Context, t *schema.Table, after int64, f func(task, pos int64) error) error {
	rows, err := s.q.QueryContext(ctx, `SELECT _task, max(_pos) FROM `+quote(t.Name)+`
		WHERE _task > ? GROUP BY _task ORDER BY _task`, after)
	if err != nil {
		return fmt.Errorf("read positions of %s: %w", t.Name, err)
	}
	defer rows.Close()
	for rows.Next() {
		var task, pos int64
		if err := rows.Scan(&task, &pos); err != nil {
			return fmt.Errorf("read positions of %s: %w", t.Name, err)
		}
		if err := f(task, pos); err != nil {
			return err
		}
	}
	return rows.Err()
}
