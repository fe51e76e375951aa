package state

import (
	"context"
	"fmt"

	"dogear/schema"
)

// In no particular order, so that each is a walk along its partial index and nothing is sorted or kept.
const (
	urlsPendingSQL  = `SELECT url, coalesce(body, '') FROM tasks WHERE state = 'pending' ORDER BY not_before`
	urlsFailedSQL   = `SELECT url, coalesce(body, '') FROM tasks WHERE state = 'failed' ORDER BY error_kind, status`
	urlsInFlightSQL = `SELECT url, coalesce(body, '') FROM tasks WHERE state = 'in-flight' ORDER BY run`
	knownSQL        = `SELECT EXISTS (SELECT 1 FROM tasks WHERE key = ?)`
)

// EachUnfinished calls f with URL and body of every task that is pending (put off ones too) or in flight, without holding them
// in memory. An error of f ends it and is returned.
func (s *Store) EachUnfinished(ctx context.Context, f func(url, body string) error) error {
	for _, query := range []string{urlsPendingSQL, urlsInFlightSQL} {
		if err := s.eachURL(ctx, query, f); err != nil {
			return err
		}
	}
	return nil
}

// EachNotDone is EachUnfinished with the failed tasks besides.
func (s *Store) EachNotDone(ctx context.Context, f func(url, body string) error) error {
	if err := s.EachUnfinished(ctx, f); err != nil {
		return err
	}
	return s.eachURL(ctx, urlsFailedSQL, f)
}

func (s *Store) eachURL(ctx context.Context, query string, f func(url, body string) error) error {
	rows, err := s.q.QueryContext(ctx, query)
	if err != nil {
		return fmt.Errorf("read unfinished tasks: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var url, body string
		if err := rows.Scan(&url, &body); err != nil {
			return fmt.Errorf("read unfinished tasks: %w", err)
		}
		if err := f(url, body); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Cursors returns, by the entry of each start that the file knows, how many of its values are tasks already.
func (s *Store) Cursors(ctx context.Context) (map[string]int64, error) {
	marks, err := s.Marks(ctx)
	if err != nil {
		return nil, err
	}
	cursors := make(map[string]int64, len(marks))
	for entry, m := range marks {
		cursors[entry] = m.Cursor
	}
	return cursors, nil
}

// Marks returns, by the entry of each start that the file knows, how far it has come.
func (s *Store) Marks(ctx context.Context) (map[string]Mark, error) {
	rows, err := s.q.QueryContext(ctx, `SELECT entry, cursor, total, place, coalesce(print, '') FROM starts`)
	if err != nil {
		return nil, fmt.Errorf("read starts: %w", err)
	}
	defer rows.Close()
	marks := map[string]Mark{}
	for rows.Next() {
		m := Mark{Known: true}
		var entry string
		if err := rows.Scan(&entry, &m.Cursor, &m.Total, &m.Place, &m.Print); err != nil {
			return nil, fmt.Errorf("read starts: %w", err)
		}
		marks[entry] = m
	}
	return marks, rows.Err()
}

// Known reports whether a task stands for the request, in whatever state.
func (s *Store) Known(ctx context.Context, q schema.Request) (known bool, err error) {
	if err = s.q.QueryRowContext(ctx, knownSQL, q.Key()).Scan(&known); err != nil {
		err = fmt.Errorf("look for a task: %w", err)
	}
	return known, err
}
