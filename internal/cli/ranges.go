package cli

import (
	"cmp"
	"slices"
)

// maxIntervals bounds the memory of intervals: what lies above the lowest so many is only counted.
const maxIntervals = 1 << 15

// interval is the numbers from..to, both included.
type interval struct{ from, to int64 }

// intervals is a set of numbers that come in any order, kept as what lies next to each other. However many come, it
// remembers the lowest stretches only. Its zero value is empty.
type intervals struct {
	kept  []interval // apart from each other, ascending
	fresh []interval // not sorted in yet
	cut   bool       // numbers above limit are not kept
	limit int64
}

func (s *intervals) add(v int64) {
	if s.cut && v > s.limit {
		return
	}
	if n := len(s.fresh); n > 0 && s.fresh[n-1].to+1 == v {
		s.fresh[n-1].to = v // they mostly come in order
		return
	}
	if s.fresh = append(s.fresh, interval{v, v}); len(s.fresh) >= maxIntervals {
		s.sort()
	}
}

// sort merges what is fresh into what is kept.
func (s *intervals) sort() {
	all := append(s.kept, s.fresh...)
	slices.SortFunc(all, func(a, b interval) int { return cmp.Compare(a.from, b.from) })
	s.kept, s.fresh = all[:0], nil
	for _, next := range all {
		if n := len(s.kept); n > 0 && next.from-1 <= s.kept[n-1].to {
			s.kept[n-1].to = max(s.kept[n-1].to, next.to)
			continue
		}
		s.kept = append(s.kept, next)
	}
	if len(s.kept) > maxIntervals {
		s.cut, s.limit = true, s.kept[maxIntervals-1].to
		s.kept = slices.Clone(s.kept[:maxIntervals])
	}
}

// lowest returns the n lowest stretches at the most.
func (s *intervals) lowest(n int) []interval {
	s.sort()
	return s.kept[:min(n, len(s.kept))]
}
