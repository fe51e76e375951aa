package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"modernc.org/sqlite"
)

// Up to so many bytes, with the -wal, a file is checked at every opening by a run: to the last index, or the trees
// alone. Both take a tenth of a second at these sizes, more when the file has to come from a disk.
const (
	checkedClosely = 16 << 20
	checkedAtAll   = 64 << 20
)

var (
	errNoMain = errors.New("there is nothing in it, and its -wal is still there")
	errEmpty  = errors.New("it is empty")
)

// verdict is what came of looking at the files of a job before SQLite may write to them.
type verdict struct {
	damage  error         // why the file has to be set aside; nil when it is sound
	badWAL  error         // why the -wal alone has to be, since it is not this file's
	missing time.Duration // for so long before the last run died, commits are not in the file: its -wal was lost
}

// examine looks at a state file without changing anything, with SQLite as far as that gets. m is what the last run
// left in the lock file, which this process holds. Errors: ErrForeign, *NewerError, or those of the context.
func examine(ctx context.Context, path string, m *marker) (verdict, error) {
	f, err := filesOf(path)
	switch {
	case err != nil:
		return verdict{}, err
	case f.orphaned():
		return verdict{damage: errNoMain}, nil
	case f.main == 0 && m.known():
		return verdict{damage: errEmpty}, nil
	case f.main <= 0:
		return verdict{}, nil // there is none yet
	}
	l := looker{
		path: path, m: m, strange: m.unlike(f, path), log: f.wal > walHeader,
		size: f.main, total: f.main + max(f.wal, 0),
	}
	v, err := l.look(ctx)
	if err != nil || v.damage == nil {
		return v, err
	}
	if err := unread(path); err != nil {
		return verdict{}, err
	}
	if is, err := ours(ctx, path, m); err != nil || !is {
		return verdict{}, errors.Join(err, fmt.Errorf("%s: %w (%w): name another with --state", path, ErrForeign, v.damage))
	}
	return v, nil
}

// looker looks at a file of some size.
type looker struct {
	path    string
	m       *marker
	strange error // why the -wal can't be the file's own
	log     bool  // there is something in the -wal
	size    int64 // of the file itself, in bytes
	total   int64 // with the -wal
}

func (l *looker) look(ctx context.Context) (verdict, error) {
	closely := l.strange != nil || l.m.Damaged != ""
	have, err := l.both(ctx, closely)
	if err == nil && !closely && l.m.missing(have) > 0 {
		have, err = l.both(ctx, true)
	}
	if err == nil && have.job == (jobID{}) && l.m.known() {
		err = l.damaged(errors.New("nothing is in it any more"))
	}
	switch {
	case ctx.Err() != nil:
		return verdict{}, ctx.Err()
	case l.strange != nil && (err != nil || !l.m.same(have.job)):
		return l.without(ctx, have, err), nil
	case err == nil && l.strange == errGarbageLog:
		return verdict{badWAL: l.strange, missing: l.m.missing(have)}, nil // SQLite passes over it, and would write over it
	case err == nil:
		return verdict{missing: l.m.missing(have)}, nil
	case IsDamage(err):
		return verdict{damage: reason(err)}, nil
	case errors.Is(err, ErrForeign), isNewer(err):
		return verdict{}, err
	}
	return verdict{}, nil // no file to read, no right to: opening it says so in the words that fit
}

// both reads the file and its -wal.
func (l *looker) both(ctx context.Context, closely bool) (facts, error) {
	if !l.log {
		// A reader of a file in WAL mode makes a -wal that it may not delete again. Without one it need not: but somebody
		// with a sqlite3 shell may just be writing one, so what looks like damage is looked at again.
		if have, err := l.read(ctx, "immutable", closely); !IsDamage(err) {
			return have, err
		}
	}
	return l.read(ctx, "ro", closely)
}

// without looks at the file without a -wal that is hardly its own. With it the file held what with says, if damage is
// nil.
func (l *looker) without(ctx context.Context, with facts, damage error) verdict {
	have, err := l.read(ctx, "immutable", true)
	switch {
	case err == nil && l.m.same(have.job):
		return verdict{badWAL: l.strange, missing: l.m.missing(have)}
	case err == nil && damage == nil && (have.job == with.job || have.job == jobID{}):
		// Somebody put another job's file here, -wal and all. While it is small, nothing of it is in the file itself.
		return verdict{}
	case damage != nil:
		return verdict{damage: fmt.Errorf("%w; %w", l.strange, reason(damage))}
	}
	return verdict{damage: l.strange}
}

