package state

import (
	"context"
	"fmt"
	"time"
)

// Tick is how many tasks finished in a second.
type Tick struct {
	At       time.Time // the beginning of the second
	Finished int64
}

// ticksSQL reads a range of the table itself, which has the last five minutes of the runs that finished anything.
const ticksSQL = `SELECT at, finished FROM ticks WHERE at >= ? AND at <= ? ORDER BY at`

// Ticks reads how many tasks finished in each second from since to now, the oldest first. Seconds without any are left
// out.
func (s *Store) Ticks(ctx context.Context, since, now time.Time) ([]Tick, error) {
	rows, err := s.q.QueryContext(ctx, ticksSQL, since.UnixMilli(), now.UnixMilli())
	if err != nil {
		return nil, fmt.Errorf("read ticks: %w", err)
	}
	defer rows.Close()
	var ticks []Tick
	for rows.Next() {
		var at int64
		var t Tick
		if err := rows.Scan(&at, &t.Finished); err != nil {
			return nil, fmt.Errorf("read ticks: %w", err)
		}
		t.At = time.UnixMilli(at)
		ticks = append(ticks, t)
	}
	return ticks, rows.Err()
}

// FailureCount is how many tasks failed in one way.
type FailureCount struct {
	Kind   string `json:"kind"`
	Status int    `json:"status"` // 0: there was no answer
	Tasks  int64  `json:"tasks"`
}

// failureCountsSQL needs nothing but the partial index, unlike the view failures.
const failureCountsSQL = `SELECT error_kind, coalesce(status, 0), count(*) FROM tasks
	WHERE state = 'failed' GROUP BY error_kind, status ORDER BY 3 DESC, 1, 2`

// FailureCounts counts the failed tasks by kind and status, the most first. A million of them take a tenth of a second.
func (s *Store) FailureCounts(ctx context.Context) ([]FailureCount, error) {
	rows, err := s.q.QueryContext(ctx, failureCountsSQL)
	if err != nil {
		return nil, fmt.Errorf("count failures: %w", err)
	}
	defer rows.Close()
	counts := []FailureCount{}
	for rows.Next() {
		var c FailureCount
		if err := rows.Scan(&c.Kind, &c.Status, &c.Tasks); err != nil {
			return nil, fmt.Errorf("count failures: %w", err)
		}
		counts = append(counts, c)
	}
	return counts, rows.Err()
}

// heldBackSQL looks at all hosts, of which there are some thousands at the most.
const heldBackSQL = `SELECT host, coalesce(rate, 0), coalesce(leave_until, 0) FROM hosts
	WHERE rate > 0 OR leave_until > ? ORDER BY leave_until > ?1 DESC, rate, host LIMIT ?`

// HeldBack reads up to n hosts that are left alone now, or asked more slowly than the job says, as the run kept them
// last.
func (s *Store) HeldBack(ctx context.Context, now time.Time, n int) ([]Host, error) {
	rows, err := s.q.QueryContext(ctx, heldBackSQL, now.UnixMilli(), n)
	if err != nil {
		return nil, fmt.Errorf("read hosts: %w", err)
	}
	defer rows.Close()
	var hosts []Host
	for rows.Next() {
		var h Host
		var until int64
		if err := rows.Scan(&h.Name, &h.Rate, &until); err != nil {
			return nil, fmt.Errorf("read hosts: %w", err)
		}
		if until > now.UnixMilli() {
			h.LeaveUntil = time.UnixMilli(until)
		}
		hosts = append(hosts, h)
	}
	return hosts, rows.Err()
}

// lastFailuresSQL reads from the end of the table, and cuts what a page may have made as long as it liked.
const lastFailuresSQL = `SELECT a.at, a.task, a.attempt, a.kind, a.status, substr(t.url, 1, 1000),
	substr(coalesce(a.error, ''), 1, 1000)
	FROM attempts AS a JOIN tasks AS t ON t.id = a.task ORDER BY a.id DESC LIMIT ?`

// FailedAttempt is a row of attempts.
type FailedAttempt struct {
	At         time.Time
	Task       int64
	Attempt    int
	Kind       string
	Status     *int // nil: there was no answer
	URL, Error string
}

// LastFailures reads the n failed attempts that were committed last, the newest first.
func (s *Store) LastFailures(ctx context.Context, n int) ([]FailedAttempt, error) {
	rows, err := s.q.QueryContext(ctx, lastFailuresSQL, n)
	if err != nil {
		return nil, fmt.Errorf("read the last failures: %w", err)
	}
	defer rows.Close()
	var last []FailedAttempt
	for rows.Next() {
		var at int64
		var a FailedAttempt
		if err := rows.Scan(&at, &a.Task, &a.Attempt, &a.Kind, &a.Status, &a.URL, &a.Error); err != nil {
			return nil, fmt.Errorf("read the last failures: %w", err)
		}
		a.At = time.UnixMilli(at)
		last = append(last, a)
	}
	return last, rows.Err()
}
