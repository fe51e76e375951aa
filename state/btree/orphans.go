package btree

import "encoding/binary"

// Orphans yields, page by page in the order of the file, the rows of table leaves that no Walk (nor Tables) so far has
// reached, that the freelist does not list, and that are no overflow of a row walked: what hung below a destroyed page,
// or everything when page 1 is lost. The caller tells by their shape whose they are.
//
// Rows may be stale here: a page that was freed keeps its rows until it is used again, and when the freelist is
// damaged, or the header that leads to it, nothing tells such a page from a lost one. An id may so come twice, once
// with old values, and rows that were deleted may come back. Bad cells of such pages count in [File.Damage] as all
// others do.
func (f *File) Orphans(yield func(page uint32, rows []Row) bool) {
	free := f.freePages()
	foreign := func(n uint32) bool { return f.reached.has(n) || f.overflow.has(n) || free.has(n) }
	c := newCells(f, foreign)
	buf := make([]byte, f.pageSize)
	for n := range f.numbers {
		if foreign(n) {
			continue
		}
		// An overflow page begins with the number of the next: it looks like a leaf only in a file of 218 million
		// pages.
		if f.read(n, buf) != nil {
			continue
		}
		p, err := parsePage(n, buf)
		if err != nil || p.kind != leafTable {
			continue
		}
		var rows []Row
		c.leaf(p, func(r Row) bool {
			rows = append(rows, r)
			return true
		})
		if len(rows) > 0 && !yield(n, rows) {
			return
		}
	}
}

// freePages returns the pages of the freelist, section 1.5, as far as its trunk pages can be read. A trunk holds the
// next one, how many leaves it lists, and them.
func (f *File) freePages() pageSet {
	free := pageSet{}
	buf := make([]byte, f.pageSize)
	be := binary.BigEndian
	for next := f.header.freelist; next != 0 && !free.has(next); next = be.Uint32(buf) {
		if f.read(next, buf) != nil {
			break
		}
		free.add(next)
		listed := be.Uint32(buf[4:])
		if listed > uint32(f.usable()/4-2) {
			break
		}
		for i := range int(listed) {
			if n := be.Uint32(buf[8+4*i:]); f.has(n) {
				free.add(n)
			}
		}
	}
	return free
}
