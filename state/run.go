package state

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"dogear/schema"
)

// How a run ended, as it stands in runs.ended. A run that died has none of them.
const (
	Finished    = "finished"
	Interrupted = "interrupted"
	Stopped     = "stopped"
)

// Run is the one writer of a state file. One goroutine uses it.
type Run struct {
	ID    int64
	Found Found

	path   string
	file   os.FileInfo // of path, to notice that it was removed
	lock   *flock.Flock
	db     *sql.DB
	conn   *sql.Conn // the write connection
	stmts  statements
	tables []*schema.Table
	pages  []Page
	starts []*start
	read   readStarts
	full   bool // MaxPending tasks waited after the last top-up
	max    int64
	lifted int64 // MaxPending while Advance works; 0: as it is
	clock  int64 // when the last commit was, in Unix ms

	maxThrottles int

	wal     walKeeper
	mirrors mirrorKeeper
	reread  rereadMode

	left    marker // what the last run left in the lock file
	marker  marker // what this one keeps there; known once it has begun
	job     jobID
	missing time.Duration // of the last run's commits, before it died
	tell    func(*Salvage)

	counts  Counts
	tally   Tally
	seq     int64
	recent  recentTasks
	fields  fieldCounter
	carrier carrier
	dropped int64 // links and starts beyond max
	doubt   bool  // in this commit the rows were not as this run left them

	hosts   map[string]Host   // for the next commit, by name
	cookies map[string]string // for the next commit, by domain
}

// OpenRun locks the file for this process, makes or migrates it, and begins a run. It returns *LockedError when
// another run holds the file; one that is not ours is not changed. A damaged file is set aside, and the run goes on
// with what can be read of it: Found.Salvaged says what that was. End the run with Close.
func OpenRun(ctx context.Context, o RunOptions, now time.Time) (*Run, error) {
	if err := writable(o.Path); err != nil {
		return nil, err
	}
	l, err := lock(ctx, o.Path)
	if err != nil {
		return nil, err
	}
	r := &Run{path: o.Path, lock: l, tables: o.Tables, pages: o.Pages, max: o.MaxTasks, tell: o.Tell}
	r.maxThrottles, r.reread.on = o.MaxThrottles, o.Reread
	if err := r.openSound(ctx, o, now); err != nil {
		return nil, r.explainClosed(errors.Join(err, r.release()))
	}
	r.mark(now)
	return r, nil
}

func (r *Run) open(ctx context.Context, o RunOptions, now time.Time) (err error) {
	if r.db, err = openDB(o.Path, "rwc", writePragmas); err != nil {
		return err
	}
	if err = migrate(ctx, r.db, o.Path, now); err != nil {
		return err
	}
	if r.conn, err = r.db.Conn(ctx); err != nil {
		return fmt.Errorf("open %s: %w", o.Path, err)
	}
	if err = r.tx(ctx, func() error { return r.begin(ctx, o, now) }); err != nil {
		return fmt.Errorf("open %s: %w", o.Path, err)
	}
	if err = r.stmts.prepare(ctx, r.conn, o.Tables); err != nil {
		return fmt.Errorf("open %s: %w", o.Path, err)
	}
	r.file, err = os.Stat(o.Path)
	return err
}

// present notices that the file was removed or replaced, which SQLite does not: it would go on writing to nothing.
func (r *Run) present() error {
	if now, err := os.Stat(r.path); err != nil || !os.SameFile(now, r.file) {
		return fmt.Errorf("commit to %s: %w", r.path, ErrGone)
	}
	return nil
}

// begin is the first transaction of a run: the job, its tables and starts, the run's row, and the recovery.
func (r *Run) begin(ctx context.Context, o RunOptions, now time.Time) error {
	if err := r.checkJob(ctx, o); err != nil {
		return err
	}
	changed, err := r.keepJob(ctx, o, now)
	if err != nil {
		return err
	}
	if err := r.keepTables(ctx); err != nil {
		return err
	}
	if err := r.keepStarts(ctx, o.Starts); err != nil {
		return err
	}
	if err := r.lastClock(ctx); err != nil {
		return err
	}
	if err := r.followClock(ctx, now); err != nil {
		return err
	}
	r.clock = now.UnixMilli()
	row := r.conn.QueryRowContext(ctx, `INSERT INTO runs (host, pid, version, started_at, heartbeat_at) VALUES (?, ?, ?, ?, ?) RETURNING id`,
		hostname(), os.Getpid(), o.Version, now.UnixMilli(), now.UnixMilli())
	if err := row.Scan(&r.ID); err != nil {
		return fmt.Errorf("begin run: %w", err)
	}
	if err := errors.Join(r.recover(ctx), r.readHosts(ctx), r.readFields(ctx, changed)); err != nil {
		return err
	}
	if err := r.keepMirrors(ctx, o.Mirrors); err != nil {
		return err
	}
	if r.missing > 0 {
		r.seq += seqLeap
	}
	if err := r.shortenWaits(ctx, o.MaxWait, now); err != nil || !changed {
		return err
	}
	return r.checkPages(ctx)
}

