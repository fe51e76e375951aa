package job

import (
	"iter"
	"math"
	"strconv"

	"dogear/schema"
)

// Range is the whole numbers that a job counts through: its pages, or its ids. A script that did the job before counted
// them too, and what it needs to go on is one of them.
type Range struct {
	start *Start
	dim   int // of the start's template
	span  span
}

// Range returns the job's range: that of its only start in which nothing varies but one number. A job with none, or
// with two such starts, has no single number that it has come to.
func (j *Job) Range() (*Range, bool) {
	var found *Range
	for i := range j.Starts {
		if j.Starts[i].list != nil {
			continue
		}
		r := j.Starts[i].counts()
		if r != nil && found != nil {
			return nil, false
		}
		if r != nil {
			found = r
		}
	}
	return found, found != nil
}

// counts is the range of one start; nil when it has none.
func (s *Start) counts() *Range {
	var found *Range
	for i, d := range s.template.dims {
		sp, ok := d.values.(span)
		switch {
		case !ok && d.values.count() > 1:
			return nil
		case !ok, sp.n == 1 && found != nil:
		case found != nil && found.span.n > 1:
			return nil
		default:
			found = &Range{s, i, sp}
		}
	}
	return found
}

// Entry is the identity of the start that the range belongs to, see Start.Entry.
func (r *Range) Entry() string { return r.start.entry }

// Len is how many numbers the range has.
func (r *Range) Len() int64 { return r.span.n }

// Value returns the number of the range that a task's URL and body stand for; false when they are another one's. Without
// the body it is found when it stands in the URL.
func (r *Range) Value(url, body string) (int64, bool) {
	t := r.start.template
	var texts [4]string
	var flags [4]bool
	values, known := texts[:0:4], flags[:0:4]
	for range t.dims {
		values, known = append(values, ""), append(known, false)
	}
	steps := maxSteps
	fits := body == "" && t.match(url, t.pieces, values, known, &steps) && steps >= 0
	if !fits && !t.fits(url, body, values, known) || !known[r.dim] {
		return 0, false
	}
	v, err := strconv.ParseInt(values[r.dim], 10, 64)
	return v, err == nil
}

// Request is what the number v of the range asks for.
func (r *Range) Request(v int64) schema.Request {
	i := (v - r.span.from) / r.span.step
	return r.start.at(i)
}

// After is the number that comes after the highest one.
func (r *Range) After() int64 {
	last, by := r.span.value(r.span.n-1), r.span.step
	if by < 0 {
		last, by = r.span.from, -by
	}
	if last > math.MaxInt64-by {
		return math.MaxInt64
	}
	return last + by
}

// Ahead returns, from the lowest on, the numbers that the start yields from its request number cursor on. With order:
// shuffle that takes no list either: a number says itself when its turn is.
func (r *Range) Ahead(cursor int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for up := r.first(0, cursor); up < r.span.n; up = r.first(up+1, cursor) {
			if !yield(r.span.value(r.place(up))) {
				return
			}
		}
	}
}

// place is where the number stands in the series that is the up-th from below.
func (r *Range) place(up int64) int64 {
	if r.span.step < 0 {
		return r.span.n - 1 - up
	}
	return up
}

// first is the first number from up on (counted from below) whose turn is not before cursor; span.n when there is none.
func (r *Range) first(up, cursor int64) int64 {
	s := r.start.shuffled
	for up < r.span.n {
		at := r.place(up)
		switch {
		case s == nil && at >= cursor, s != nil && s.index(at) >= cursor:
			return up
		case s == nil && r.span.step < 0:
			return r.span.n // those above come even earlier
		case s == nil:
			up = cursor
		case !s.over(at, cursor):
			up++
		case r.span.step < 0:
			up += at%shuffleBlock + 1
		default:
			up += shuffleBlock - at%shuffleBlock
		}
	}
	return r.span.n
}
