package btree_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"dogear/state/btree"
)

// saved is what a damaged file gives, by table and id, orphans told by their shape.
type saved struct {
	walked, all map[string]map[int64]btree.Row
	damage      btree.Damage
}

func save(tb testing.TB, db, wal []byte) saved {
	tb.Helper()
	f := open(tb, db, wal)
	s := saved{walked: map[string]map[int64]btree.Row{"things": {}, "loose": {}}}
	for table, rows := range s.walked {
		for _, r := range walk(f, table) {
			if _, twice := rows[r.ID]; twice {
				tb.Errorf("row %d of %s comes twice", r.ID, table)
			}
			rows[r.ID] = r
		}
	}
	s.all = map[string]map[int64]btree.Row{"things": {}, "loose": {}}
	f.Orphans(func(_ uint32, rows []btree.Row) bool {
		for _, r := range rows {
			switch {
			case len(r.Values) == 2 && r.Values[0] != nil: // fts5 has tables of two columns, too
				s.all["loose"][r.ID] = r
			case len(r.Values) >= 5 && r.Values[0] == nil:
				s.all["things"][r.ID] = r
			}
		}
		return true
	})
	for table, rows := range s.walked {
		for id, r := range rows {
			s.all[table][id] = r
		}
	}
	s.damage = f.Damage()
	return s
}

// lost returns which of the rows wanted are not there, by their places, and complains of rows that are wrong.
func lost(tb testing.TB, got map[int64]btree.Row, want []btree.Row) (places []int) {
	tb.Helper()
	found := 0
	for i, w := range want {
		g, ok := got[w.ID]
		switch {
		case !ok:
			places = append(places, i)
			continue
		case !same(g, w):
			tb.Fatalf("row %d is %.300s, want %.300s", w.ID, fmt.Sprint(g), fmt.Sprint(w))
		}
		found++
	}
	if len(got) != found {
		tb.Errorf("%d rows that were not in the table", len(got)-found)
	}
	return places
}

func TestAZeroedPageCostsItsRowsAndNoOthers(t *testing.T) {
	for _, pageSize := range []int{512, 4096} {
		t.Run(fmt.Sprintf("pages of %d bytes", pageSize), func(t *testing.T) {
			m := makeFile(t, pageSize, 400)
			for n := uint32(2); int(n) <= len(m.bytes)/pageSize; n++ {
				db := bytes.Clone(m.bytes)
				clear(db[int(n-1)*pageSize : int(n)*pageSize])
				s := save(t, db, nil)
				m.checkZeroed(t, n, s)
				if t.Failed() {
					t.Fatalf("page %d zeroed: %+v", n, m.spots[n])
				}
			}
		})
	}
}

// checkZeroed checks what is left without page n.
func (m *made) checkZeroed(t *testing.T, n uint32, s saved) {
	t.Helper()
	spot, used := m.spots[n]
	for table, want := range m.rows {
		if !used { // a page of the freelist: what it listed may come back as orphans
			if gone := lost(t, s.walked[table], want); gone != nil || s.damage.Pages != 0 {
				t.Errorf("%s: rows %v lost, damage %+v", table, gone, s.damage)
			}
			continue
		}
		walked, all := lost(t, s.walked[table], want), lost(t, s.all[table], want)
		costs := 0
		switch {
		case spot.table == table && spot.kind == "leaf":
			costs = spot.cells
		case spot.table == table && spot.kind == "overflow":
			costs = 1
		case spot.table == "sqlite_schema":
			continue // which tables are lost with it is not told by their rows
		}
		if len(all) != costs || spot.kind != "internal" && len(walked) != costs {
			t.Errorf("%s: %d rows lost, %d with the orphans; want %d", table, len(walked), len(all), costs)
		}
		if len(all) > 0 && all[len(all)-1]-all[0] != len(all)-1 {
			t.Errorf("%s: the rows lost are at %v", table, all)
		}
		if spot.table == table && spot.kind == "internal" && len(walked) == 0 {
			t.Errorf("%s: nothing lost below an interior page", table)
		}
	}
	ours := slices.Contains([]string{"things", "loose"}, spot.table)
	zeroed := btree.Damage{Pages: 1, First: fmt.Sprintf("page %d: zeroed", n)}
	switch {
	case ours && spot.kind != "overflow" && s.damage != zeroed,
		ours && spot.kind == "overflow" && (s.damage.Cells != 1 || !strings.Contains(s.damage.First, "overflow")),
		strings.HasPrefix(spot.table, "things_") && s.damage != btree.Damage{}:
		t.Errorf("damage %+v", s.damage)
	}
}

func TestWithoutPage1AllRowsAreOrphans(t *testing.T) {
	for _, pageSize := range []int{512, 4096, 65536} {
		m := makeFile(t, pageSize, 4000)
		clear(m.bytes[:pageSize])
		s := save(t, m.bytes, nil)
		for table, want := range m.rows {
			for _, w := range want {
				if _, ok := s.all[table][w.ID]; !ok {
					t.Fatalf("pages of %d bytes: row %d of %s is lost", pageSize, w.ID, table)
				}
			}
			if len(s.walked[table]) != 0 {
				t.Errorf("%d rows of %s walked", len(s.walked[table]), table)
			}
		}
		if s.damage.Pages != 1 || s.damage.First != "page 1: zeroed" {
			t.Errorf("damage %+v", s.damage)
		}
	}
}

func TestAGarbageHeaderCostsNoRows(t *testing.T) {
	for _, pageSize := range []int{512, 4096, 65536} {
		m := makeFile(t, pageSize, 4000)
		for _, c := range []struct {
			name     string
			from, to int
		}{
			{"the whole header", 0, 100}, {"the magic", 0, 16}, {"the page size", 16, 18}, {"the fractions", 21, 24},
			{"the encoding", 56, 60},
		} {
			t.Run(fmt.Sprintf("%s, pages of %d bytes", c.name, pageSize), func(t *testing.T) {
				db := bytes.Clone(m.bytes)
				for i := c.from; i < c.to; i++ {
					db[i] = 0xfb
				}
				f := open(t, db, nil)
				if f.Header().Sane || f.PageSize() != pageSize {
					t.Errorf("pages of %d bytes, header %+v", f.PageSize(), f.Header())
				}
				wantRows(t, walk(f, "things"), m.rows["things"])
				wantRows(t, walk(f, "loose"), m.rows["loose"])
				if d := f.Damage(); d.Pages != 1 || d.First != "page 1: garbage header" {
					t.Errorf("damage %+v", d)
				}
			})
		}
	}
}
