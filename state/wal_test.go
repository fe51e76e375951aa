package state_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"dogear/schema"
	"dogear/state"
)

const walLimit = 64 << 20

// readOn is a child that reads one moment of the file for as long as it lives, as an open sqlite3 shell does.
func readOn(path string) error {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	var n int64
	if err := tx.QueryRow(`SELECT count(*) FROM tasks`).Scan(&n); err != nil {
		return err
	}
	fmt.Println("reading")
	untilKilled()
	return tx.Rollback()
}

// fat is a run whose commits are large.
type fat struct {
	*file
	run   *state.Run
	notes *schema.Table
	now   time.Time
}

func newFat(t *testing.T) *fat {
	f := newFile(t)
	notes := notesTable(t)
	o := f.with(productStart(1000))
	o.Tables = []*schema.Table{notes}
	return &fat{f, f.open(o), notes, epoch}
}

// commit lands 8 MiB, so long after the commit before.
func (f *fat) commit(later time.Duration) {
	f.Helper()
	f.now = f.now.Add(later)
	tasks, err := f.run.Commit(f.ctx, f.now, nil, 1)
	if err != nil {
		f.Fatal(err)
	}
	page := done(tasks[0])
	for range 32 {
		page.Rows = append(page.Rows, note(f.notes, strings.Repeat("x", 256<<10)))
	}
	if _, err := f.run.Commit(f.ctx, f.now, []state.Outcome{page}, 0); err != nil {
		f.Fatal(err)
	}
}

func (f *fat) size() int64 {
	f.Helper()
	info, err := os.Stat(f.path + "-wal")
	if err != nil {
		f.Fatal(err)
	}
	return info.Size()
}

// grow commits until the WAL is over its limit; with a reader in the way that takes nine commits.
func (f *fat) grow(later time.Duration) {
	f.Helper()
	for commits := 0; f.size() <= walLimit; commits++ {
		if commits > 20 {
			f.Fatalf("the WAL has %d bytes after %d commits: nothing keeps it from being cut back", f.size(), commits)
		}
		f.commit(later)
	}
	f.commit(later) // this one looks at a file that is too large already
}

// shrink commits until the WAL is within its limit.
func (f *fat) shrink(later time.Duration) {
	f.Helper()
	for commits := 0; f.size() > walLimit; commits++ {
		if commits > 20 {
			f.Fatalf("the WAL still has %d bytes after %d commits", f.size(), commits)
		}
		f.commit(later)
	}
	f.commit(later)
	if wal := f.run.WAL(); wal.Over() || wal.Readers != nil {
		f.Errorf("the run says %+v of a WAL of %d bytes", wal, f.size())
	}
}

func TestWithoutReadersTheWALStaysWithinItsLimit(t *testing.T) {
	f := newFat(t)
	for range 20 {
		f.commit(time.Second)
		if size := f.size(); size > walLimit {
			t.Errorf("the WAL has %d bytes", size)
		}
	}
	if wal, err := f.store().WAL(f.ctx); wal.Bytes != f.size() || wal.Over() || wal.Readers != nil || err != nil {
		t.Errorf("%+v, %v of a WAL of %d bytes", wal, err, f.size())
	}
}

// A reader that stays keeps the WAL from being cut back: nothing helps but to say who it is.
func TestAReaderThatStaysIsNamedAndTheWALShrinksWhenItHasEnded(t *testing.T) {
	f := newFat(t)
	reader := startChild(t, "read", f.path)
	reader.line()
	f.grow(time.Second)
	fromStore, err := f.store().WAL(f.ctx)
	if err != nil {
		t.Fatal(err)
	}
	for source, wal := range map[string]state.WAL{"the run": f.run.WAL(), "a store": fromStore} {
		if !wal.Over() || wal.Bytes <= walLimit {
			t.Errorf("%s says %+v of a WAL of %d bytes", source, wal, f.size())
		}
		f.names(source, wal, reader.cmd.Process.Pid)
	}
	reader.kill()
	f.shrink(time.Second)
}

// names wants the reader, and nobody else, to be named where the system tells.
func (f *fat) names(source string, wal state.WAL, pid int) {
	f.Helper()
	want := "a reader (an open sqlite3 shell?) keeps it"
	if runtime.GOOS == "linux" {
		if len(wal.Readers) != 1 || wal.Readers[0].PID != int64(pid) || wal.Readers[0].Name == "" {
			f.Errorf("%s names %+v, want pid %d", source, wal.Readers, pid)
			return
		}
		want = fmt.Sprintf("%s (pid %d) keeps it", wal.Readers[0].Name, pid)
	}
	if !strings.Contains(wal.String(), want) {
		f.Errorf("%s says %q, not %q", source, wal, want)
	}
}

// Checkpoint starvation: each reader is short, but there always is one, and SQLite's own checkpoints wait for nobody.
func TestReadersThatOverlapForEverDoNotKeepTheWALFromShrinking(t *testing.T) {
	f := newFat(t)
	readers := relay{db: openRaw(t, f.path)}
	for f.size() <= walLimit { // no time goes by: the run does not look
		if err := readers.pass(); err != nil {
			t.Fatal(err)
		}
		if f.commit(0); f.run.Counts().Done > 50 {
			t.Fatalf("the WAL has %d bytes after 50 commits: the readers are not in its way", f.size())
		}
	}
	over, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- readers.passUntil(over) }()
	f.shrink(10 * time.Second)
	close(over)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// work is what a reader of the relay reads for some milliseconds.
const work = `WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 10000) SELECT count(*) FROM c`

// relay are readers of which each ends when the next one has begun.
type relay struct {
	db   *sql.DB
	last *sql.Tx
}

func (r *relay) pass() error {
	next, err := r.db.Begin()
	if err != nil {
		return err
	}
	var n int64
	if err := next.QueryRow(`SELECT done FROM counters`).Scan(&n); err != nil {
		return errors.Join(err, next.Rollback())
	}
	if r.last != nil {
		err = r.last.Rollback()
	}
	r.last = next
	return errors.Join(err, next.QueryRow(work).Scan(&n))
}

func (r *relay) passUntil(over chan struct{}) error {
	for {
		select {
		case <-over:
			return r.last.Rollback()
		default:
		}
		if err := r.pass(); err != nil {
			return errors.Join(err, r.last.Rollback())
		}
	}
}

// The last checkpoint can't be made, which is no reason to fail.
func TestARunEndsWellThoughAReaderIsStillThere(t *testing.T) {
	f := newFat(t)
	reader := startChild(t, "read", f.path)
	reader.line()
	f.grow(time.Second)
	f.close(f.run, state.Finished)
	if size := f.size(); size <= walLimit {
		t.Errorf("the WAL has %d bytes, though it is read", size)
	}
	s := f.store()
	wal, err := s.WAL(f.ctx)
	if err != nil {
		t.Fatal(err)
	}
	f.names("a store", wal, reader.cmd.Process.Pid)
	reader.kill()
	if err := s.Close(); err != nil { // the last one tidies up
		t.Error(err)
	}
	if info, err := os.Stat(f.path + "-wal"); err == nil && info.Size() > walLimit {
		t.Errorf("the WAL has %d bytes, though nobody reads it", info.Size())
	}
	f.want(`SELECT count(*), min(length(text)), count(DISTINCT _task) FROM notes`,
		fmt.Sprintf("%d|%d|%d", 32*f.run.Counts().Done, 256<<10, f.run.Counts().Done))
	f.want(`PRAGMA integrity_check`, "ok")
}
