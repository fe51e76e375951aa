package state

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// DamageHint says what to do about a damaged file.
const DamageHint = "nothing of a damaged file is overwritten; " +
	"`dogear run` sets it aside and goes on with what can be read of it"

// DamagedError says that the file, or what SQLite made of it, can't be what a run wrote. Nothing of it was overwritten.
type DamagedError struct {
	Path string
	Err  error
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("%s is damaged (%v); %s", e.Path, e.Err, DamageHint)
}

// Unwrap returns what was found.
func (e *DamagedError) Unwrap() error { return e.Err }

// IsDamage reports whether err says that a state file is damaged, in our words or in SQLite's. Of another program's file
// SQLite may say the same, but that is none.
func IsDamage(err error) bool {
	if errors.Is(err, ErrForeign) {
		return false
	}
	if _, ok := errors.AsType[*DamagedError](err); ok {
		return true
	}
	return malformed(err)
}

// malformed reports whether SQLite found the file damaged, or no database at all.
func malformed(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && (e.Code()&0xff == sqlite3.SQLITE_CORRUPT || e.Code()&0xff == sqlite3.SQLITE_NOTADB)
}

// notice makes what SQLite says of a damaged file a *DamagedError, and sees to it that the next run looks closely.
func (r *Run) notice(err error) error {
	if !malformed(err) {
		return err
	}
	if damaged, ok := errors.AsType[*DamagedError](err); ok {
		return damaged
	}
	if r.marker.known() {
		r.marker.Damaged = err.Error()
		// Without the word in the marker the next run looks closely only at a small file; it finds out soon enough.
		_ = writeMarker(r.path, r.marker, true)
	}
	return &DamagedError{Path: r.path, Err: err}
}

// files are the sizes of a state file and of its -wal, -1 where there is none.
type files struct{ main, wal int64 }

func filesOf(path string) (files, error) {
	var f files
	for _, one := range []struct {
		size *int64
		path string
	}{{&f.main, path}, {&f.wal, path + "-wal"}} {
		info, err := os.Stat(one.path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			*one.size = -1
		case err != nil:
			return f, fmt.Errorf("state file: %w", err)
		case !info.Mode().IsRegular():
			return f, noFile(one.path)
		default:
			*one.size = info.Size()
		}
	}
	return f, nil
}

// orphaned reports a -wal that holds something without the file that it belongs to. SQLite would delete it.
func (f files) orphaned() bool { return f.main <= 0 && f.wal > walHeader }

var errGarbageLog = errors.New("the header of its -wal is garbage")

// unlike says why the -wal can't be the one that the run of m wrote, or that nobody knows of; nil when it can.
func (m *marker) unlike(f files, path string) error {
	if f.wal <= walHeader || !m.known() {
		return nil
	}
	salt, ok := walSalt(path + "-wal")
	switch {
	case !ok:
		return errGarbageLog
	case m.Ended:
		return errors.New("there is a -wal though the last run had ended")
	case salt-m.WALSalt >= 1<<20: // SQLite adds one whenever it begins the -wal anew
		return errors.New("its -wal is not the one that the last run wrote")
	}
	return nil
}

// openSound opens the file for the run, and sets it aside first if it is damaged.
func (r *Run) openSound(ctx context.Context, o RunOptions, now time.Time) (err error) {
	path := followed(o.Path)
	if r.left, err = readMarker(path); err != nil {
		return err
	}
	if err := r.forgetReplaced(path); err != nil {
		return err
	}
	if r.left.Salvaging != nil {
		if err := r.repair(ctx, o, now, path, r.left, nil); err != nil {
			return err
		}
	} else if err := r.mend(ctx, o, now, path); err != nil {
		return err
	}
	err = r.open(ctx, o, now)
	if r.Found.Salvaged != nil || !malformed(err) && !r.schemaLost(ctx, err) {
		return r.notice(err)
	}
	if e := r.closeFile(); e != nil {
		return errors.Join(err, e)
	}
	r.conn, r.db, r.stmts, r.starts = nil, nil, statements{}, nil
	if e := unread(path); e != nil {
		return e
	}
	if err := r.repair(ctx, o, now, path, r.left, err); err != nil {
		return err
	}
	return r.open(ctx, o, now)
}

// mend does what examining the file calls for.
func (r *Run) mend(ctx context.Context, o RunOptions, now time.Time, path string) error {
	v, err := examine(ctx, path, &r.left)
	r.missing = v.missing
	switch {
	case err != nil:
		return err
	case v.damage != nil:
		return r.repair(ctx, o, now, path, r.left, v.damage)
	case v.badWAL != nil:
		return r.dropWAL(now, path, v)
	case v.missing > 0:
		r.told(&Salvage{Missing: v.missing, Why: "the -wal of the last run, or the end of it, is gone"})
	}
	return nil
}

// told keeps what was done, and tells the user.
func (r *Run) told(s *Salvage) {
	r.Found.Salvaged = s
	if r.tell != nil {
		r.tell(s)
	}
}
