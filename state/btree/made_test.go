package btree_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"dogear/state/btree"
)

// openSQLite opens a new file with SQLite, on one connection.
func openSQLite(tb testing.TB, path string, pragmas ...string) *sql.DB {
	tb.Helper()
	dsn := url.URL{Scheme: "file", Path: filepath.ToSlash(path), OmitHost: true,
		RawQuery: url.Values{"_pragma": pragmas}.Encode()}
	db, err := sql.Open("sqlite", dsn.String())
	if err != nil {
		tb.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	tb.Cleanup(func() { db.Close() })
	return db
}

func exec(tb testing.TB, db *sql.DB, statement string, args ...any) {
	tb.Helper()
	if _, err := db.Exec(statement, args...); err != nil {
		tb.Fatalf("%s: %v", statement, err)
	}
}

func readFile(tb testing.TB, path string) []byte {
	tb.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// spot is what SQLite itself says of a page.
type spot struct {
	table, path, kind string
	cells             int
}

// made is a file that SQLite wrote.
type made struct {
	bytes    []byte
	pageSize int
	rows     map[string][]btree.Row // by table, as SELECT gives them
	spots    map[uint32]spot        // pages in use
}

const things = `CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, n INTEGER, r REAL, b BLOB) STRICT;
	CREATE TABLE loose (a, b TEXT); CREATE INDEX things_n ON things (n);
	CREATE VIEW seen AS SELECT * FROM things; CREATE VIRTUAL TABLE found USING fts5(text)`

const fill = `WITH RECURSIVE i(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM i WHERE v < ?1)
	INSERT INTO things SELECT v * 3,
		CASE WHEN v % 11 = 0 THEN NULL ELSE printf('名字 %d 🐕 ', v) || substr(?2, 1, v * 7 % 160) END,
		CASE v % 5 WHEN 0 THEN v WHEN 1 THEN -v * 100000 WHEN 2 THEN 9223372036854775807 - v WHEN 4 THEN v % 2 END,
		CASE v % 3 WHEN 0 THEN v / 7.0 WHEN 1 THEN v ELSE -1e300 / v END,
		CASE v % 4 WHEN 0 THEN randomblob(v % 50) END FROM i`

// makeFile makes a file of n rows and some, with every kind of value, rows and pages deleted, and a column added.
func makeFile(tb testing.TB, pageSize, n int) *made {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "made.db")
	db := openSQLite(tb, path, fmt.Sprintf("page_size(%d)", pageSize), "journal_mode(delete)")
	for s := range strings.SplitSeq(things, ";") {
		exec(tb, db, s)
	}
	exec(tb, db, fill, n, strings.Repeat("dogear ", 30))
	exec(tb, db, `INSERT INTO things VALUES (-9223372036854775808, '', -9223372036854775808, 0.5, x''),
		(9223372036854775807, 'last', 9223372036854775807, -0.0, zeroblob(3))`)
	for _, length := range []int{400, 5000, 70_000, 200_000} {
		exec(tb, db, `INSERT INTO loose VALUES (?, ?)`, length, strings.Repeat("长文本🐾", length/14))
	}
	exec(tb, db, `INSERT INTO loose VALUES (?, ?), (1.5, NULL), (x'00ff', 'é'), (7, 'seven')`, "text", "文")
	exec(tb, db, `DELETE FROM things WHERE id % 21 = 6`)
	exec(tb, db, `DELETE FROM things WHERE id BETWEEN ? AND ?`, n, n*3/2)
	exec(tb, db, `ALTER TABLE things ADD COLUMN later TEXT`)
	exec(tb, db, `INSERT INTO things VALUES (2, 'early', 2, 2.5, x'02', 'new')`)
	m := &made{pageSize: pageSize, rows: map[string][]btree.Row{}}
	m.rows["things"], m.rows["loose"] = selectRows(tb, db, "things"), selectRows(tb, db, "loose")
	m.spots = spots(tb, db)
	if err := db.Close(); err != nil {
		tb.Fatal(err)
	}
	m.bytes = readFile(tb, path)
	return m
}

func spots(tb testing.TB, db *sql.DB) map[uint32]spot {
	tb.Helper()
	rows, err := db.Query(`SELECT pageno, name, path, pagetype, ncell FROM dbstat`)
	if err != nil {
		tb.Fatal(err)
	}
	defer rows.Close()
	found := map[uint32]spot{}
	for rows.Next() {
		var n uint32
		var s spot
		if err := rows.Scan(&n, &s.table, &s.path, &s.kind, &s.cells); err != nil {
			tb.Fatal(err)
		}
		found[n] = s
	}
	return found
}

// selectRows returns what SELECT does of the columns that are stored, an INTEGER PRIMARY KEY as nil.
func selectRows(tb testing.TB, db *sql.DB, table string) []btree.Row {
	tb.Helper()
	var columns string
	stored := `SELECT group_concat('"' || name || '"') FROM pragma_table_xinfo(?) WHERE hidden IN (0, 3)`
	if err := db.QueryRow(stored, table).Scan(&columns); err != nil {
		tb.Fatal(err)
	}
	rows, err := db.Query(`SELECT rowid, ` + columns + ` FROM ` + table + ` ORDER BY rowid`)
	if err != nil {
		tb.Fatal(err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		tb.Fatal(err)
	}
	var all []btree.Row
	for rows.Next() {
		values, into := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			tb.Fatal(err)
		}
		if names[1] == "id" {
			values[1] = nil
		}
		all = append(all, btree.Row{ID: values[0].(int64), Values: values[1:]})
	}
	if err := rows.Err(); err != nil {
		tb.Fatal(err)
	}
	return all
}

func open(tb testing.TB, db, wal []byte) *btree.File {
	tb.Helper()
	f, err := btree.Open(bytes.NewReader(db), int64(len(db)), bytes.NewReader(wal), int64(len(wal)))
	if err != nil {
		tb.Fatalf("open: %v", err)
	}
	return f
}

// walk returns the rows of a table, none if the file does not know it.
func walk(f *btree.File, table string) []btree.Row {
	var all []btree.Row
	for _, t := range f.Tables() {
		if t.Name == table {
			all = append(all, slices.Collect(func(yield func(btree.Row) bool) { f.Walk(t.Root, yield) })...)
		}
	}
	return all
}

// same compares a stored row with a selected one: REAL stores whole numbers as integers, and columns added later may be
// missing at the end.
func same(got, want btree.Row) bool {
	if got.ID != want.ID || len(got.Values) > len(want.Values) {
		return false
	}
	for i, w := range want.Values {
		var g any
		if i < len(got.Values) {
			g = got.Values[i]
		}
		whole, isInt := g.(int64)
		switch w := w.(type) {
		case []byte:
			b, ok := g.([]byte)
			if !ok || !bytes.Equal(b, w) {
				return false
			}
		case float64:
			if g != any(w) && !(isInt && float64(whole) == w) {
				return false
			}
		default:
			if _, blob := g.([]byte); blob || g != w {
				return false
			}
		}
	}
	return true
}

func wantRows(tb testing.TB, got, want []btree.Row) {
	tb.Helper()
	if len(got) != len(want) {
		tb.Errorf("%d rows, want %d", len(got), len(want))
	}
	for i := range min(len(got), len(want)) {
		if !same(got[i], want[i]) {
			tb.Fatalf("row %d is %.300s, want %.300s", i, fmt.Sprint(got[i]), fmt.Sprint(want[i]))
		}
	}
}
