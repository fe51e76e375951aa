package state

import (
	"context"
	"errors"
	"fmt"
)

// doneBatch is how many rows EachDone reads at a time: outside of a snapshot it is never in the way of a checkpoint.
const doneBatch = 10_000

const doneSinceSQL = `SELECT id, url FROM tasks WHERE id > ? AND state = 'done' ORDER BY id LIMIT ?`

// EachDone calls f with the URL of every done task, by id, without holding them in memory. Outside of Snapshot it is
// many short reads: what finishes meanwhile may be in it or not. An error of f ends it and is returned.
func (s *Store) EachDone(ctx context.Context, f func(url string) error) error {
	urls := make([]string, 0, doneBatch)
	for last := int64(0); ; {
		var err error
		if urls, last, err = s.doneSince(ctx, last, urls[:0]); err != nil {
			return err
		}
		for _, url := range urls {
			if err := f(url); err != nil {
				return err
			}
		}
		if len(urls) < doneBatch {
			return nil
		}
	}
}

func (s *Store) doneSince(ctx context.Context, last int64, urls []string) ([]string, int64, error) {
	rows, err := s.q.QueryContext(ctx, doneSinceSQL, last, doneBatch)
	if err != nil {
		return nil, 0, fmt.Errorf("read done tasks: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var url string
		if err := rows.Scan(&last, &url); err != nil {
			return nil, 0, fmt.Errorf("read done tasks: %w", err)
		}
		urls = append(urls, url)
	}
	return urls, last, rows.Err()
}

// ErrTrimmed says that changes after a cursor are not kept any more: what follows them has to be made from the
// beginning.
var ErrTrimmed = errors.New("the changes after this cursor are not kept any more")

// Change is a task that finished while its run had a mirror.
type Change struct {
	Seq   int64
	URL   string
	State string // of the task now: Done or Failed, or another when it was put back since
	Again bool   // it had finished before, and may stand where it does not belong now
}

const changesSQL = `SELECT c.seq, c.task < 0, t.url, t.state FROM mirror_changes AS c
	JOIN tasks AS t ON t.id = abs(c.task) WHERE c.seq > ? ORDER BY c.seq LIMIT ?`

// Changes returns up to n changes after the one numbered after, oldest first. ErrTrimmed says that they are not all of
// those.
func (s *Store) Changes(ctx context.Context, after int64, n int) ([]Change, error) {
	last, err := s.LastChange(ctx) // before the rows: what comes in between is no gap
	if err != nil {
		return nil, err
	}
	rows, err := s.q.QueryContext(ctx, changesSQL, after, n)
	if err != nil {
		return nil, fmt.Errorf("read changes: %w", err)
	}
	defer rows.Close()
	var changes []Change
	for rows.Next() {
		var c Change
		if err := rows.Scan(&c.Seq, &c.Again, &c.URL, &c.State); err != nil {
			return nil, fmt.Errorf("read changes: %w", err)
		}
		changes = append(changes, c)
	}
	// The numbers of changes have no holes.
	if len(changes) > 0 && changes[0].Seq != after+1 || len(changes) == 0 && last != after {
		return nil, fmt.Errorf("read changes after %d: %w", after, ErrTrimmed)
	}
	return changes, rows.Err()
}

// LastChange is the number of the last change that was ever written, kept or not; 0: none.
func (s *Store) LastChange(ctx context.Context) (int64, error) {
	var seq int64
	row := s.q.QueryRowContext(ctx, `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'mirror_changes'), 0)`)
	if err := row.Scan(&seq); err != nil {
		return 0, fmt.Errorf("read the last change: %w", err)
	}
	return seq, nil
}

// MirrorCursor is how far the mirror at target is; false when it has to be made from the beginning.
func (s *Store) MirrorCursor(ctx context.Context, target string) (int64, bool, error) {
	cursors, err := mirrorCursors(ctx, s.q)
	seq, ok := cursors[target]
	return seq, ok, err
}
