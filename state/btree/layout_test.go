package btree_test

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"dogear/state/btree"
)

func TestReservedBytesAtTheEndOfPagesAreNoContent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "reserved.db")
	db := openSQLite(t, path, "page_size(512)", "journal_mode(delete)")
	exec(t, db, `PRAGMA user_version = 7`) // writes page 1 and nothing else
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	b := readFile(t, path)
	b[20] = 32
	binary.BigEndian.PutUint16(b[105:], 512-32) // where the cells of the empty schema begin
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	db = openSQLite(t, path)
	exec(t, db, `CREATE TABLE t (a, b)`)
	for i := range 60 {
		exec(t, db, `INSERT INTO t VALUES (?, randomblob(?))`, fmt.Sprint("row ", i), i*i)
	}
	want := selectRows(t, db, "t")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	f := open(t, readFile(t, path), nil)
	wantRows(t, walk(f, "t"), want)
	if d := f.Damage(); d != (btree.Damage{}) || f.Header().UserVersion != 7 {
		t.Errorf("damage %+v, header %+v", d, f.Header())
	}
}

// long is a file that goes on with zeros, as a sparse one does.
type long struct{ head []byte }

func (l long) ReadAt(b []byte, at int64) (int, error) {
	clear(b)
	if at < int64(len(l.head)) {
		copy(b, l.head[at:])
	}
	return len(b), nil
}

var _ io.ReaderAt = long{}

func TestTheLockBytePageHoldsNothing(t *testing.T) {
	m := makeFile(t, 65536, 11_000)
	lock := uint32(1<<30/65536 + 1)
	root := m.bytes[int(m.root("things")-1)*65536:]
	binary.BigEndian.PutUint32(root[8:], lock)
	f, err := btree.Open(long{m.bytes}, 1<<30+1<<18, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	walk(f, "things")
	says := fmt.Sprintf("page %d: is the lock-byte page, which holds nothing", lock)
	if d := f.Damage(); d.Pages != 1 || d.First != says || f.Pages() != lock+3 {
		t.Errorf("damage %+v, %d pages", d, f.Pages())
	}
	n := 0
	f.Orphans(func(_ uint32, rows []btree.Row) bool { n += len(rows); return true })
	if n == 0 {
		t.Error("the rows of the child that was cut off are lost")
	}
}
