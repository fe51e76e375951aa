package btree

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"unicode/utf8"
)

// maxColumns is the most that SQLite can be built for (SQLITE_MAX_COLUMN).
const maxColumns = 32767

var (
	errRecord = errors.New("no record")
	errText   = errors.New("text that is not UTF-8")
)

// decode reads a record, section 2.1. It must fill b exactly, as SQLite writes it. errText comes with the values all
// the same, the bad bytes replaced.
func decode(b []byte) ([]any, error) {
	size, n := varint(b)
	if n == 0 || size < uint64(n) || size > uint64(len(b)) {
		return nil, errRecord
	}
	types, body := b[n:size], b[size:]
	columns, err := countColumns(types, uint64(len(body)))
	if err != nil {
		return nil, err
	}
	values := make([]any, columns)
	for i := range values {
		t, n := varint(types)
		length := lengthOf(t)
		v, bad := value(t, body[:length])
		if bad != nil {
			err = bad
		}
		values[i], types, body = v, types[n:], body[length:]
	}
	return values, err
}

// countColumns also checks that the columns are possible and fill the body of length bytes.
func countColumns(types []byte, length uint64) (int, error) {
	columns := 0
	for len(types) > 0 {
		t, n := varint(types)
		size := lengthOf(t)
		if n == 0 || t == 10 || t == 11 || size > length || columns == maxColumns {
			return 0, errRecord
		}
		types, length = types[n:], length-size
		columns++
	}
	if length != 0 {
		return 0, errRecord
	}
	return columns, nil
}

// lengthOf returns how many bytes a value of serial type t takes.
func lengthOf(t uint64) uint64 {
	if t >= 12 {
		return (t - 12) / 2
	}
	return [12]uint64{0, 1, 2, 3, 4, 6, 8, 8}[t]
}

// value reads one of serial type t from b, which has its length. It keeps nothing of b.
func value(t uint64, b []byte) (any, error) {
	switch {
	case t == 0:
		return nil, nil
	case t <= 6:
		return integer(b), nil
	case t == 7:
		if v := math.Float64frombits(binary.BigEndian.Uint64(b)); !math.IsNaN(v) {
			return v, nil
		}
		return nil, nil // as SQLite reads it
	case t <= 9:
		return int64(t - 8), nil
	case t%2 == 0:
		return append([]byte{}, b...), nil
	}
	s := string(b)
	if !utf8.ValidString(s) {
		return strings.ToValidUTF8(s, "\uFFFD"), errText
	}
	return s, nil
}

// integer reads a big-endian two's complement integer of 1 to 8 bytes.
func integer(b []byte) int64 {
	v := int64(int8(b[0]))
	for _, c := range b[1:] {
		v = v<<8 | int64(c)
	}
	return v
}
