package schema

import (
	"math"
	"strconv"
	"strings"

	"github.com/cockroachdb/apd/v3"
)

// Bounds on what is taken for a number at all: a stranger's "1e999999999" must not cost a gigabyte.
const (
	longestNumber   = 200 // bytes
	largestExponent = 400
)

// plain is the shape of a number as machines write it: [-]digits[.digits].
type plain struct {
	ok       bool
	negative bool
	whole    int // digits before the point, at least 1
	frac     int // digits after it
}

func scanPlain(s string) plain {
	p := plain{negative: s[0] == '-'}
	i := 0
	if p.negative {
		i = 1
	}
	start := i
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	p.whole = i - start
	if i < len(s) && s[i] == '.' {
		start = i + 1
		for i++; i < len(s) && isDigit(s[i]); i++ {
		}
		p.frac = i - start
		p.ok = p.frac > 0
	} else {
		p.ok = true
	}
	p.ok = p.ok && i == len(s) && p.whole > 0 && i <= longestNumber
	return p
}

// means reports whether the point in the plain number s is surely its decimal sign.
func (f *Field) means(p plain, s string, literal bool) bool {
	switch {
	case p.frac == 0, literal, f.Decimal == ".":
		return true
	case f.Decimal == ",":
		return false
	}
	if p.negative {
		s = s[1:]
	}
	return !eitherWay(s[0], p.whole, p.frac)
}

// eitherWay reports whether a single sign with so many digits around it can be the decimal sign as well as a
// thousands separator: "1.234" and "123,456" can, "1.23", "1234.567" and "0.234" can't.
func eitherWay(first byte, before, after int) bool {
	return after == 3 && 1 <= before && before <= 3 && first != '0'
}

// number reads a text as a number and returns it in machine form, [-]digits[.digits][e[+-]digits].
// literal: see Raw.JSON.
func (f *Field) number(s string, literal bool) (string, finding) {
	p := scanPlain(s)
	switch {
	case p.ok && f.means(p, s, literal):
		return s, good
	case len(s) > longestNumber:
		return "", unreadable
	case scientific(s) && (literal || f.Type.Kind == Real):
		return s, good
	}
	return readAmount(s, f.Decimal)
}

// scientific reports whether s is a JSON number with an exponent (RFC 8259, section 6) of a sane size.
func scientific(s string) bool {
	at := strings.IndexAny(s, "eE")
	if at < 1 || !scanPlain(s[:at]).ok {
		return false
	}
	exponent, err := strconv.Atoi(s[at+1:])
	return err == nil && -largestExponent <= exponent && exponent <= largestExponent
}

// parseInt returns an int64. "12.0" is 12, "12.5" is not an int.
func (f *Field) parseInt(s string, literal bool) (any, finding) {
	if p := scanPlain(s); p.ok && p.frac == 0 && p.whole <= 18 {
		return smallInt(s, p.negative), good
	}
	s, found := f.number(s, literal)
	if found != good {
		return nil, found
	}
	d, _, err := apd.NewFromString(s)
	if err != nil {
		return nil, unreadable
	}
	var integer, fraction apd.Decimal
	d.Modf(&integer, &fraction)
	if !fraction.IsZero() {
		return nil, unreadable
	}
	n, err := integer.Int64()
	if err != nil {
		return nil, beyond(d.Negative)
	}
	return n, good
}

// smallInt needs digits that fit: 18 at most.
func smallInt(s string, negative bool) int64 {
	if negative {
		s = s[1:]
	}
	var n int64
	for i := range len(s) {
		n = n*10 + int64(s[i]-'0')
	}
	if negative {
		return -n
	}
	return n
}

// beyond says on which side a number does not fit its type.
func beyond(negative bool) finding {
	if negative {
		return low
	}
	return high
}

func (f *Field) parseReal(s string, literal bool) (any, finding) {
	s, found := f.number(s, literal)
	if found != good {
		return nil, found
	}
	x, err := strconv.ParseFloat(s, 64)
	if math.IsInf(x, 0) {
		return nil, beyond(x < 0)
	}
	if err != nil {
		return nil, unreadable
	}
	if x == 0 {
		x = 0 // and not -0, which SQLite and people would see as another value
	}
	return x, good
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }
