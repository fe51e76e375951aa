package state

import (
	"errors"
	"fmt"
	"os"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// FullError says that the disk has no room for a commit. What was committed before stays.
type FullError struct {
	Path string
	Need int64 // about so many bytes more are needed to bring the job to its end
}

func (e *FullError) Error() string {
	return fmt.Sprintf("the disk of %s is full; all that was committed is kept. Free about %d MB, and the same command carries on",
		e.Path, (e.Need+999_999)/1_000_000)
}

// explain gives an error of SQLite that a user can do something about its own type.
func (r *Run) explain(err error) error {
	if e, ok := errors.AsType[*sqlite.Error](err); ok && e.Code()&0xff == sqlite3.SQLITE_FULL {
		return &FullError{Path: r.path, Need: r.need()}
	}
	return explainDisk(r.path, err)
}

// need reckons from what a finished task took so far. The WAL comes on top, since a checkpoint needs both.
func (r *Run) need() int64 {
	var size int64
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(r.path + suffix); err == nil {
			size += info.Size()
		}
	}
	perTask := min(size/max(r.counts.Done+r.counts.Failed, 1), 100_000)
	return perTask*r.counts.Left() + walLimit
}
