package btree_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"dogear/state/btree"
)

func TestACutFileGivesTheRowsOfThePagesThatAreLeft(t *testing.T) {
	m := makeFile(t, 1024, 700)
	pages := len(m.bytes) / m.pageSize
	for cut := 0; cut < len(m.bytes); cut += 777 {
		s := save(t, m.bytes[:cut], nil)
		for table, want := range m.rows {
			lost(t, s.all[table], want)
		}
		if says := fmt.Sprintf("file ends at page %d of %d", cut/1024, pages); cut >= 100 && s.damage.First != says {
			t.Errorf("cut at %d: damage %+v", cut, s.damage)
		}
		if got, least := len(s.all["things"]), m.cellsUpTo("things", cut/1024); got < least {
			t.Errorf("cut at %d: %d rows, want %d", cut, got, least)
		}
	}
}

// cellsUpTo counts the rows of a table in its leaves up to a page.
func (m *made) cellsUpTo(table string, page int) (n int) {
	for number, s := range m.spots {
		if s.table == table && s.kind == "leaf" && int(number) <= page {
			n += s.cells
		}
	}
	return n
}

// one returns the first page of a kind.
func (m *made) one(tb testing.TB, table, kind string) (number uint32, data []byte) {
	tb.Helper()
	for _, n := range slices.Sorted(maps.Keys(m.spots)) {
		if s := m.spots[n]; s.table == table && s.kind == kind && s.path != "/" {
			return n, m.bytes[int(n-1)*m.pageSize:][:m.pageSize]
		}
	}
	tb.Fatalf("%s has no %s page", table, kind)
	return 0, nil
}

func (m *made) root(table string) uint32 {
	for n, s := range m.spots {
		if s.table == table && s.path == "/" {
			return n
		}
	}
	return 0
}

func TestPointersThatLieCostWhatTheyLeadToAndEnd(t *testing.T) {
	be := binary.BigEndian
	for _, c := range []struct {
		name, table string
		spoil       func(m *made, t *testing.T)
		pages       int
		cells       int
		says        string
	}{
		{"an interior page leads to itself", "things", func(m *made, t *testing.T) {
			n, p := m.one(t, "things", "internal")
			be.PutUint32(p[8:], n)
		}, 1, 0, "two pointers of one table lead to it"},
		{"an interior page leads to its root", "things", func(m *made, t *testing.T) {
			_, p := m.one(t, "things", "internal")
			be.PutUint32(p[8:], m.root("things"))
		}, 1, 0, "two pointers of one table lead to it"},
		{"an interior page leads to page 1", "things", func(m *made, t *testing.T) {
			_, p := m.one(t, "things", "internal")
			be.PutUint32(p[8:], 1)
		}, 1, 0, "page 1: a child pointer leads to the first page"},
		{"an interior page leads to nowhere", "things", func(m *made, t *testing.T) {
			_, p := m.one(t, "things", "internal")
			be.PutUint32(p[8:], 1<<31)
		}, 1, 0, "page 2147483648: beyond the end of the file"},
		{"an interior cell lies outside its page", "things", func(m *made, t *testing.T) {
			_, p := m.one(t, "things", "internal")
			be.PutUint16(p[12:], 60000)
		}, 0, 1, "cell 0: no pointer to a child: its place lies outside the page"},
		{"a page counts too many cells", "things", func(m *made, t *testing.T) {
			_, p := m.one(t, "things", "leaf")
			be.PutUint16(p[3:], 65535)
		}, 1, 0, "garbage: 65535 cells do not fit"},
		{"a cell lies outside its leaf", "things", func(m *made, t *testing.T) {
			_, p := m.one(t, "things", "leaf")
			be.PutUint16(p[8:], 3)
		}, 0, 1, "cell 0: its place lies outside the page"},
		{"two cells are one", "things", func(m *made, t *testing.T) {
			_, p := m.one(t, "things", "leaf")
			copy(p[10:12], p[8:10])
		}, 0, 1, "cell 1: overlaps another"},
		{"an overflow page leads to itself", "loose", func(m *made, t *testing.T) {
			n, p := m.one(t, "loose", "overflow")
			be.PutUint32(p, n)
		}, 0, 1, "its overflow chain is lost"},
		{"an overflow page leads to a page of the table", "loose", func(m *made, t *testing.T) {
			_, p := m.one(t, "loose", "overflow")
			be.PutUint32(p, m.root("loose"))
		}, 0, 1, "its overflow chain is lost"},
		{"an overflow chain ends early", "loose", func(m *made, t *testing.T) {
			_, p := m.one(t, "loose", "overflow")
			be.PutUint32(p, 0)
		}, 0, 1, "its overflow chain is lost"},
		{"a text is not UTF-8", "loose", func(m *made, t *testing.T) {
			_, p := m.one(t, "loose", "overflow")
			p[100] = 0xff
		}, 0, 1, "text that is not UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := makeFile(t, 512, 2000)
			c.spoil(m, t)
			f := open(t, m.bytes, nil)
			walk(f, c.table)
			d := f.Damage()
			if d.Pages != c.pages || d.Cells != c.cells || !strings.Contains(d.First, c.says) {
				t.Errorf("damage %+v, want %d pages, %d cells, %q", d, c.pages, c.cells, c.says)
			}
			walk(f, c.table)
			if again := f.Damage(); again != d {
				t.Errorf("the second walk finds %+v, the first %+v", again, d)
			}
		})
	}
}

