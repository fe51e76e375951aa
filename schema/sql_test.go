package schema

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite"
)

// open gives a fresh SQLite file.
func open(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(filepath.Join(t.TempDir(), "t.db")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func run(t *testing.T, db *sql.DB, statement string, args ...any) {
	t.Helper()
	if _, err := db.Exec(statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// create makes the table twice over, as every start of a job does.
func create(t *testing.T, db *sql.DB, table *Table) {
	t.Helper()
	for range 2 {
		run(t, db, table.CreateSQL())
		run(t, db, table.IndexSQL())
	}
}

// rows reads all of a table, line by line.
func rows(t *testing.T, db *sql.DB, query string) [][]any {
	t.Helper()
	r, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	names, err := r.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var all [][]any
	for r.Next() {
		line, into := make([]any, len(names)), make([]any, len(names))
		for i := range line {
			into[i] = &line[i]
		}
		if err := r.Scan(into...); err != nil {
			t.Fatal(err)
		}
		all = append(all, line)
	}
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestASecondUpsertOfAKeyLeavesOneRowWhichMovesToTheEnd(t *testing.T) {
	db, table := open(t), productTable(t)
	create(t, db, table)
	one, two := table.UpsertSQL(1), table.UpsertSQL(2)
	run(t, db, two,
		1, 7, 0, 1000, 1, "cup", "7.50", 3, "home", "4.50", 1000,
		2, 8, 0, 1001, 2, "pot", "9.00", 1, nil, "0.00", 1001)
	run(t, db, one, 3, 9, 1, 2000, 1, "cup, blue", "8.00", 2, "home", "4.75", 2000)
	want := [][]any{
		{int64(2), int64(8), int64(0), int64(1001), int64(2), "pot", "9.00", int64(1), nil, "0.00", int64(1001)},
		{int64(3), int64(9), int64(1), int64(2000), int64(1), "cup, blue", "8.00", int64(2), "home", "4.75", int64(2000)},
	}
	if diff := cmp.Diff(want, rows(t, db, `SELECT * FROM products ORDER BY _seq`)); diff != "" {
		t.Error(diff)
	}
}

func TestOneStatementMayHoldAKeyTwice(t *testing.T) {
	db, table := open(t), &Table{Name: "t", Key: []string{"a", "b"}, Fields: []Field{{Name: "a"}, {Name: "b"}, {Name: "c"}}}
	create(t, db, table)
	run(t, db, table.UpsertSQL(3), 1, 1, 0, 1, "x", "y", "first", 2, 1, 1, 1, "x", "z", "other", 3, 1, 2, 1, "x", "y", "last")
	want := [][]any{{int64(2), "other"}, {int64(3), "last"}}
	if diff := cmp.Diff(want, rows(t, db, `SELECT _seq, c FROM t ORDER BY _seq`)); diff != "" {
		t.Error(diff)
	}
}

func TestWithoutAKeyARecordIsItsTaskAndPosition(t *testing.T) {
	db, table := open(t), &Table{Name: "t", Fields: []Field{{Name: "c"}}}
	create(t, db, table)
	run(t, db, table.UpsertSQL(3), 1, 1, 0, 1, "a", 2, 1, 1, 1, "b", 3, 2, 0, 1, "c")
	run(t, db, table.UpsertSQL(1), 4, 1, 0, 2, "A")
	want := [][]any{{int64(2), "b"}, {int64(3), "c"}, {int64(4), "A"}}
	if diff := cmp.Diff(want, rows(t, db, `SELECT _seq, c FROM t ORDER BY _seq`)); diff != "" {
		t.Error(diff)
	}
}

func TestWhatChangedSinceIsARangeOfRowids(t *testing.T) {
	db, table := open(t), productTable(t)
	create(t, db, table)
	plan := rows(t, db, `EXPLAIN QUERY PLAN SELECT * FROM products WHERE _seq > 5 ORDER BY _seq`)
	if len(plan) != 1 || !strings.Contains(plan[0][3].(string), "USING INTEGER PRIMARY KEY (rowid>?)") {
		t.Errorf("the plan is %v", plan)
	}
}

func TestHostileIdentifiersStayIdentifiers(t *testing.T) {
	for _, name := range []string{`商品`, `select`, `a"b`, `x"); DROP TABLE t; --`, `a'b`, `a b`, `a?b`, `$1`} {
		t.Run(name, func(t *testing.T) {
			// Compile refuses most of these; the SQL has to hold without it.
			db, table := open(t), &Table{Name: name, Key: []string{name}, Fields: []Field{{Name: name}, {Name: "group"}}}
			create(t, db, table)
			table.Fields = append(table.Fields, Field{Name: name + "2", Type: Type{Kind: Int}})
			run(t, db, table.AddColumnSQL(2))
			run(t, db, table.UpsertSQL(1), 1, 1, 0, 1, "k", "g", 1)
			run(t, db, table.UpsertSQL(1), 2, 1, 0, 1, "k", "g", 2)
			want := [][]any{{int64(2), int64(1), int64(0), int64(1), "k", "g", int64(2)}}
			if diff := cmp.Diff(want, rows(t, db, "SELECT * FROM "+quote(name))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAColumnAddedLaterIsTheOneCreatedAtOnce(t *testing.T) {
	db, table := open(t), productTable(t)
	all := table.Fields
	early := &Table{Name: table.Name, Key: table.Key, Fields: all[:3]}
	create(t, db, early)
	run(t, db, early.UpsertSQL(1), 1, 1, 0, 1, 5, "cup", "7.50")
	for i := 3; i < len(all); i++ {
		run(t, db, table.AddColumnSQL(i))
	}
	run(t, db, table.UpsertSQL(1), 2, 2, 0, 2, 6, "pot", "9.00", 1, "home", "4.00", 2)
	columns := rows(t, db, `SELECT name, type FROM pragma_table_info('products')`)
	run(t, db, `DROP TABLE products`)
	run(t, db, table.CreateSQL())
	if diff := cmp.Diff(rows(t, db, `SELECT name, type FROM pragma_table_info('products')`), columns); diff != "" {
		t.Error(diff)
	}
}
