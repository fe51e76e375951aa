package state

import (
	"context"
	"fmt"
	"strings"

	"dogear/schema"
)

// RecentAttempt is a row of the view recent.
type RecentAttempt struct {
	At      string `json:"at"` // UTC, with milliseconds
	Task    int64  `json:"task"`
	Attempt int    `json:"attempt"`
	Outcome string `json:"outcome"` // "done", or the kind of failure
	Status  *int   `json:"status"`
	TookMS  *int64 `json:"took_ms"`
	URL     string `json:"url"`
	Error   string `json:"error"`
}

// recentSQL cuts what a page may have made as long as it liked.
const recentSQL = `SELECT at, task, attempt, outcome, status, took_ms, substr(url, 1, 1000),
	substr(coalesce(error, ''), 1, 1000) FROM recent LIMIT ?`

// Recent reads the n newest rows of the view recent, 30 at the most, the newest first. It costs the same whatever the
// size of the file.
func (s *Store) Recent(ctx context.Context, n int) ([]RecentAttempt, error) {
	rows, err := s.q.QueryContext(ctx, recentSQL, n)
	if err != nil {
		return nil, fmt.Errorf("read recent attempts: %w", err)
	}
	defer rows.Close()
	recent := []RecentAttempt{}
	for rows.Next() {
		var a RecentAttempt
		if err := rows.Scan(&a.At, &a.Task, &a.Attempt, &a.Outcome, &a.Status, &a.TookMS, &a.URL, &a.Error); err != nil {
			return nil, fmt.Errorf("read recent attempts: %w", err)
		}
		recent = append(recent, a)
	}
	return recent, rows.Err()
}

// latestSQL reads from the end of the table itself, since _seq is its rowid. Texts are cut.
func latestSQL(t *schema.Table) string {
	values := make([]string, len(t.Fields))
	for i := range t.Fields {
		name := quote(t.Name) + "." + quote(t.Fields[i].Name)
		values[i] = fmt.Sprintf("iif(typeof(%s) = 'text', substr(%[1]s, 1, 300), %[1]s)", name)
	}
	return fmt.Sprintf(`SELECT _seq, _task, _pos, _fetched_at, %s FROM %s ORDER BY _seq DESC LIMIT ?`,
		strings.Join(values, ", "), quote(t.Name))
}

// Latest reads the n records of t that changed last, the newest first, with no more than 300 characters of a text. It
// costs the same whatever the size of the table. *ChangedError says that t is not what the file holds.
func (s *Store) Latest(ctx context.Context, t *schema.Table, n int) ([]Record, error) {
	if err := s.fits(ctx, t); err != nil {
		return nil, err
	}
	rows, err := s.q.QueryContext(ctx, latestSQL(t), n)
	if err != nil {
		return nil, fmt.Errorf("read the latest records of %s: %w", t.Name, err)
	}
	defer rows.Close()
	latest := []Record{}
	err = eachRecord(rows, t, func(r *Record) error {
		kept := *r
		kept.Values = append([]any(nil), r.Values...)
		latest = append(latest, kept)
		return nil
	})
	return latest, err
}
