package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// WAL is the write-ahead log beside a state file, FILE-wal: what was committed and is not in FILE itself yet. SQLite
// begins it anew when all of it has been moved there and nobody reads from it: one read that does not end makes it grow
// with every commit. See https://www.sqlite.org/wal.html#avoiding_excessively_large_wal_files.
type WAL struct {
	Bytes   int64    `json:"wal_bytes"`
	Readers []Reader `json:"wal_readers"` // who keep it that large, where that can be seen; nil within its limit
}

// Reader is a process that reads a state file.
type Reader struct {
	PID  int64  `json:"pid"`
	Name string `json:"name"` // of its program; "" when the system does not say
}

func (r Reader) String() string {
	if r.Name == "" {
		return fmt.Sprintf("pid %d", r.PID)
	}
	return fmt.Sprintf("%s (pid %d)", r.Name, r.PID)
}

// Over reports whether the WAL is larger than it may become without somebody who reads for long.
func (w WAL) Over() bool { return w.Bytes > walLimit }

// String says how large the WAL is, who keeps it so, and what helps.
func (w WAL) String() string {
	who, keep, end := unseen, "keeps", "that read ends"
	if len(w.Readers) > 0 {
		var names []string
		for _, r := range w.Readers {
			names = append(names, r.String())
		}
		who = strings.Join(names, " and ")
	}
	if len(w.Readers) > 1 {
		keep, end = "keep", "those reads end"
	}
	return fmt.Sprintf("the WAL has grown to %d MiB, where %d are enough: %s %s it from being cut back; "+
		"when %s, it shrinks at the next checkpoint", w.Bytes>>20, walLimit>>20, who, keep, end)
}

// WAL looks how large the WAL is and, when that is too large, who keeps it from being cut back. Neither this process
// nor the run is among them: both read for moments only.
func (s *Store) WAL(ctx context.Context) (WAL, error) {
	var run int64
	if s.Running() {
		row := s.q.QueryRowContext(ctx, `SELECT pid FROM runs WHERE ended IS NULL ORDER BY id DESC LIMIT 1`)
		if err := row.Scan(&run); err != nil && !errors.Is(err, sql.ErrNoRows) {
			return WAL{}, fmt.Errorf("read runs: %w", err)
		}
	}
	return lookAtWAL(s.path, run)
}

// lookAtWAL opens neither the file nor what lies beside it: closing any descriptor of them would release the locks that
// SQLite holds on them in this process. See https://www.sqlite.org/howtocorrupt.html, 2.2.
func lookAtWAL(path string, run int64) (w WAL, err error) {
	if w.Bytes, err = walSize(path); err != nil || !w.Over() {
		return w, err
	}
	readers, err := walReaders(followed(path) + "-shm")
	if err != nil {
		return w, fmt.Errorf("look who reads %s: %w", path, err)
	}
	w.Readers = slices.DeleteFunc(readers, func(r Reader) bool { return r.PID == run || r.PID == int64(os.Getpid()) })
	return w, nil
}

// walSize is the size in bytes of the WAL of the file at path, 0 when there is none.
func walSize(path string) (int64, error) {
	info, err := os.Stat(followed(path) + "-wal")
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("write-ahead log: %w", err)
	}
	return info.Size(), nil
}
