package schema

import (
	"cmp"
	"strings"

	"github.com/cockroachdb/apd/v3"
)

// rounding is half away from zero, as MySQL's DECIMAL rounds. The precision has room for every text that is taken for
// a number, at every scale; the precision of the field is checked afterwards.
var rounding = apd.Context{
	Precision:   longestNumber + 2*largestExponent,
	MaxExponent: 2 * largestExponent,
	MinExponent: -2 * largestExponent,
	Rounding:    apd.RoundHalfUp, // in apd's words; it goes by magnitude
	Traps:       apd.DefaultTraps,
}

// parseDecimal returns the number with exactly Scale digits after the point ("7999.00"). One too large for Precision
// is low or high.
func (f *Field) parseDecimal(s string, literal bool) (string, finding) {
	p := scanPlain(s)
	if p.ok && !p.negative && p.frac <= f.Type.Scale && (s[0] != '0' || p.whole == 1) && f.means(p, s, literal) {
		return f.Type.pad(s, p)
	}
	s, found := f.number(s, literal)
	if found != good {
		return "", found
	}
	d, _, err := apd.NewFromString(s)
	if err != nil {
		return "", unreadable
	}
	if _, err := rounding.Quantize(d, d, -int32(f.Type.Scale)); err != nil {
		return "", beyond(d.Negative)
	}
	if d.IsZero() {
		d.Negative = false // "-0.00" and "0.00" would be two keys
	}
	text := d.Text('f')
	if f.Type.tooLong(wholeDigits(text)) {
		return "", beyond(d.Negative)
	}
	return text, good
}

// pad is the path of most prices: a plain number, not negative, without needless zeros in front, that needs no rounding.
func (t Type) pad(s string, p plain) (string, finding) {
	if s[0] != '0' && t.tooLong(p.whole) {
		return "", high
	}
	if p.frac == t.Scale {
		return s, good
	}
	const zeros = "000000000000000000000000000000" // maxScale
	if p.frac == 0 {
		return s + "." + zeros[:t.Scale], good
	}
	return s + zeros[:t.Scale-p.frac], good
}

func (t Type) tooLong(wholeDigits int) bool { return wholeDigits > t.Precision-t.Scale }

// wholeDigits counts the digits before the point; a lone 0 needs none, which matters for decimal(2,2).
func wholeDigits(s string) int {
	s, _, _ = strings.Cut(strings.TrimPrefix(s, "-"), ".")
	if s == "0" {
		return 0
	}
	return len(s)
}

// compareDecimals orders decimals of one scale as parseDecimal writes them.
func compareDecimals(a, b string) int {
	x, negative := strings.CutPrefix(a, "-")
	y, other := strings.CutPrefix(b, "-")
	switch {
	case negative && !other:
		return -1
	case other && !negative:
		return 1
	case negative:
		x, y = y, x
	}
	if c := cmp.Compare(len(x), len(y)); c != 0 {
		return c
	}
	return cmp.Compare(x, y)
}
