package state

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// DiskError says that the disk failed to read, write or sync the file or its log. What was committed before stays.
type DiskError struct {
	Path string
	Err  error
}

func (e *DiskError) Error() string {
	return fmt.Sprintf("the disk of %s failed (%v); all that was committed is kept. "+
		"Check the disk, or the mount, and the same command carries on", e.Path, e.Err)
}

func (e *DiskError) Unwrap() error { return e.Err }

// UnwritableError says that this user may not write to the file, or to its folder, where SQLite keeps the log.
type UnwritableError struct {
	Path string
	Err  error
}

func (e *UnwritableError) Error() string {
	return fmt.Sprintf("%s can't be written to (%v); what it holds is kept. "+
		"Make the file and its folder writable, or name another with --state", e.Path, e.Err)
}

func (e *UnwritableError) Unwrap() error { return e.Err }

// explainDisk gives those errors of SQLite and of the system their own types that say what the disk refused.
func explainDisk(path string, err error) error {
	_, disk := errors.AsType[*DiskError](err)
	if _, unwritable := errors.AsType[*UnwritableError](err); disk || unwritable {
		return err // by somebody nearer to it
	}
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return &UnwritableError{Path: path, Err: err}
	}
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return err
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_IOERR:
		return &DiskError{Path: path, Err: err}
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		return &UnwritableError{Path: path, Err: err}
	}
	return err
}

// explainClosed is explain for a file that is not open any more. SQLite takes a file that can't be read for a damaged
// one (its VDBE makes SQLITE_IOERR_CORRUPTFS into SQLITE_CORRUPT), so it is read to see which it is. To close a file that
// is open elsewhere in this process would take SQLite's locks away.
func (r *Run) explainClosed(err error) error {
	if e, ok := errors.AsType[*sqlite.Error](err); ok && e.Code()&0xff == sqlite3.SQLITE_CORRUPT {
		if unread := unread(r.path); unread != nil {
			return unread
		}
	}
	return r.explain(err)
}

// unread returns a *DiskError when the file at path, or its -wal, can't be read: then it is not known to be damaged.
func unread(path string) error {
	for _, name := range []string{path, path + "-wal"} {
		if err := readable(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return &DiskError{Path: path, Err: err}
		}
	}
	return nil
}

// checkpoint moves the log into the file, as closing it does, which keeps quiet when that fails: nothing would be lost, but
// nobody would know that the disk fails, or that the file alone has not got everything.
func (r *Run) checkpoint(ctx context.Context) error {
	var busy, frames, moved int64 // a reader may keep some from being moved
	if err := r.conn.QueryRowContext(ctx, `PRAGMA wal_checkpoint(PASSIVE)`).Scan(&busy, &frames, &moved); err != nil {
		return fmt.Errorf("checkpoint %s: %w", r.path, r.explain(err))
	}
	return nil
}

// readable reads the whole file, and returns what kept it from doing so.
func readable(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close() // it was only read
	info, err := f.Stat()
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, io.NewSectionReader(f, 0, info.Size()))
	return err
}

// writable returns nil when this user may write to the file, if there is one, and to its folder.
func writable(path string) error {
	path = followed(path)
	if err := access(filepath.Dir(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &UnwritableError{Path: path, Err: err}
	}
	if err := access(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &UnwritableError{Path: path, Err: err}
	}
	return nil
}
