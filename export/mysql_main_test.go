package export_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dogear/export"
	"dogear/internal/testenv"
	"dogear/schema"
	"dogear/state"
)

var epoch = time.UnixMilli(1_796_000_000_123)

// book is a state file that a test writes to page by page, and the database that its records go to.
type book struct {
	t     *testing.T
	path  string
	table *schema.Table
	run   *state.Run
	dsn   string
	db    *sql.DB
	now   time.Time
}

func newBook(t *testing.T, table *schema.Table) *book {
	t.Helper()
	b := &book{t: t, path: filepath.Join(t.TempDir(), "job.db"), table: table, dsn: testenv.MySQL(t).DSN(t), now: epoch}
	if err := table.Compile(); err != nil {
		t.Fatal(err)
	}
	b.open()
	t.Cleanup(func() { b.close() })
	var err error
	if b.db, err = sql.Open("mysql", b.dsn); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.db.Close() })
	return b
}

func (b *book) open() {
	b.t.Helper()
	var err error
	b.run, err = state.OpenRun(b.t.Context(), state.RunOptions{Path: b.path, Name: "job", Tables: []*schema.Table{b.table}, Version: "test", Pages: []state.Page{{Name: "page"}},
		Starts: []state.Start{{Entry: "n", Total: 1000, Request: func(n int64) schema.Request {
			return schema.Request{URL: fmt.Sprintf("http://127.0.0.1/%d,x", n), Page: "page"}
		}}}}, b.now)
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *book) close() {
	if b.run != nil {
		if err := b.run.Close(context.Background(), b.now, state.Interrupted); err != nil {
			b.t.Error(err)
		}
		b.run = nil
	}
}

// pages does so many tasks with these records each, and returns them.
func (b *book) pages(n int, records func(task int64) [][]any) {
	b.t.Helper()
	tasks, err := b.run.Commit(b.t.Context(), b.now, nil, n)
	if err != nil || len(tasks) != n {
		b.t.Fatalf("%d tasks, want %d: %v", len(tasks), n, err)
	}
	var outcomes []state.Outcome
	for _, task := range tasks {
		b.now = b.now.Add(time.Millisecond)
		o := state.Outcome{Task: task, State: state.Done, Attempts: 1, Status: 200, At: b.now}
		for _, values := range records(task.ID) {
			o.Rows = append(o.Rows, schema.Row{Table: b.table, Values: values})
		}
		outcomes = append(outcomes, o)
	}
	if _, err := b.run.Commit(b.t.Context(), b.now, outcomes, 0); err != nil {
		b.t.Fatal(err)
	}
}

// page does one task.
func (b *book) page(records ...[]any) {
	b.t.Helper()
	b.pages(1, func(int64) [][]any { return records })
}

// again puts all done tasks back.
func (b *book) again() {
	b.t.Helper()
	b.now = b.now.Add(time.Hour)
	if _, err := b.run.Refresh(b.t.Context(), b.now, nil); err != nil {
		b.t.Fatal(err)
	}
}

func (b *book) store() *state.Store {
	b.t.Helper()
	s, err := state.Open(b.t.Context(), b.path)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { s.Close() })
	return s
}

func (b *book) options() export.MySQLOptions {
	b.t.Helper()
	target, err := export.ParseMySQLTarget(b.dsn, func(string) string { return "" }, "job")
	if err != nil {
		b.t.Fatal(err)
	}
	return export.MySQLOptions{Target: target, Job: "job", Tables: []*schema.Table{b.table}, Patience: time.Minute}
}

func (b *book) send(o export.MySQLOptions) (int64, error) {
	m, s := export.NewMySQL(o), b.store()
	defer m.Close()
	defer s.Close()
	sent, err := m.Send(b.t.Context(), s)
	return sent.Rows, err
}

