package btree_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"dogear/state/btree"
)

// smallFiles returns files that SQLite wrote, with their logs, whole and damaged.
func smallFiles(tb testing.TB) (files [][2][]byte) {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "small.db")
	db := openSQLite(tb, path, "page_size(512)", "journal_mode(delete)")
	exec(tb, db, `CREATE TABLE a (id INTEGER PRIMARY KEY, t TEXT, r REAL) STRICT`)
	exec(tb, db, `CREATE TABLE b (x, y)`)
	exec(tb, db, `WITH RECURSIVE i(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM i WHERE v < 60)
		INSERT INTO a SELECT v, printf('第 %d', v), v / 3.0 FROM i`)
	exec(tb, db, `INSERT INTO b VALUES (printf('%.1400c', 'x'), NULL), (x'00ff', 9223372036854775807), ('short', 1)`)
	exec(tb, db, `DELETE FROM a WHERE id BETWEEN 10 AND 40`)
	if err := db.Close(); err != nil {
		tb.Fatal(err)
	}
	whole := readFile(tb, path)
	headless, cut := bytes.Clone(whole), whole[:len(whole)*2/3]
	clear(headless[:512])
	files = append(files, [2][]byte{whole}, [2][]byte{headless}, [2][]byte{cut}, [2][]byte{{}, {}})

	path = filepath.Join(tb.TempDir(), "logged.db")
	db = openSQLite(tb, path, "page_size(512)", "wal_autocheckpoint(0)")
	exec(tb, db, `PRAGMA journal_mode = wal`)
	exec(tb, db, `CREATE TABLE c (t)`)
	exec(tb, db, `INSERT INTO c VALUES ('in the log')`)
	return append(files, [2][]byte{readFile(tb, path), readFile(tb, path+"-wal")})
}

// Whatever the bytes, reading them ends, does not panic and gives no more rows than they can hold.
func FuzzAnyBytesAreReadToTheirEnd(f *testing.F) {
	for _, file := range smallFiles(f) {
		f.Add(file[0], file[1])
	}
	f.Fuzz(func(t *testing.T, db, wal []byte) {
		if len(db) > 1<<17 || len(wal) > 1<<17 {
			t.Skip("longer than it takes to find something")
		}
		exhaust(t, db, wal)
		if len(wal) >= 32 {
			btree.WALSalt(wal[:32])
		}
	})
}

// BenchmarkWalk reads a million small rows.
func BenchmarkWalk(b *testing.B) {
	path := filepath.Join(b.TempDir(), "million.db")
	db := openSQLite(b, path, "journal_mode(off)", "synchronous(off)")
	exec(b, db, `CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, price INTEGER, at INTEGER)`)
	exec(b, db, `WITH RECURSIVE i(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM i WHERE v < 1000000)
		INSERT INTO t SELECT v, printf('product %d', v), v * 7, 1770000000000 + v FROM i`)
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	file := readFile(b, path)
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	rows := 0
	for b.Loop() {
		f := open(b, file, nil)
		for _, t := range f.Tables() {
			f.Walk(t.Root, func(btree.Row) bool { rows++; return true })
		}
	}
	if rows != b.N*1_000_000 {
		b.Fatal(fmt.Errorf("%d rows in %d walks", rows, b.N))
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
}
