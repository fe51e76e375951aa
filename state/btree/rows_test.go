package btree_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dogear/schema"
	"dogear/state"
	"dogear/state/btree"
)

func TestRowsOfAWholeFileAreThoseOfASelect(t *testing.T) {
	for _, c := range []struct{ pageSize, rows, levels int }{{512, 11_000, 3}, {4096, 30_000, 3}, {65536, 11_000, 2}} {
		t.Run(fmt.Sprintf("pages of %d bytes", c.pageSize), func(t *testing.T) {
			m := makeFile(t, c.pageSize, c.rows)
			levels := 0
			for _, s := range m.spots {
				if s.table == "things" && s.kind == "leaf" {
					levels = max(levels, strings.Count(s.path, "/"))
				}
			}
			if levels < c.levels {
				t.Fatalf("the table has %d levels only", levels)
			}
			f := open(t, m.bytes, nil)
			wantRows(t, walk(f, "things"), m.rows["things"])
			wantRows(t, walk(f, "loose"), m.rows["loose"])
			if f.PageSize() != c.pageSize || int(f.Pages()) != len(m.bytes)/c.pageSize || !f.Header().Sane {
				t.Errorf("%d pages of %d bytes, header %+v", f.Pages(), f.PageSize(), f.Header())
			}
			if d := f.Damage(); d != (btree.Damage{}) {
				t.Errorf("damage %+v in a whole file", d)
			}
		})
	}
}

func TestAWholeFileHasOrphansOnlyInTablesNotWalked(t *testing.T) {
	m := makeFile(t, 512, 1000)
	f := open(t, m.bytes, nil)
	for _, table := range f.Tables() {
		if table.Name != "loose" {
			f.Walk(table.Root, func(btree.Row) bool { return true })
		}
	}
	orphans := func() (rows []btree.Row) {
		f.Orphans(func(_ uint32, found []btree.Row) bool {
			rows = append(rows, found...)
			return true
		})
		slices.SortFunc(rows, func(a, b btree.Row) int { return int(a.ID - b.ID) })
		return rows
	}
	wantRows(t, orphans(), m.rows["loose"])
	wantRows(t, orphans(), m.rows["loose"])
	wantRows(t, walk(f, "loose"), m.rows["loose"])
	wantRows(t, orphans(), nil)
	// The tables of fts5 WITHOUT ROWID have no rows here, and say so.
	if d := f.Damage(); d.Cells != 0 || d.Pages != 2 || !strings.Contains(d.First, "index") {
		t.Errorf("damage %+v", d)
	}
}

func TestAWalkEndsWhereTheReceiverWantsItTo(t *testing.T) {
	m := makeFile(t, 512, 1000)
	f := open(t, m.bytes, nil)
	for _, table := range f.Tables() {
		if table.Name != "things" {
			continue
		}
		n := 0
		f.Walk(table.Root, func(btree.Row) bool { n++; return n < 100 })
		if n != 100 {
			t.Errorf("%d rows", n)
		}
	}
}

func TestTablesAreNamedWithTheirStatements(t *testing.T) {
	m := makeFile(t, 4096, 10)
	var names []string
	for _, table := range open(t, m.bytes, nil).Tables() {
		names = append(names, table.Name)
		if !strings.HasPrefix(table.SQL, "CREATE TABLE "+table.Name) && !strings.HasPrefix(table.Name, "found_") {
			t.Errorf("%s is made by %s", table.Name, table.SQL)
		}
	}
	if want := []string{"things", "loose"}; !slices.Equal(names[:2], want) || slices.Contains(names, "found") {
		t.Errorf("tables %v, want %v", names, want)
	}
}

func TestAnEmptyFileHasNoPagesAndNoDamage(t *testing.T) {
	f := open(t, nil, nil)
	if f.Pages() != 0 || f.Tables() != nil || f.Damage() != (btree.Damage{}) {
		t.Errorf("%d pages, %v, %+v", f.Pages(), f.Tables(), f.Damage())
	}
}

// A state file is read while its run is still open: most of it stands in the log.
func TestAStateFileIsReadAsItsReadersSeeIt(t *testing.T) {
	path, now := filepath.Join(t.TempDir(), "job.db"), time.UnixMilli(1_770_000_000_000)
	start := state.Start{Entry: "start", Total: 3000, Request: func(i int64) schema.Request {
		return schema.Request{URL: fmt.Sprintf("http://127.0.0.1/商品/%d", i), Page: "page"}
	}}
	o := state.RunOptions{Path: path, Name: "job", Text: []byte("name: job"), Starts: []state.Start{start}}
	run, err := state.OpenRun(context.Background(), o, now)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close(context.Background(), now, "")
	if _, err := run.Commit(context.Background(), now, nil, 10); err != nil {
		t.Fatal(err)
	}
	f := open(t, readFile(t, path), readFile(t, path+"-wal"))
	db := openSQLite(t, path, "busy_timeout(10000)")
	for _, table := range []string{"tasks", "starts", "runs", "job"} {
		wantRows(t, idsOutside(walk(f, table)), idsOutside(selectRows(t, db, table)))
	}
	if n := len(walk(f, "tasks")); n < 1000 {
		t.Errorf("%d tasks", n)
	}
	var application, version uint32
	row := db.QueryRow(`SELECT * FROM pragma_application_id, pragma_user_version`)
	if err := row.Scan(&application, &version); err != nil {
		t.Fatal(err)
	}
	want := btree.Header{Sane: true, ApplicationID: application, UserVersion: version}
	if f.Header() != want || application == 0 {
		t.Errorf("header %+v, want %+v", f.Header(), want)
	}
	if d := f.Damage(); d != (btree.Damage{}) {
		t.Errorf("damage %+v in a whole file", d)
	}
}

// idsOutside takes the ids out of the values, where a select repeats them.
func idsOutside(rows []btree.Row) []btree.Row {
	for i, r := range rows {
		if len(r.Values) > 0 && (r.Values[0] == nil || r.Values[0] == r.ID) {
			rows[i].Values = slices.Concat([]any{nil}, r.Values[1:])
		}
	}
	return rows
}
