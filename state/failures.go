package state

import (
	"context"
	"fmt"
	"regexp"
	"strings"
)

// Filter picks failed tasks. Its zero value picks all of them.
type Filter struct {
	Kind   string         // error_kind
	Status int            // HTTP status
	Match  *regexp.Regexp // on the URL
}

// where returns the filter as SQL for the table tasks. The literal state lets the partial index serve it.
func (f Filter) where() (string, []any) {
	terms, args := []string{`state = 'failed'`}, []any{}
	if f.Kind != "" {
		terms, args = append(terms, `error_kind = ?`), append(args, f.Kind)
	}
	if f.Status != 0 {
		terms, args = append(terms, `status = ?`), append(args, f.Status)
	}
	if f.Match != nil {
		terms, args = append(terms, `url REGEXP ?`), append(args, f.Match.String())
	}
	return strings.Join(terms, ` AND `), args
}

// FailureGroup is a row of the view failures.
type FailureGroup struct {
	Kind         string `json:"kind"`
	Status       *int   `json:"status"`
	Tasks        int64  `json:"tasks"`
	ExampleURL   string `json:"example_url"`
	ExampleError string `json:"example_error"`
	LastAt       string `json:"last_at"` // UTC
}

// FailureGroups reads the view failures.
func (s *Store) FailureGroups(ctx context.Context) ([]FailureGroup, error) {
	rows, err := s.q.QueryContext(ctx, `SELECT kind, status, tasks, example_url, coalesce(example_error, ''), last_at FROM failures`)
	if err != nil {
		return nil, fmt.Errorf("read failures: %w", err)
	}
	defer rows.Close()
	groups := []FailureGroup{}
	for rows.Next() {
		var g FailureGroup
		if err := rows.Scan(&g.Kind, &g.Status, &g.Tasks, &g.ExampleURL, &g.ExampleError, &g.LastAt); err != nil {
			return nil, fmt.Errorf("read failures: %w", err)
		}
		groups = append(groups, g)
	}
	return groups, rows.Err()
}

// FailedTask is a task that was given up.
type FailedTask struct {
	ID       int64  `json:"task"`
	URL      string `json:"url"`
	Body     string `json:"body,omitempty"`
	Kind     string `json:"kind"`
	Status   *int   `json:"status"`
	Attempts int    `json:"attempts"`
	Error    string `json:"error"`
	At       string `json:"at"` // UTC
}

// failedSQL reads the failed tasks by id. The inner query takes their ids from the partial index; asked for in one query
// and in this order, SQLite would go through all tasks instead.
func failedSQL(where string) string {
	return `SELECT id, url, coalesce(body, ''), error_kind, status, attempts, coalesce(error, ''), strftime('%Y-%m-%d %H:%M:%S', finished_at / 1000, 'unixepoch')
		FROM tasks WHERE id IN (SELECT id FROM tasks WHERE ` + where + `) ORDER BY id`
}

// EachFailed calls f for every failed task that the filter picks, by id, without holding them in memory. An error of f ends
// it and is returned.
func (s *Store) EachFailed(ctx context.Context, filter Filter, f func(FailedTask) error) error {
	where, args := filter.where()
	rows, err := s.q.QueryContext(ctx, failedSQL(where), args...)
	if err != nil {
		return fmt.Errorf("read failed tasks: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var t FailedTask
		if err := rows.Scan(&t.ID, &t.URL, &t.Body, &t.Kind, &t.Status, &t.Attempts, &t.Error, &t.At); err != nil {
			return fmt.Errorf("read failed tasks: %w", err)
		}
		if err := f(t); err != nil {
			return err
		}
	}
	return rows.Err()
}

// retrySQL takes the ids from the partial index, as failedSQL does.
func retrySQL(where string) string {
	return `UPDATE tasks SET state = 'pending', attempts = 0, not_before = 0, status = NULL, error_kind = NULL, error = NULL
		WHERE id IN (SELECT id FROM tasks WHERE ` + where + ` LIMIT ?)`
}

// Retry puts the failed tasks that the filter picks back to pending with all their attempts and returns how many, in
// transactions of putBackSize: an error or the end of the process leaves the rest failed. The rows in attempts stay: they
// are history.
func (r *Run) Retry(ctx context.Context, filter Filter) (int64, error) {
	where, args := filter.where()
	query, args := retrySQL(where), append(args, putBackSize)
	n, err := r.inBatches(ctx, &r.counts.Failed, func() (int64, error) {
		result, err := r.conn.ExecContext(ctx, query, args...)
		if err != nil {
			return 0, err
		}
		return result.RowsAffected()
	})
	if err != nil {
		return n, fmt.Errorf("retry failed tasks: %w", err)
	}
	return n, nil
}
