package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// Progress is the view progress.
type Progress struct {
	Total     int64   `json:"total"`
	Pending   int64   `json:"pending"`
	InFlight  int64   `json:"in_flight"`
	Done      int64   `json:"done"`
	Failed    int64   `json:"failed"`
	Percent   float64 `json:"percent"`
	PerSecond float64 `json:"per_second"` // over the last minute
	ETA       *int64  `json:"eta_s"`      // seconds; nil: nothing to reckon from
}

// Complete reports whether nothing is left to do.
func (p Progress) Complete() bool { return p.Pending == 0 && p.InFlight == 0 }

// Progress reads the view progress.
func (s *Store) Progress(ctx context.Context) (Progress, error) {
	var p Progress
	row := s.q.QueryRowContext(ctx, `SELECT total, pending, in_flight, done, failed, percent, per_second, eta_s FROM progress`)
	err := row.Scan(&p.Total, &p.Pending, &p.InFlight, &p.Done, &p.Failed, &p.Percent, &p.PerSecond, &p.ETA)
	if err != nil {
		return p, fmt.Errorf("read progress: %w", err)
	}
	return p, nil
}

// RunInfo is a row of runs.
type RunInfo struct {
	ID        int64      `json:"id"`
	Host      string     `json:"host"`
	PID       int64      `json:"pid"`
	Version   string     `json:"version"`
	StartedAt time.Time  `json:"started_at"`
	Heartbeat time.Time  `json:"heartbeat_at"`
	EndedAt   *time.Time `json:"ended_at"`
	Ended     string     `json:"ended"` // Finished, Interrupted, Stopped; "running"; "died"
	Done      int64      `json:"done"`
	Failed    int64      `json:"failed"`
	Retried   int64      `json:"retried"`
	Records   int64      `json:"records"`
	Rejects   int64      `json:"rejects"`
	Bytes     int64      `json:"bytes"`
}

// Runs returns the last n runs, the newest first.
func (s *Store) Runs(ctx context.Context, n int) ([]RunInfo, error) {
	live := s.Running()
	rows, err := s.q.QueryContext(ctx, `SELECT id, host, pid, version, started_at, heartbeat_at, ended_at,
		coalesce(ended, ''), done, failed, retried, records, rejects, bytes FROM runs ORDER BY id DESC LIMIT ?`, n)
	if err != nil {
		return nil, fmt.Errorf("read runs: %w", err)
	}
	defer rows.Close()
	var runs []RunInfo
	for rows.Next() {
		var r RunInfo
		var started, beat int64
		var ended sql.NullInt64
		if err := rows.Scan(&r.ID, &r.Host, &r.PID, &r.Version, &started, &beat, &ended, &r.Ended,
			&r.Done, &r.Failed, &r.Retried, &r.Records, &r.Rejects, &r.Bytes); err != nil {
			return nil, fmt.Errorf("read runs: %w", err)
		}
		r.StartedAt, r.Heartbeat = time.UnixMilli(started).UTC(), time.UnixMilli(beat).UTC()
		if ended.Valid {
			at := time.UnixMilli(ended.Int64).UTC()
			r.EndedAt = &at
		}
		if r.Ended == "" {
			r.Ended = "died"
			if live && len(runs) == 0 {
				r.Ended = "running"
			}
		}
		runs = append(runs, r)
	}
	return runs, rows.Err()
}

// Running reports whether a process holds the file for a run now.
func (s *Store) Running() bool {
	path := lockPath(s.path)
	if _, err := os.Stat(path); err != nil {
		return false // flock would make it
	}
	l := flock.New(path)
	defer l.Close()
	free, err := l.TryRLock()
	return err == nil && !free
}

// JobInfo is the row of job.
type JobInfo struct {
	Name, Text string
	CreatedAt  time.Time
}

// Job reads the job that the file belongs to.
func (s *Store) Job(ctx context.Context) (JobInfo, error) {
	var j JobInfo
	var created int64
	err := s.q.QueryRowContext(ctx, `SELECT name, text, created_at FROM job`).Scan(&j.Name, &j.Text, &created)
	if errors.Is(err, sql.ErrNoRows) {
		return j, fmt.Errorf("%s: %w", s.path, ErrNone)
	}
	if err != nil {
		return j, fmt.Errorf("read job: %w", err)
	}
	j.CreatedAt = time.UnixMilli(created).UTC()
	return j, nil
}
