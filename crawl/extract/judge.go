package extract

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// quoted is how many characters of a text an inspection repeats.
const quoted = 80

// Verdict is how a page did on one expectation.
type Verdict uint8

// The verdicts. The zero value is that of what could not be looked at.
const (
	NotAsked Verdict = iota
	Met
	NotMet
)

// Judgement is one expectation held against a page.
type Judgement struct {
	Expected string // as people read it: "status in [200]", "contains h1"
	Verdict  Verdict
	Found    string // what there was: "200", `2 matches, the first "Mate 60"`; "" when it was not looked at
}

// JudgeStatus judges an answer of which nothing but the status is looked at; 0: there was none.
func (r *Rules) JudgeStatus(status int) []Judgement {
	all := r.expect.all()
	if len(r.expect.status) > 0 && status != 0 {
		all[0].judgeStatus(status, r.expect.status)
	}
	return all
}

// all lists what is expected.
func (e *expect) all() []Judgement {
	var all []Judgement
	add := func(format string, args ...any) {
		all = append(all, Judgement{Expected: fmt.Sprintf(format, args...)})
	}
	if len(e.status) > 0 {
		add("status in %v", e.status)
	}
	if e.contains != nil {
		add("contains %s", e.contains.text)
	}
	if e.absent != nil {
		add("absent %s", e.absent.text)
	}
	if e.records > 0 {
		add("records >= %d", e.records)
	}
	return all
}

// judge holds a page, of which the records have been read, against each expectation by itself.
func (e *expect) judge(v *view, in *Inspection) []Judgement {
	all := e.all()
	i := 0
	next := func() *Judgement { i++; return &all[i-1] }
	if len(e.status) > 0 {
		next().judgeStatus(v.page.Status, e.status)
	}
	if e.contains != nil {
		n, found := v.count(e.contains)
		next().set(n > 0, found)
	}
	if e.absent != nil {
		n, found := v.count(e.absent)
		next().set(n == 0, found)
	}
	if e.records > 0 {
		found := fmt.Sprint(len(in.Rows))
		if n := len(in.Rejects); n > 0 {
			found = fmt.Sprintf("%d, and %d rejected", len(in.Rows), n)
		}
		next().set(len(in.Rows) >= e.records, found)
	}
	return all
}

func (j *Judgement) set(met bool, found string) {
	if j.Verdict, j.Found = NotMet, found; met {
		j.Verdict = Met
	}
}

func (j *Judgement) judgeStatus(status int, accepted []int) {
	j.set(slices.Contains(accepted, status), fmt.Sprint(status))
}

// count says how often a selector matches, in numbers and words.
func (v *view) count(s *selector) (int, string) {
	n, first := 0, ""
	err := v.every([]*selector{s}, func(e element) {
		if n++; n == 1 {
			first = e.text()
		}
	})
	var other *formatError
	switch {
	case errors.As(err, &other):
		return 0, "nothing, the page is " + other.is
	case err != nil:
		return 0, "nothing: " + err.Error()
	case n == 0:
		return 0, "nothing"
	case n == 1 && first == "":
		return n, "1 match, without text"
	case n == 1:
		return n, fmt.Sprintf("%q", first)
	case first == "":
		return n, fmt.Sprintf("%d matches", n)
	}
	return n, fmt.Sprintf("%d matches, the first %q", n, first)
}

// text is what a person reads of an element, shortened.
func (e element) text() string {
	if e.doc != nil {
		return quotable(e.doc.scalar(e.token))
	}
	return quotable(textOf(e.node, false))
}

// quotable shortens a text to what can be repeated in a line.
func quotable(s string) string {
	s = strings.TrimSpace(s)
	n := 0
	for i := range s {
		if n == quoted {
			return s[:i] + "…"
		}
		n++
	}
	return s
}
