package state_test

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dogear/schema"
	"dogear/state"
)

// epoch is the time of the tests that need none in particular.
var epoch = time.UnixMilli(1_770_000_000_000).UTC()

// file is a state file under test.
type file struct {
	testing.TB
	ctx  context.Context
	path string
	db   *sql.DB // looks in from outside, as any reader may; opened on first use
}

func newFile(t testing.TB) *file {
	return &file{TB: t, ctx: context.Background(), path: filepath.Join(t.TempDir(), "job.db")}
}

// with returns the options of a run on the file.
func (f *file) with(starts ...state.Start) state.RunOptions {
	return state.RunOptions{Path: f.path, Name: "job", Text: []byte("name: job"), Starts: starts, Version: "test"}
}

// open begins a run, which ends at the latest with the test.
func (f *file) open(o state.RunOptions) *state.Run { return f.openAt(epoch, o) }

func (f *file) openAt(now time.Time, o state.RunOptions) *state.Run {
	f.Helper()
	run, err := state.OpenRun(f.ctx, o, now)
	if err != nil {
		f.Fatalf("open run: %v", err)
	}
	f.Cleanup(func() { run.Close(context.Background(), epoch, "") })
	return run
}

func (f *file) close(run *state.Run, ended string) {
	f.Helper()
	if err := run.Close(f.ctx, epoch, ended); err != nil {
		f.Fatalf("close run: %v", err)
	}
}

// store opens the file for reading until the test ends.
func (f *file) store() *state.Store {
	f.Helper()
	s, err := state.Open(f.ctx, f.path)
	if err != nil {
		f.Fatalf("open store: %v", err)
	}
	f.Cleanup(func() { s.Close() })
	return s
}

// commit lands a group and claims, at epoch, and checks that rows and numbers agree afterwards.
func (f *file) commit(run *state.Run, want int, group ...state.Outcome) []state.Task {
	f.Helper()
	tasks, err := run.Commit(f.ctx, epoch, group, want)
	if err != nil {
		f.Fatalf("commit: %v", err)
	}
	f.agree(run)
	return tasks
}

// ask runs a query and returns its rows as lines, the values separated by | and NULL written out.
func (f *file) ask(query string, args ...any) string {
	f.Helper()
	if f.db == nil {
		f.db = openRaw(f, f.path)
	}
	rows, err := f.db.QueryContext(f.ctx, query, args...)
	if err != nil {
		f.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		f.Fatal(err)
	}
	var lines []string
	for rows.Next() {
		values, into, line := make([]any, len(columns)), make([]any, len(columns)), make([]string, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			f.Fatal(err)
		}
		for i, v := range values {
			if line[i] = fmt.Sprint(v); v == nil {
				line[i] = "NULL"
			}
		}
		lines = append(lines, strings.Join(line, "|"))
	}
	if err := rows.Err(); err != nil {
		f.Fatalf("%s: %v", query, err)
	}
	return strings.Join(lines, "\n")
}

// want checks what a query returns.
func (f *file) want(query, want string) {
	f.Helper()
	if got := f.ask(query); got != want {
		f.Errorf("%s\n got: %s\nwant: %s", query, got, want)
	}
}

// agree checks what must hold after every commit: the run's numbers, the counters and the view progress all equal a
// count of rows.
func (f *file) agree(run *state.Run) {
	f.Helper()
	rows := f.ask(`SELECT count(*) FILTER (WHERE state = 'pending'), count(*) FILTER (WHERE state = 'in-flight'),
		count(*) FILTER (WHERE state = 'done'), count(*) FILTER (WHERE state = 'failed') FROM tasks`)
	ahead := f.ask(`SELECT coalesce(sum(total - cursor), 0) FROM starts WHERE active = 1`)
	c := run.Counts()
	for _, source := range []struct{ name, says, rows string }{
		{"table counters", f.ask(`SELECT pending, in_flight, done, failed FROM counters`), rows},
		{"Run.Counts", fmt.Sprintf("%d|%d|%d|%d", c.Pending, c.InFlight, c.Done, c.Failed), rows},
		{"view progress", f.ask(`SELECT pending - ` + ahead + `, in_flight, done, failed FROM progress`), rows},
		{"Run.Counts.Ahead", fmt.Sprint(c.Ahead), ahead},
		{"Run.Counts.Total", fmt.Sprint(c.Total()), f.ask(`SELECT total FROM progress`)},
	} {
		if source.says != source.rows {
			f.Errorf("%s says %s, the rows say %s", source.name, source.says, source.rows)
		}
	}
}

// openRaw opens a SQLite file without the state package.
func openRaw(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := rawDB(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func rawDB(path string) (*sql.DB, error) {
	dsn := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: "_pragma=busy_timeout(10000)", OmitHost: true}
	return sql.Open("sqlite", dsn.String())
}

func done(t state.Task) state.Outcome {
	return state.Outcome{Task: t, State: state.Done, Attempts: 1, Status: 200, Bytes: 300, Took: 2 * time.Millisecond, At: epoch}
}

func failed(t state.Task, kind string, status int) state.Outcome {
	return state.Outcome{
		Task: t, State: state.Failed, Attempts: 1, Status: status, Kind: kind, Error: "it was " + kind, Took: time.Millisecond, At: epoch,
		Failures: []state.Attempt{{Number: 1, At: epoch, Status: status, Kind: kind, Error: "it was " + kind, Took: time.Millisecond}},
	}
}

func putOff(t state.Task, until time.Time) state.Outcome {
	return state.Outcome{Task: t, State: state.Pending, Attempts: 1, NotBefore: until, At: epoch}
}

func get(url string) schema.Request { return schema.Request{URL: url, Page: "page"} }

// starting yields the given requests, in this order.
func starting(entry string, requests ...schema.Request) state.Start {
	return state.Start{Entry: entry, Total: int64(len(requests)), Request: func(i int64) schema.Request { return requests[i] }}
}

// notesTable is a record table without a key.
func notesTable(tb testing.TB) *schema.Table {
	return compiled(tb, &schema.Table{Name: "notes", Fields: []schema.Field{{Name: "text"}}})
}

func compiled(tb testing.TB, t *schema.Table) *schema.Table {
	tb.Helper()
	if err := t.Compile(); err != nil {
		tb.Fatal(err)
	}
	return t
}

func note(t *schema.Table, text any) schema.Row { return schema.Row{Table: t, Values: []any{text}} }
