package btree_test

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"dogear/state/btree"
)

// logged is a file whose last commits stand in its log.
type logged struct {
	db, wal  []byte
	pageSize int
	lengths  []int         // of the log after each commit
	rows     [][]btree.Row // of table t then; lengths[0] is 0
}

// makeLogged makes a file with commits in its log, and before them some in the file itself if it is begun.
func makeLogged(tb testing.TB, pageSize int, begun bool) *logged {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "logged.db")
	db := openSQLite(tb, path, fmt.Sprintf("page_size(%d)", pageSize), "wal_autocheckpoint(0)")
	exec(tb, db, `PRAGMA journal_mode = wal`) // once the page size is set
	l := &logged{pageSize: pageSize}
	note := func() {
		l.rows = append(l.rows, selectRows(tb, db, "t"))
		l.lengths = append(l.lengths, len(readFile(tb, path+"-wal")))
	}
	if begun {
		exec(tb, db, `CREATE TABLE t (a TEXT, b BLOB)`)
		exec(tb, db, `INSERT INTO t VALUES ('in the file', zeroblob(3000)), ('changed later', NULL)`)
		exec(tb, db, `PRAGMA wal_checkpoint(TRUNCATE)`)
		note()
	} else {
		l.rows, l.lengths = [][]btree.Row{nil}, []int{0}
		exec(tb, db, `CREATE TABLE t (a TEXT, b BLOB)`)
		note()
	}
	for i := range 8 {
		exec(tb, db, `INSERT INTO t SELECT printf('第 %d 行', ?1), randomblob(?1 * 200 + 10)
			FROM (SELECT 1 UNION SELECT 2)`, i)
		note()
	}
	exec(tb, db, `UPDATE t SET a = 'changed' WHERE rowid % 2 = 0`)
	note()
	exec(tb, db, `DELETE FROM t WHERE rowid > 5`)
	note()
	exec(tb, db, `VACUUM`) // the file shrinks
	note()
	l.db, l.wal = readFile(tb, path), readFile(tb, path+"-wal")
	if frames := len(l.wal) - 32; frames%(24+pageSize) != 0 {
		tb.Fatalf("the log has no pages of %d bytes", pageSize)
	}
	return l
}

func (l *logged) lastWhole(length int) int {
	last := 0
	for i, n := range l.lengths {
		if n <= length {
			last = i
		}
	}
	return last
}

func TestACutLogGivesTheRowsOfTheLastWholeCommit(t *testing.T) {
	for _, c := range []struct {
		name     string
		pageSize int
		begun    bool
	}{
		{"a file that has rows itself", 1024, true},
		{"a file whose rows are all in its log", 4096, false},
		{"a file of the greatest pages", 65536, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := makeLogged(t, c.pageSize, c.begun)
			cuts := []int{0, 31, 32, 33, len(l.wal)}
			for at := 32; at <= len(l.wal); at += 24 + c.pageSize {
				cuts = append(cuts, at-1, at, at+1, at+24+c.pageSize/2)
			}
			for _, cut := range cuts {
				cut = min(cut, len(l.wal))
				f := open(t, l.db, l.wal[:cut])
				wantRows(t, walk(f, "t"), l.rows[l.lastWhole(cut)])
				if d := f.Damage(); d != (btree.Damage{}) {
					t.Errorf("damage %+v in a log cut at %d", d, cut)
				}
			}
		})
	}
}

func TestALogEndsAtItsFirstFalseFrame(t *testing.T) {
	l := makeLogged(t, 1024, true)
	frame := 24 + l.pageSize
	for _, c := range []struct {
		name string
		at   int // within the frame
	}{
		{"its page number", 3}, {"the size that it commits", 7}, {"the first salt", 11}, {"the second salt", 15},
		{"its checksum", 19}, {"the first byte of the page", 24}, {"the last byte of the page", frame - 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			for at := 32; at < len(l.wal); at += frame {
				wal := append([]byte{}, l.wal...)
				wal[at+c.at] ^= 0x40
				wantRows(t, walk(open(t, l.db, wal), "t"), l.rows[l.lastWhole(at)])
			}
		})
	}
}

// resum writes the checksums anew in the order of the magic number, as section 4.2 of the format has it.
func resum(wal []byte, pageSize int, order binary.ByteOrder) {
	var a, b uint32
	add := func(p []byte) {
		for i := 0; i < len(p); i += 8 {
			a += order.Uint32(p[i:]) + b
			b += order.Uint32(p[i+4:]) + a
		}
	}
	put := func(p []byte) {
		binary.BigEndian.PutUint32(p, a)
		binary.BigEndian.PutUint32(p[4:], b)
	}
	add(wal[:24])
	put(wal[24:])
	for at := 32; at < len(wal); at += 24 + pageSize {
		add(wal[at : at+8])
		add(wal[at+24 : at+24+pageSize])
		put(wal[at+16:])
	}
}

func TestBothOrdersOfChecksumsAreRead(t *testing.T) {
	l := makeLogged(t, 1024, true)
	last := l.rows[len(l.rows)-1]
	for magic, order := range map[byte]binary.ByteOrder{0x82: binary.LittleEndian, 0x83: binary.BigEndian} {
		l.wal[3] = magic
		resum(l.wal, l.pageSize, order)
		wantRows(t, walk(open(t, l.db, l.wal), "t"), last)
	}
}

func TestALogWithoutItsFileStillGivesItsPages(t *testing.T) {
	l := makeLogged(t, 1024, false)
	for _, db := range [][]byte{nil, make([]byte, 100), make([]byte, 5000)} {
		f := open(t, db, l.wal)
		wantRows(t, walk(f, "t"), l.rows[len(l.rows)-1])
		if !f.Header().Sane || f.PageSize() != 1024 {
			t.Errorf("pages of %d bytes, header %+v", f.PageSize(), f.Header())
		}
	}
}

func TestALogThatIsNotThisFilesIsLeftAsideAndCounted(t *testing.T) {
	l, other := makeLogged(t, 1024, true), makeLogged(t, 4096, true)
	zeroed := append(make([]byte, 32), l.wal[32:]...)
	for _, c := range []struct {
		name string
		wal  []byte
		says string
	}{
		{"of other pages", other.wal, "write-ahead log: its pages have 4096 bytes, those of the file 1024"},
		{"without a header", zeroed, "write-ahead log: garbage header"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := open(t, l.db, c.wal)
			wantRows(t, walk(f, "t"), l.rows[0])
			if d := f.Damage(); d.Pages != 1 || d.First != c.says {
				t.Errorf("damage %+v", d)
			}
		})
	}
}

func TestTheSaltOfALogIsThatOfItsHeader(t *testing.T) {
	l := makeLogged(t, 1024, true)
	if salt, ok := btree.WALSalt(l.wal[:32]); !ok || salt != binary.BigEndian.Uint32(l.wal[16:]) {
		t.Errorf("salt %d, %t", salt, ok)
	}
	spoilt := append([]byte{}, l.wal[:32]...)
	spoilt[17]++
	for _, header := range [][]byte{nil, l.wal[:31], l.db[:32], spoilt, []byte(strings.Repeat("x", 32))} {
		if salt, ok := btree.WALSalt(header); ok || salt != 0 {
			t.Errorf("%q has the salt %d", header, salt)
		}
	}
}
