package btree

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// maxPayload is the greatest length of a row in bytes: SQLite's default limit (SQLITE_MAX_LENGTH).
const maxPayload = 1_000_000_000

var (
	errTooLong = errors.New("longer than the file can hold")
	errOverlap = errors.New("overlaps another")
	errChain   = errors.New("its overflow chain is lost")
	errHollow  = fmt.Errorf("%w: the last page is zeroed", errChain)
)

// Row is one row of a table as it is stored. Values are nil, int64, float64, string or []byte, in the order of the
// columns, and the receiver's to keep. An INTEGER PRIMARY KEY is stored as nil: its value is ID. A REAL column stores
// whole numbers as int64. Virtual generated columns are not stored; columns added by ALTER TABLE may be missing at the
// end.
type Row struct {
	ID     int64
	Values []any
}

// cells reads the rows of leaves, for one walk or for the orphans.
type cells struct {
	f       *File
	foreign func(uint32) bool // pages that can't be overflow of the rows wanted
	chained pageSet           // overflow pages that belong to a row already
	wasted  uint32            // pages read for chains that turned out bad
	used    []uint64          // a bit per byte of the page: it belongs to a cell already
	buf     []byte            // a page of overflow
	payload []byte
	chain   []uint32 // the overflow pages of the last row
	hollow  int      // how many bytes at its end stood in a page of zeros
}

func newCells(f *File, foreign func(uint32) bool) *cells {
	used, buf := make([]uint64, f.pageSize/64), make([]byte, f.pageSize)
	return &cells{f: f, foreign: foreign, chained: pageSet{}, used: used, buf: buf}
}

// leaf yields the rows of a leaf and returns false when yield did.
func (c *cells) leaf(p page, yield func(Row) bool) bool {
	clear(c.used)
	count := c.f.counted.add(p.number)
	effort := 4 * len(p.data) // cells that overlap must not make a page cost more than a few times its bytes
	for i := range p.cells {
		var row Row
		var err error = errOverlap
		if effort > 0 {
			var spent int
			row, spent, err = c.row(p, i)
			effort -= spent
		}
		if err != nil && count {
			c.f.badCell(p, i, err)
		}
		if (err == nil || errors.Is(err, errText)) && !yield(row) {
			return false
		}
	}
	return true
}

// row reads cell i of a leaf. spent is how many bytes of the page it took.
func (c *cells) row(p page, i int) (row Row, spent int, err error) {
	c.chain, c.hollow = c.chain[:0], 0
	b, err := p.cell(i)
	if err != nil {
		return Row{}, 1, err
	}
	total, n := varint(b)
	id, m := varint(b[n:])
	if n == 0 || m == 0 {
		return Row{}, 1, errOutside
	}
	local, first, err := c.split(b[n+m:], total)
	spent = n + m + len(local)
	if err != nil {
		return Row{}, spent, err
	}
	if first != 0 {
		spent += 4
	}
	if c.overlaps(p.pointer(i), spent) {
		return Row{}, spent, errOverlap
	}
	if first != 0 {
		if local, err = c.follow(local, int(total), first); err != nil {
			return Row{}, spent, err
		}
	}
	row = Row{ID: int64(id)}
	row.Values, err = decode(local)
	if err != nil && !errors.Is(err, errText) {
		return Row{}, spent, err
	}
	if c.hollow > 0 && !endsInBlob(row.Values, c.hollow) {
		return Row{}, spent, errHollow
	}
	c.take(p.pointer(i), spent)
	return row, spent, err
}

// split returns the part of a payload of total bytes that stands in the leaf, and the first page of the rest (0: none).
// The formula is that of section 1.6, "Cell Payload Overflow Pages", for table leaves: U-35 bytes stand in the page; if
// there are more, then M+((P-M)%(U-4)) of them do if that is no more than U-35, else M, M being ((U-12)*32/255)-23.
func (c *cells) split(b []byte, total uint64) (local []byte, first uint32, err error) {
	u := uint64(c.f.usable())
	if total > maxPayload {
		return nil, 0, errTooLong
	}
	if total <= u-35 {
		if total > uint64(len(b)) {
			return nil, 0, errOutside
		}
		return b[:total], 0, nil
	}
	m := (u-12)*32/255 - 23
	k := m + (total-m)%(u-4)
	if k > u-35 {
		k = m
	}
	if k+4 > uint64(len(b)) {
		return nil, 0, errOutside
	}
	if first = binary.BigEndian.Uint32(b[k:]); first == 0 {
		return b[:k], 0, errChain
	}
	return b[:k], first, nil
}

// follow returns a payload of total bytes, the first of them local, the rest in the chain of overflow pages at first.
// What it returns is good until the next call. It must be as long as it says, and end there. Pages of a chain that is
// bad are left to whom they belong to, unless that happened so often that somebody must have meant it.
func (c *cells) follow(local []byte, total int, first uint32) ([]byte, error) {
	c.payload = append(c.payload[:0], local...)
	err := c.collect(total, first)
	if err == nil {
		return c.payload, nil
	}
	c.wasted += min(uint32(len(c.chain)), math.MaxUint32-c.wasted)
	if c.wasted <= c.f.limit {
		for _, n := range c.chain {
			c.chained.remove(n)
		}
	}
	return nil, err
}

func (c *cells) collect(total int, next uint32) error {
	room := c.f.usable() - 4
	for len(c.payload) < total {
		if next < 2 || c.foreign(next) || c.chained.has(next) {
			return fmt.Errorf("%w: page %d can't be part of it", errChain, next)
		}
		if err := c.f.read(next, c.buf); err != nil {
			return fmt.Errorf("%w: page %d: %w", errChain, next, err)
		}
		c.chained.add(next)
		c.chain = append(c.chain, next)
		part := c.buf[4 : 4+min(room, total-len(c.payload))]
		c.payload = append(c.payload, part...)
		if zeroed(c.buf) { // as the last of a chain may be
			c.hollow = len(part)
		}
		next = binary.BigEndian.Uint32(c.buf)
	}
	if next != 0 {
		return fmt.Errorf("%w: it goes on with page %d behind its end", errChain, next)
	}
	return nil
}

// endsInBlob reports whether the last n bytes of a record are those of a blob, the one value that may be all zeros.
func endsInBlob(values []any, n int) bool {
	if len(values) == 0 {
		return false
	}
	b, ok := values[len(values)-1].([]byte)
	return ok && len(b) >= n
}

// overlaps reports whether another cell has taken one of the n bytes at at.
func (c *cells) overlaps(at, n int) bool {
	for i := at; i < at+n; i = i&^63 + 64 {
		if c.used[i>>6]&span(i, at+n) != 0 {
			return true
		}
	}
	return false
}

func (c *cells) take(at, n int) {
	for i := at; i < at+n; i = i&^63 + 64 {
		c.used[i>>6] |= span(i, at+n)
	}
}

// span returns the bits from from up to to, or to the end of the word that from lies in.
func span(from, to int) uint64 {
	bits := ^uint64(0) << (from & 63)
	if behind := from&^63 + 64 - to; behind > 0 {
		bits &= ^uint64(0) >> behind
	}
	return bits
}