// wantSent exports and wants so many rows sent, and both sides equal.
func (b *book) wantSent(want int64) {
	b.t.Helper()
	n, err := b.send(b.options())
	if err != nil || n != want {
		b.t.Fatalf("sent %d rows, %v, want %d", n, err, want)
	}
	b.wantEqual()
}

// wantEqual compares the records of both sides row by row.
func (b *book) wantEqual() {
	b.t.Helper()
	order := strings.Join(b.table.Key, ", ")
	if order == "" {
		order = "_task, _pos"
	}
	kept, err := sql.Open("sqlite", "file:"+filepath.ToSlash(b.path)+"?mode=ro")
	if err != nil {
		b.t.Fatal(err)
	}
	defer kept.Close()
	columns := "_task"
	for _, f := range b.table.Fields {
		columns += ", `" + f.Name + "`"
	}
	query := "SELECT " + columns + ", _fetched_at FROM `" + b.table.Name + "`"
	want, got := b.lines(kept, query), b.lines(b.db, query)
	if diff := cmp.Diff(want, got); diff != "" {
		b.t.Errorf("records differ by %s (-state +server):\n%.4000s", order, diff)
	}
}

// lines returns rows in one form for both sides, sorted as text.
func (b *book) lines(db *sql.DB, query string) map[string]int {
	b.t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		b.t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	lines := map[string]int{}
	for rows.Next() {
		values, into := make([]any, len(b.table.Fields)+2), make([]any, len(b.table.Fields)+2)
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			b.t.Fatal(err)
		}
		line := ""
		for i, v := range values {
			kind := schema.Int
			switch {
			case i > 0 && i <= len(b.table.Fields):
				kind = b.table.Fields[i-1].Type.Kind
			case i > 0:
				kind = schema.Datetime
			}
			line += " | " + canonical(kind, v)
		}
		lines[line]++
	}
	if err := rows.Err(); err != nil {
		b.t.Fatal(err)
	}
	return lines
}

// canonical is a value of either side as text; real numbers by their bits.
func canonical(kind schema.Kind, v any) string {
	if raw, ok := v.([]byte); ok {
		v = string(raw)
	}
	if v == nil {
		return "NULL"
	}
	switch kind {
	case schema.Datetime:
		if ms, ok := v.(int64); ok {
			return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04:05.000")
		}
	case schema.Real:
		var x float64
		if _, err := fmt.Sscan(fmt.Sprint(v), &x); err != nil {
			return err.Error()
		}
		return fmt.Sprintf("%b", x)
	}
	return fmt.Sprintf("%v", v)
}

func (b *book) exec(query string, args ...any) {
	b.t.Helper()
	if _, err := b.db.Exec(query, args...); err != nil {
		b.t.Fatalf("%s: %v", query, err)
	}
}

func (b *book) query1(query string, args ...any) string {
	b.t.Helper()
	var text sql.NullString
	if err := b.db.QueryRow(query, args...).Scan(&text); err != nil {
		b.t.Fatalf("%s: %v", query, err)
	}
	return text.String
}

// create makes the database before the first export does.
func (b *book) create(table string) {
	b.t.Helper()
	target, err := export.ParseMySQLTarget(b.dsn, nil, "job")
	if err != nil {
		b.t.Fatal(err)
	}
	admin := testenv.MySQL(b.t).Open(b.t)
	defer admin.Close()
	if _, err := admin.Exec(target.CreateSQL()); err != nil {
		b.t.Fatal(err)
	}
	b.exec(table)
}

func kind(k schema.Kind) schema.Type { return schema.Type{Kind: k} }

// items is a table with a key, and a fat text so that few rows fill a statement.
func items() *schema.Table {
	return &schema.Table{Name: "items", Key: []string{"id"}, Fields: []schema.Field{{Name: "id", Type: kind(schema.Int)}, {Name: "note"}}}
}

const fat = 20_000

func item(task int64) [][]any { return [][]any{{task, strings.Repeat("x", fat)}} }
