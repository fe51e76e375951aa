package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"dogear/schema"
)

// ErrNone says that there is no state file yet.
var ErrNone = errors.New("no state file yet")

// ErrForeign says that the file is a SQLite file of another program, or none at all.
var ErrForeign = errors.New("not a dogear state file")

// ErrBusy says that somebody else has been writing to the file for longer than a write waits.
var ErrBusy = errors.New("somebody else is writing to the file")

// ErrGone says that the file is not there any more. What the last commits wrote went with it.
var ErrGone = errors.New("the state file was removed or replaced while the run went on: what it held is lost; run again")

// PageError says that tasks wait for a kind of page that the job no longer has.
type PageError struct{ Page string }

func (e *PageError) Error() string {
	return fmt.Sprintf("tasks wait for the kind of page %q, which the job file no longer has: put it back, or start over with `dogear reset`", e.Page)
}

// NewerError says that a newer dogear wrote the file.
type NewerError struct {
	Path       string
	Have, Know int // schema versions: the file's, and the newest that this program knows
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("%s has schema version %d, this dogear knows up to %d: use the newer dogear that wrote it", e.Path, e.Have, e.Know)
}

// Store reads a state file. It never blocks a run, and any number of goroutines may use it.
type Store struct {
	db   *sql.DB
	q    querier // db, or the transaction of Snapshot
	path string
}

// querier is what reads: a pool, a connection or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Snapshot calls f with a Store that sees one moment, however many things it reads. One goroutine may use it, and only
// within f. A long one keeps the WAL from being cut back. Within a Snapshot it is that same moment.
func (s *Store) Snapshot(ctx context.Context, f func(*Store) error) error {
	if _, within := s.q.(*sql.Tx); within {
		return f(s)
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("read %s: %w", s.path, err)
	}
	defer tx.Rollback() // it has changed nothing
	return f(&Store{db: s.db, q: tx, path: s.path})
}

// Open opens an existing state file for reading. Errors: ErrNone, ErrForeign, *NewerError, *DamagedError, or SQLite's.
func Open(ctx context.Context, path string) (*Store, error) {
	mode, err := readingMode(path)
	if err != nil {
		return nil, err
	}
	open := func(path string) (*sql.DB, error) { return openDB(path, mode, readPragmas) }
	if _, err := os.Stat(path + "-wal"); err != nil && writable(path) != nil {
		open = openAlone
	}
	db, err := open(path)
	if err != nil {
		return nil, err
	}
	version, err := identify(ctx, db, path)
	if e, ok := errors.AsType[*sqlite.Error](err); ok && slices.Contains(noShared, e.Code()&0xff) {
		db.Close()
		if db, err = openAlone(path); err != nil {
			return nil, err
		}
		version, err = identify(ctx, db, path)
	}
	if malformed(err) {
		err = ill(ctx, path, err)
	}
	if err == nil && version == 0 {
		err = fmt.Errorf("%s: %w: start with `dogear run`", path, ErrNone)
	}
	if err != nil {
		return nil, explainDisk(path, errors.Join(err, db.Close()))
	}
	return &Store{db: db, q: db, path: path}, nil
}

// noShared are SQLite's codes for a -shm file that can't be made.
var noShared = []int{sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}

// openAlone opens a file that this user may not write to. With WAL a reader writes too: to the -shm file, which it would
// leave behind as its own, in the way of the next run of somebody else. Without a WAL nobody else is at the file.
func openAlone(path string) (*sql.DB, error) {
	if _, err := os.Stat(path + "-wal"); err == nil {
		return nil, fmt.Errorf("%s is in use, and its folder can't be written to: copy %[1]s and %[1]s-wal elsewhere to read them", path)
	}
	return openDB(path, "immutable", readPragmas)
}

// Close ends the reading.
func (s *Store) Close() error { return s.db.Close() }

// identify returns the schema version of a file that is ours, 0 for an empty one.
func identify(ctx context.Context, db *sql.DB, path string) (int, error) {
	var id, version, tables int
	row := db.QueryRowContext(ctx, `SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
		FROM pragma_application_id, pragma_user_version`)
	err := row.Scan(&id, &version, &tables)
	if err != nil {
		return 0, fmt.Errorf("read %s: %w", path, err)
	}
	switch {
	case id == 0 && version == 0 && tables == 0:
		return 0, nil
	case id != schema.ApplicationID:
		return 0, fmt.Errorf("%s: %w (application_id %d): name another with --state", path, ErrForeign, id)
	case version > len(schema.Migrations()):
		return 0, &NewerError{Path: path, Have: version, Know: len(schema.Migrations())}
	}
	return version, nil
}