// reason is what a *DamagedError says was found.
func reason(err error) error {
	if e, ok := errors.AsType[*DamagedError](err); ok {
		return e.Err
	}
	return err
}

// facts are what tells state files, and moments of one, apart.
type facts struct {
	version int // of the schema; 0: nothing is in it
	job     jobID
	run     int64 // the last one
	beat    int64 // its last commit
}

// read reads the facts of the file in one of openDB's modes, none of which changes it: "ro" never moves anything from
// the -wal into it. It checks the whole file when that is cheap, and to the last index when closely. What is wrong is a
// *DamagedError.
func (l *looker) read(ctx context.Context, mode string, closely bool) (have facts, err error) {
	db, err := openDB(l.path, mode, readPragmas)
	if err != nil {
		return have, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	if have.version, err = identify(ctx, db, l.path); malformed(err) {
		return have, l.damaged(err)
	} else if err != nil {
		return have, err
	}
	if have.version == 0 {
		return have, nil
	}
	pragma := "quick_check"
	if closely || l.total <= checkedClosely {
		pragma = "integrity_check"
	}
	if !l.log {
		if err := l.whole(ctx, db); err != nil {
			return have, l.damaged(err)
		}
	}
	if closely || l.total <= checkedAtAll {
		if err := check(ctx, db, pragma); err != nil {
			return have, l.damaged(err)
		}
	}
	if err := have.read(ctx, db); err != nil {
		return have, l.damaged(err)
	}
	return have, nil
}

// whole finds a last page that is cut, of which SQLite thinks nothing.
func (l *looker) whole(ctx context.Context, q querier) error {
	var page int64
	if err := q.QueryRowContext(ctx, `PRAGMA page_size`).Scan(&page); err != nil {
		return fmt.Errorf("read the page size: %w", err)
	}
	if l.size%page != 0 {
		return fmt.Errorf("it ends within page %d", l.size/page+1)
	}
	return nil
}

// damaged makes an error of the file's content a *DamagedError.
func (l *looker) damaged(err error) error {
	if e, ok := errors.AsType[*sqlite.Error](err); err == nil || ok && !malformed(e) {
		return err
	}
	return &DamagedError{Path: l.path, Err: err}
}

func (have *facts) read(ctx context.Context, q querier) error {
	row := q.QueryRowContext(ctx, `SELECT name, created_at FROM job`)
	if err := row.Scan(&have.job.name, &have.job.created); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("read the job: %w", err)
	}
	row = q.QueryRowContext(ctx, `SELECT id, heartbeat_at FROM runs ORDER BY id DESC LIMIT 1`)
	if err := row.Scan(&have.run, &have.beat); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("read the last run: %w", err)
	}
	return nil
}

// check runs one of SQLite's checks, quick_check or integrity_check, over the whole file, and returns its first
// finding.
func check(ctx context.Context, q querier, pragma string) error {
	var says string
	if err := q.QueryRowContext(ctx, `PRAGMA `+pragma+`(1)`).Scan(&says); err != nil {
		return fmt.Errorf("check the file: %w", err)
	}
	if says != "ok" {
		return errors.New(says[strings.LastIndex(strings.TrimSpace(says), "\n")+1:])
	}
	return nil
}

// missing is for how long before the last run died its commits are not in the file.
func (m *marker) missing(have facts) time.Duration {
	if !m.died() || !m.same(have.job) || have.run > m.Run || have.run == m.Run && have.beat >= m.Beat {
		return 0
	}
	return max(time.Duration(m.Beat-have.beat)*time.Millisecond, time.Millisecond)
}

func isNewer(err error) bool {
	_, ok := errors.AsType[*NewerError](err)
	return ok
}

// Check reads the whole file and compares every index with its table. What is wrong is a *DamagedError.
func (s *Store) Check(ctx context.Context) error {
	err := check(ctx, s.q, "integrity_check")
	if e, ok := errors.AsType[*sqlite.Error](err); err == nil || ctx.Err() != nil || ok && !malformed(e) {
		return err
	}
	return &DamagedError{Path: s.path, Err: err}
}
