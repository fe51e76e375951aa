package state

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"dogear/schema"
)

// ours reports whether dogear made a file of which SQLite can make nothing: by what runs left in the lock file, by the
// mark in its header, or by rows that look like dogear's. Nobody in this process may have the file open with SQLite:
// closing it here would take the locks away.
func ours(ctx context.Context, path string, m *marker) (is bool, err error) {
	if m.known() {
		return true, nil
	}
	if is, err = stamped(path); is || err != nil {
		return is, err
	}
	source, err := openSource(path, path+"-wal")
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, source.close()) }()
	h := source.Header()
	if h.Sane && h.ApplicationID != 0 {
		return h.ApplicationID == schema.ApplicationID, nil
	}
	return source.likeOurs(ctx)
}

// stamped reports whether our application_id stands where it should, whatever the rest of the header is.
func stamped(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	page, err := readAt(f, 0, markSize)
	return len(page) == markSize && binary.BigEndian.Uint32(page[68:]) == schema.ApplicationID, err
}

// readingMode is how a reader opens the file. Before it opens one with SQLite it makes sure that SQLite won't change
// it: an empty file would have its -wal deleted, and the last reader to close a file moves the -wal into it, whosever
// that is.
func readingMode(path string) (string, error) {
	target := followed(path)
	f, err := filesOf(target)
	if err != nil {
		return "", err
	}
	m, err := readMarker(target)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "rw", nil // somebody else's file, to be read all the same
	case err != nil:
		return "", err
	case f.orphaned():
		return "", &DamagedError{Path: path, Err: errNoMain}
	case m.Salvaging != nil:
		return "", fmt.Errorf("%s is being salvaged: `dogear run` goes on with that", path)
	case f.main == 0 && m.known():
		return "", &DamagedError{Path: path, Err: errEmpty}
	case f.main < 0:
		return "", fmt.Errorf("%s: %w: start with `dogear run`", path, ErrNone)
	case m.unlike(f, target) != nil:
		return "ro", nil
	}
	return "rw", nil
}

// ill is the error of a file of which SQLite can make nothing: it is damaged, or another program's.
func ill(ctx context.Context, path string, err error) error {
	m, e := readMarker(path)
	if e != nil {
		return errors.Join(err, e)
	}
	is, e := ours(ctx, followed(path), &m)
	switch {
	case e != nil:
		return errors.Join(err, e)
	case is:
		return &DamagedError{Path: path, Err: err}
	}
	return fmt.Errorf("%s: %w (%w): name another with --state", path, ErrForeign, err)
}

// schemaLost reports whether SQLite did not understand a statement because a table of ours is not what it was: the
// text that made it is damaged.
func (r *Run) schemaLost(ctx context.Context, err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok || e.Code() != sqlite3.SQLITE_ERROR || r.conn == nil {
		return false
	}
	have, err := layoutsIn(ctx, r.conn)
	if err != nil {
		return false
	}
	known, err := knownLayouts(ctx)
	if err != nil {
		return false
	}
	seen := map[string]bool{}
	for _, want := range known { // the newest come first
		i := slices.IndexFunc(have, func(l layout) bool { return l.table == want.table })
		if !seen[want.table] && (i < 0 || !have[i].has(&want)) {
			return true
		}
		seen[want.table] = true
	}
	return false
}

// has reports whether l has all columns of another layout, and maybe more.
func (l *layout) has(other *layout) bool {
	return !slices.ContainsFunc(other.columns, func(c column) bool { return l.column(c.name) < 0 })
}
