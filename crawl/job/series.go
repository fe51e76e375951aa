package job

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"regexp"
	"strconv"
	"strings"
)

var (
	errRange   = errors.New("not a range")
	errTooMany = errors.New("more requests than can be counted (9,223,372,036,854,775,807)")
)

// series is a sequence of texts that are computed, not kept: a range of a billion costs nothing.
type series interface {
	count() int64
	// appendAt appends the i-th text, 0 <= i < count().
	appendAt(dst []byte, i int64) []byte
	// prefixes calls try with the length of each prefix of s that is a text of the series, until try says true.
	prefixes(s string, try func(n int) bool) bool
	// String is the canonical text, the same for every way to write the same series.
	String() string
}

// span is a range of whole numbers as a shell's {from..to..step} counts them: up or down, with zeros in front when one of
// the ends has them.
type span struct {
	from, step int64 // step is negative when it counts down
	n          int64
	width      int // with zeros and sign; 0: as it comes
}

var (
	numbers = regexp.MustCompile(`^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$`)
	letters = regexp.MustCompile(`^(?:([a-z])\.\.([a-z])|([A-Z])\.\.([A-Z]))(?:\.\.(-?\d+))?$`)
	zeros   = regexp.MustCompile(`^-?0\d`)
)

// parseRange reads 1..20, 001..120, 20..1, 1..99..2 or a..e. Errors are errRange (it is none) or say what is wrong with it.
func parseRange(s string) (series, error) {
	if m := numbers.FindStringSubmatch(s); m != nil {
		return newSpan(m[1], m[2], m[3])
	}
	m := letters.FindStringSubmatch(s)
	if m == nil {
		return nil, errRange
	}
	from, to := m[1]+m[3], m[2]+m[4]
	sp, err := newSpan(strconv.Itoa(int(from[0])), strconv.Itoa(int(to[0])), m[5])
	if err != nil {
		return nil, err
	}
	var w words
	for i := range sp.n {
		w.list = append(w.list, string(rune(sp.value(i))))
	}
	return w.indexed(), nil
}

// newSpan makes a span of its written ends and step; an empty step is 1, its sign does not matter (as in a shell).
func newSpan(from, to, step string) (span, error) {
	if step == "" {
		step = "1"
	}
	a, errA := strconv.ParseInt(from, 10, 64)
	b, errB := strconv.ParseInt(to, 10, 64)
	by, errBy := strconv.ParseInt(step, 10, 64)
	if errors.Join(errA, errB, errBy) != nil || by == math.MinInt64 {
		return span{}, errors.New("a number of the range is too large, or none")
	}
	if by = max(by, -by); by == 0 {
		return span{}, errors.New("a range can't have step 0")
	}
	distance := uint64(b) - uint64(a)
	if a > b {
		distance = uint64(a) - uint64(b)
	}
	n := distance / uint64(by)
	if n >= math.MaxInt64 {
		return span{}, errTooMany
	}
	s := span{from: a, step: by, n: int64(n) + 1}
	if a > b {
		s.step = -by
	}
	if zeros.MatchString(from) || zeros.MatchString(to) {
		s.width = max(len(from), len(to))
	}
	return s, nil
}

func (s span) count() int64        { return s.n }
func (s span) value(i int64) int64 { return s.from + s.step*i }

func (s span) appendAt(dst []byte, i int64) []byte {
	if s.width == 0 {
		return strconv.AppendInt(dst, s.value(i), 10)
	}
	return append(dst, s.text(s.value(i))...)
}

// text is a number written the way those of the range are.
func (s span) text(v int64) string { return fmt.Sprintf("%0*d", s.width, v) }

func (s span) prefixes(text string, try func(int) bool) bool {
	n := 0
	if strings.HasPrefix(text, "-") {
		n = 1
	}
	for n < len(text) && n < max(20, s.width) && text[n] >= '0' && text[n] <= '9' {
		n++
		if s.has(text[:n]) && try(n) {
			return true
		}
	}
	return false
}

// has says whether a text is one of the numbers, written the way they are.
func (s span) has(text string) bool {
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return false
	}
	distance, by := uint64(v)-uint64(s.from), uint64(s.step)
	if s.step < 0 {
		distance, by = -distance, -by
	}
	i := distance / by
	return distance%by == 0 && i < uint64(s.n) && string(s.appendAt(nil, int64(i))) == text
}

func (s span) String() string {
	text := string(s.appendAt(nil, 0)) + ".." + string(s.appendAt(nil, s.n-1))
	if s.step != 1 && s.step != -1 && s.n > 1 {
		text += ".." + strconv.FormatInt(max(s.step, -s.step), 10)
	}
	return text
}

// times multiplies counts; false when the product can't be counted.
func times(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return int64(lo), hi == 0 && lo <= math.MaxInt64
}
