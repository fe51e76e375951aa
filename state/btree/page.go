package btree

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The kinds of b-tree pages, section 1.6.
const (
	interiorIndex = 0x02
	interiorTable = 0x05
	leafIndex     = 0x0a
	leafTable     = 0x0d
)

var (
	errZeroed  = errors.New("zeroed")
	errKind    = errors.New("no b-tree page")
	errOutside = errors.New("its place lies outside the page")
)

// page is a b-tree page as it is stored.
type page struct {
	number uint32
	data   []byte // all of it
	at     int    // where the b-tree header begins: behind the database header on page 1
	kind   byte
	cells  int
}

// parsePage reads the b-tree page header, section 1.6. Its error says in words why there is no such page here.
func parsePage(number uint32, data []byte) (page, error) {
	p := page{number: number, data: data}
	if number == 1 {
		p.at = headerSize
	}
	p.kind = data[p.at]
	p.cells = int(binary.BigEndian.Uint16(data[p.at+3:]))
	switch p.kind {
	case interiorIndex, interiorTable, leafIndex, leafTable:
	default:
		return p, errKind
	}
	if p.pointersEnd() > len(data) {
		return p, fmt.Errorf("garbage: %d cells do not fit", p.cells)
	}
	return p, nil
}

func (p page) interior() bool { return p.kind == interiorTable || p.kind == interiorIndex }

// pointersBegin is where the array of cell pointers begins.
func (p page) pointersBegin() int {
	if p.interior() {
		return p.at + 12
	}
	return p.at + 8
}

func (p page) pointersEnd() int { return p.pointersBegin() + 2*p.cells }

// contentStart is where the page says its cells begin; 0 stands for 65536.
func (p page) contentStart() int {
	if at := int(binary.BigEndian.Uint16(p.data[p.at+5:])); at != 0 {
		return at
	}
	return 1 << 16
}

// pointer is where cell i says it begins, which may be anywhere.
func (p page) pointer(i int) int {
	return int(binary.BigEndian.Uint16(p.data[p.pointersBegin()+2*i:]))
}

// cell returns the bytes from where cell i begins to the end of the page.
func (p page) cell(i int) ([]byte, error) {
	at := p.pointer(i)
	if at < p.pointersEnd() || at >= len(p.data) {
		return nil, errOutside
	}
	return p.data[at:], nil
}

// child returns the page that cell i of an interior page points to and the greatest id below it. The one past the last
// cell is the right-most child, which has no greatest id: ok is false.
func (p page) child(i int) (number uint32, key int64, ok bool, err error) {
	if i == p.cells {
		return binary.BigEndian.Uint32(p.data[p.at+8:]), 0, false, nil
	}
	b, err := p.cell(i)
	if err != nil {
		return 0, 0, false, err
	}
	if len(b) < 5 {
		return 0, 0, false, errOutside
	}
	id, n := varint(b[4:])
	if n == 0 {
		return 0, 0, false, errOutside
	}
	return binary.BigEndian.Uint32(b), int64(id), true, nil
}

// varint reads a variable-length integer, section 1.6: 1 to 9 bytes, big-endian, 7 bits each and all 8 of the ninth.
// n is its length, 0 when b ends before it does.
func varint(b []byte) (v uint64, n int) {
	for i := 0; i < len(b) && i < 8; i++ {
		v = v<<7 | uint64(b[i]&0x7f)
		if b[i] < 0x80 {
			return v, i + 1
		}
	}
	if len(b) < 9 {
		return 0, 0
	}
	return v<<8 | uint64(b[8]), 9
}
