package job

import (
	"sort"
	"strings"
)

// choice is one series after the other: {a,b{1..3}} and [1..5, 9].
type choice struct {
	parts []series
	ends  []int64 // ends[k] is the number of texts in parts[:k+1]
}

func newChoice(parts []series) (series, error) {
	c := choice{parts: parts}
	total := int64(0)
	for _, p := range parts {
		total += p.count()
		if total < 0 {
			return nil, errTooMany
		}
		c.ends = append(c.ends, total)
	}
	return c, nil
}

func (c choice) count() int64 { return c.ends[len(c.ends)-1] }

func (c choice) appendAt(dst []byte, i int64) []byte {
	k := sort.Search(len(c.ends), func(k int) bool { return c.ends[k] > i })
	if k > 0 {
		i -= c.ends[k-1]
	}
	return c.parts[k].appendAt(dst, i)
}

func (c choice) prefixes(s string, try func(int) bool) bool {
	for _, p := range c.parts {
		if p.prefixes(s, try) {
			return true
		}
	}
	return false
}

func (c choice) String() string {
	texts := make([]string, len(c.parts))
	for i, p := range c.parts {
		texts[i] = p.String()
	}
	return words{list: texts}.String()
}

// product is a text with series in it, the rightmost counting fastest.
type product struct {
	parts []series
	n     int64
}

func newProduct(parts []series) (series, error) {
	if len(parts) == 1 {
		return parts[0], nil
	}
	p := product{parts: parts, n: 1}
	for _, part := range parts {
		n, ok := times(p.n, part.count())
		if !ok {
			return nil, errTooMany
		}
		p.n = n
	}
	return p, nil
}

func (p product) count() int64 { return p.n }

func (p product) appendAt(dst []byte, i int64) []byte {
	block := p.n
	for _, part := range p.parts {
		block /= part.count()
		dst = part.appendAt(dst, i/block)
		i %= block
	}
	return dst
}

func (p product) prefixes(s string, try func(int) bool) bool {
	return p.from(0, s, 0, map[[2]int]bool{}, try)
}

// from matches parts[k:] after the first n bytes of s. A place that was reached before led nowhere: without that memory
// {a,aa}{a,aa}… would take two to the power of its length.
func (p product) from(k int, s string, n int, seen map[[2]int]bool, try func(int) bool) bool {
	if seen[[2]int{k, n}] {
		return false
	}
	seen[[2]int{k, n}] = true
	if k == len(p.parts) {
		return try(n)
	}
	return p.parts[k].prefixes(s[n:], func(m int) bool { return p.from(k+1, s, n+m, seen, try) })
}

func (p product) String() string {
	texts := make([]string, len(p.parts))
	for i, part := range p.parts {
		texts[i] = part.String()
	}
	return strings.Join(texts, "")
}