func TestALengthIsBelievedOnlyAsFarAsTheFileGoes(t *testing.T) {
	for _, claim := range [][]byte{
		{0x83, 0x80, 0x80, 0x00}, {0x88, 0x80, 0x80, 0x80, 0x00}, bytes.Repeat([]byte{0xff}, 9),
	} {
		m := makeFile(t, 512, 300)
		_, p := m.one(t, "things", "leaf")
		copy(p[binary.BigEndian.Uint16(p[8:]):], claim)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f := open(t, m.bytes, nil)
		got := walk(f, "things")
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 4<<20 {
			t.Errorf("%d bytes of memory for a file of %d", used, len(m.bytes))
		}
		if d := f.Damage(); len(got) < len(m.rows["things"])-2 || d.Cells < 1 {
			t.Errorf("%d rows of %d, damage %+v", len(got), len(m.rows["things"]), d)
		}
	}
}

func TestFlippedBytesNeverPanicAndEnd(t *testing.T) {
	m, l := makeFile(t, 512, 400), makeLogged(t, 512, true)
	random := rand.New(rand.NewPCG(1, 2))
	for range 150 {
		for _, b := range [][2][]byte{{bytes.Clone(m.bytes)}, {bytes.Clone(l.db), bytes.Clone(l.wal)}} {
			for range 1 + random.IntN(40) {
				b[0][random.IntN(len(b[0]))] = byte(random.Uint32())
			}
			exhaust(t, b[0], b[1])
		}
	}
}

// exhaust reads all that there is and checks what holds for any bytes: no row takes less than 2 bytes.
func exhaust(tb testing.TB, db, wal []byte) {
	tb.Helper()
	f := open(tb, db, wal)
	most := (len(db) + len(wal)) / 2
	count := func(from string, n int) {
		if n > most {
			tb.Errorf("%d rows from %s of %d bytes", n, from, len(db)+len(wal))
		}
	}
	for i, t := range f.Tables() {
		if i == 50 {
			break // each may be all of the file
		}
		n := 0
		f.Walk(t.Root, func(btree.Row) bool { n++; return true })
		count(t.Name, n)
	}
	n := 0
	f.Orphans(func(_ uint32, rows []btree.Row) bool { n += len(rows); return true })
	count("orphans", n)
	if d := f.Damage(); (d.Pages+d.Cells > 0) != (d.First != "") {
		tb.Errorf("damage %+v", d)
	}
}

// sick is a disk that can't read some bytes.
type sick struct {
	io.ReaderAt
	from, to int64
}

var errSick = errors.New("input/output error")

func (s sick) ReadAt(b []byte, at int64) (int, error) {
	if at < s.to && at+int64(len(b)) > s.from {
		return 0, errSick
	}
	return s.ReaderAt.ReadAt(b, at)
}

func TestABadSectorCostsItsPage(t *testing.T) {
	m := makeFile(t, 512, 300)
	n, _ := m.one(t, "things", "leaf")
	at := int64(n-1) * 512
	f, err := btree.Open(sick{bytes.NewReader(m.bytes), at, at + 1}, int64(len(m.bytes)), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	got, d := walk(f, "things"), f.Damage()
	if want := len(m.rows["things"]) - m.spots[n].cells; len(got) != want || d.Pages != 1 {
		t.Errorf("%d rows, want %d, damage %+v", len(got), want, d)
	}
	_, err = btree.Open(sick{bytes.NewReader(m.bytes), 0, 1}, int64(len(m.bytes)), nil, 0)
	if !errors.Is(err, errSick) {
		t.Errorf("a header that can't be read: %v", err)
	}
}
