package btree

import (
	"errors"
	"fmt"
	"math"
)

// maxDepth is how many levels a tree has at most (SQLite's BTCURSOR_MAX_DEPTH).
const maxDepth = 20

var (
	errPage1  = errors.New("a child pointer leads to the first page")
	errTwice  = errors.New("two pointers of one table lead to it")
	errTooFar = errors.New("more than 20 levels below the root")
	errIndex  = errors.New("a page of an index in a table")
	errOrder  = errors.New("ids out of order, or not those that its parent says")
)

// Walk yields the rows of the b-tree at root in order of their ids, as far as it can be read, until yield returns
// false. A page that can't be read costs its rows and what hangs below it, nothing else, and is counted in
// [File.Damage]. Rows of a leaf whose ids are not those that its parent says are yielded and the page is counted: a
// pointer may lead to a page of another table, which the caller tells by the shape of the rows. The table of an index,
// or one WITHOUT ROWID, has no rows here. Walking again yields the same. Whether something was amiss in the tree,
// as far as it was walked, is returned.
func (f *File) Walk(root uint32, yield func(Row) bool) (whole bool) {
	before := f.faults
	w := &walker{f: f, seen: pageSet{}, yield: yield}
	w.cells = newCells(f, w.seen.has)
	w.tree(root, ids{math.MinInt64, math.MaxInt64}, 0, true)
	return f.faults == before
}

// ids is the range that a parent gives, both ends included.
type ids struct{ from, to int64 }

func (r ids) has(id int64) bool { return r.from <= id && id <= r.to }

// after returns the id that comes next; behind the last there is none, and it stays.
func after(id int64) int64 {
	if id == math.MaxInt64 {
		return id
	}
	return id + 1
}

// walker is one walk.
type walker struct {
	f     *File
	cells *cells
	seen  pageSet // table pages entered
	path  [maxDepth][]byte
	yield func(Row) bool
}

// tree walks what hangs on page n and returns false when yield did. count says that a pointer which is at fault is new.
func (w *walker) tree(n uint32, within ids, depth int, count bool) bool {
	if err := w.wrong(n, depth); err != nil {
		if count {
			w.f.badPointer(n, err)
		}
		return true
	}
	if w.path[depth] == nil {
		w.path[depth] = make([]byte, w.f.pageSize)
	}
	p, err := w.f.tablePage(n, w.path[depth])
	if err != nil {
		if errors.Is(err, errMissing) || errors.Is(err, errLockByte) {
			if count {
				w.f.badPointer(n, err)
			}
		} else {
			w.f.badPage(n, err)
		}
		return true
	}
	w.seen.add(n)
	isNew := w.f.reached.add(n)
	if p.kind == leafTable {
		return w.leaf(p, within)
	}
	return w.interior(p, within, depth, isNew)
}

// wrong says why no page n can be here, before it is read.
func (w *walker) wrong(n uint32, depth int) error {
	switch {
	case n == 1 && depth > 0:
		return errPage1
	case w.seen.has(n):
		return errTwice
	case depth == maxDepth:
		return errTooFar
	}
	return nil
}

// tablePage reads page n into b. Its error says why it is no page of a table.
func (f *File) tablePage(n uint32, b []byte) (page, error) {
	if err := f.read(n, b); err != nil {
		return page{}, err
	}
	p, err := parsePage(n, b)
	if err != nil && zeroed(b) {
		err = errZeroed
	}
	if err == nil && (p.kind == leafIndex || p.kind == interiorIndex) {
		err = errIndex
	}
	return p, err
}

// interior walks the children from left to right.
func (w *walker) interior(p page, within ids, depth int, isNew bool) bool {
	rest := within
	for i := range p.cells + 1 {
		child, key, bounded, err := p.child(i)
		if err != nil {
			if isNew {
				w.f.badCell(p, i, fmt.Errorf("no pointer to a child: %w", err))
			}
			continue
		}
		below := rest
		switch {
		case bounded && rest.has(key):
			below.to = key
			rest.from = after(key)
		case bounded:
			w.f.badPage(p.number, errOrder)
		}
		if !w.tree(child, below, depth+1, isNew) {
			return false
		}
	}
	return true
}

func (w *walker) leaf(p page, within ids) bool {
	return w.cells.leaf(p, func(r Row) bool {
		for _, n := range w.cells.chain {
			w.f.overflow.add(n)
		}
		if !within.has(r.ID) {
			w.f.badPage(p.number, errOrder)
		}
		within.from = max(within.from, after(r.ID))
		return w.yield(r)
	})
}