func hostname() string {
	if host, err := os.Hostname(); err == nil {
		return host
	}
	return "unknown"
}

func pageNames(pages []Page) []string {
	var names []string
	for i := range pages {
		names = append(names, pages[i].Name)
	}
	return names
}

// checkPages refuses a job without a kind of page that tasks still wait for: all of them would fail.
func (r *Run) checkPages(ctx context.Context) error {
	known, err := json.Marshal(pageNames(r.pages))
	if err != nil {
		return err
	}
	var page string
	row := r.conn.QueryRowContext(ctx, `SELECT page FROM tasks WHERE state = 'pending' AND page NOT IN (SELECT value FROM json_each(?)) LIMIT 1`, string(known))
	if err := row.Scan(&page); errors.Is(err, sql.ErrNoRows) {
		return nil
	} else if err != nil {
		return fmt.Errorf("look for kinds of page: %w", err)
	}
	return &PageError{Page: page}
}

// Close ends the run: what is still in flight goes back to pending without losing an attempt, the run's row says how
// it ended, the lock is released. ended is Finished, Interrupted or Stopped, or "" after an error, which leaves the
// row as a death would.
func (r *Run) Close(ctx context.Context, now time.Time, ended string) error {
	ctx = context.WithoutCancel(ctx)
	var err error
	if ended != "" {
		err = r.tx(ctx, func() error { return r.end(ctx, now, ended) })
	}
	if err == nil && ended != "" {
		err = r.checkpoint(ctx)
	}
	return r.explainClosed(errors.Join(err, r.release()))
}

func (r *Run) end(ctx context.Context, now time.Time, ended string) error {
	if _, err := r.putBack(ctx); err != nil {
		return err
	}
	if err := r.writeHosts(ctx, now); err != nil {
		return err
	}
	_, err := r.conn.ExecContext(ctx, `UPDATE runs SET ended = ?, ended_at = ?, heartbeat_at = ?2 WHERE id = ?`, ended, now.UnixMilli(), r.ID)
	if err != nil {
		return fmt.Errorf("end run: %w", err)
	}
	return nil
}

// release gives up connection, file and lock, in this order.
func (r *Run) release() error {
	if err := r.closeFile(); err != nil {
		return errors.Join(err, r.lock.Close())
	}
	return errors.Join(r.unmark(), r.lock.Close())
}

func (r *Run) closeFile() error {
	errs := []error{r.closeSources()}
	if r.conn != nil {
		errs = append(errs, r.stmts.close(), r.conn.Close())
	}
	if r.db != nil {
		errs = append(errs, r.db.Close())
	}
	return errors.Join(errs...)
}

// tx runs f in one transaction on the write connection; an error or a panic rolls it back.
func (r *Run) tx(ctx context.Context, f func() error) (err error) {
	defer func() { err = r.explain(r.notice(err)) }()
	if _, err := r.conn.ExecContext(ctx, `BEGIN IMMEDIATE`); err != nil {
		if e, ok := errors.AsType[*sqlite.Error](err); ok && e.Code()&0xff == sqlite3.SQLITE_BUSY {
			err = fmt.Errorf("%w (%w)", ErrBusy, err)
		}
		return fmt.Errorf("begin: %w", err)
	}
	done := false
	defer func() {
		if !done {
			// Its error says nothing new: after a full disk SQLite has rolled back by itself, and a broken
			// connection fails the next BEGIN.
			r.conn.ExecContext(context.WithoutCancel(ctx), `ROLLBACK`)
		}
	}()
	if err := f(); err != nil {
		return err
	}
	if _, err := r.conn.ExecContext(ctx, `COMMIT`); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	done = true
	return nil
}
