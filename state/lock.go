package state

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// LockedError says that another run holds the file. PID is 0 when the other one has not written its row yet.
type LockedError struct {
	Path  string
	PID   int64
	Host  string
	Since time.Time
}

func (e *LockedError) Error() string {
	if e.PID == 0 {
		return fmt.Sprintf("another run holds %s; wait for it, or stop it first", e.Path)
	}
	return fmt.Sprintf("another run holds %s: pid %d on %s, since %s; wait for it, or stop it first",
		e.Path, e.PID, e.Host, e.Since.Local().Format("2006-01-02 15:04:05"))
}

const lockPatience = 300 * time.Millisecond

// lock takes the exclusive lock for a run on the state file at path, or returns a *LockedError. The lock is a file of
// its own, never deleted: deleting it would let two processes hold "the" lock, one on each inode.
func lock(ctx context.Context, path string) (*flock.Flock, error) {
	if info, err := os.Stat(lockPath(path)); err == nil && !info.Mode().IsRegular() {
		return nil, noFile(lockPath(path))
	}
	l := flock.New(lockPath(path))
	// Store.Running holds the lock for a moment to see whether it is free: that must not look like a run.
	wait, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	held, err := l.TryLockContext(wait, lockPatience/10)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no folder %s for the state file: make it, or name another file with --state (%w)",
			filepath.Dir(path), fs.ErrNotExist)
	}
	if err != nil && (ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded)) {
		return nil, explainDisk(lockPath(path), fmt.Errorf("lock %s.lock: %w", path, err))
	}
	if held {
		return l, nil
	}
	return nil, errors.Join(l.Close(), owner(ctx, path))
}

// noFile is the error of a folder, a pipe or a device where a file should be.
func noFile(path string) error {
	return fmt.Errorf("%s is not a file: move it away, or name another state file with --state", path)
}

// lockPath is the lock file of the state file at path. Names that link to one file have one lock.
func lockPath(path string) string { return followed(path) + ".lock" }

// followed is path with symbolic links followed, as SQLite does, also to where there is no file; while it was set
// aside, say.
func followed(path string) string {
	for range 40 {
		if target, err := filepath.EvalSymlinks(path); err == nil {
			return target
		}
		target, err := os.Readlink(path)
		if err != nil {
			return path
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	return path
}

// owner reads who holds the file: the last run that has not ended.
func owner(ctx context.Context, path string) error {
	locked := &LockedError{Path: path}
	s, err := Open(ctx, path)
	if err != nil {
		return locked // it is only just being made
	}
	defer s.Close()
	var since int64
	row := s.q.QueryRowContext(ctx, `SELECT pid, host, started_at FROM runs WHERE ended IS NULL ORDER BY id DESC LIMIT 1`)
	if row.Scan(&locked.PID, &locked.Host, &since) == nil {
		locked.Since = time.UnixMilli(since)
	}
	return locked
}
