package crawl

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"dogear/crawl/job"
)

// maxDiff is the number of lines of a diff that are shown.
const maxDiff = 60

// ChangedError says that the job's rules (job.Job.Meaning) are not those that the records in the state file were made by. The
// state file stays as it was. Options.Accept goes on.
type ChangedError struct {
	Job, State string   // the two files
	Old, New   []string // the facts that only one of them has
}

// Error has many lines: the difference, with what was kept as -, what is in the job file as +, and what can be done.
func (e *ChangedError) Error() string {
	var out strings.Builder
	fmt.Fprintf(&out, "the rules in %s changed since its records were made:\n--- %s\n+++ %s\n", e.Job, e.State, e.Job)
	lines := e.diff()
	for _, line := range lines[:min(len(lines), maxDiff)] {
		out.WriteString(line + "\n")
	}
	if more := len(lines) - maxDiff; more > 0 {
		fmt.Fprintf(&out, "… and %d more\n", more)
	}
	out.WriteString("`--accept` goes on with the new rules for what is fetched from now on (records already kept stay as they are), " +
		"`dogear run --fresh` starts over, or put the rules back")
	return out.String()
}

// diff has the two versions of a fact one after the other.
func (e *ChangedError) diff() []string {
	var lines []string
	for _, line := range e.Old {
		lines = append(lines, "- "+line)
	}
	for _, line := range e.New {
		lines = append(lines, "+ "+line)
	}
	slices.SortStableFunc(lines, func(a, b string) int { return cmp.Compare(subject(a[2:]), subject(b[2:])) })
	return lines
}

// changed is what state asks about a job file that is another than before. Rules that are only more than before pass: the
// records that are kept mean what they meant.
func (p *plan) changed(name string, text []byte) error {
	o := p.options
	if o.Accept {
		return nil
	}
	before, err := o.Job.Earlier(name, text)
	if err != nil {
		if o.Warn != nil {
			o.Warn(fmt.Sprintf("the rules that the records in %s were made by can't be read any more (%s), so they are not compared with those of %s",
				o.Path, firstProblem(err), o.Job.Path))
		}
		return nil
	}
	was, is := before.Meaning(), o.Job.Meaning()
	e := &ChangedError{Job: o.Job.Path, State: o.Path, Old: without(was, is), New: without(is, was)}
	if len(e.Old) > 0 || slices.ContainsFunc(e.New, func(line string) bool { return !harmless(line, was) }) {
		return e
	}
	return nil
}

// firstProblem leaves out the line, which is one of a text that nobody can see.
func firstProblem(err error) string {
	var bad *job.Error
	if errors.As(err, &bad) && len(bad.Problems) > 0 {
		return bad.Problems[0].Message
	}
	return err.Error()
}

// without returns the lines that only have has; both are sorted. A line that stands twice counts twice.
func without(have, other []string) []string {
	var only []string
	for _, line := range have {
		for len(other) > 0 && other[0] < line {
			other = other[1:]
		}
		if len(other) > 0 && other[0] == line {
			other = other[1:]
			continue
		}
		only = append(only, line)
	}
	return only
}

// harmless says of a fact that is new whether it is about something new: a page, a table, a field or a link. A key, an each
// or an expectation of what was there before is not.
func harmless(line string, was []string) bool {
	parts := strings.SplitN(line, ": ", 4)
	known := func(n int) bool {
		prefix := strings.Join(parts[:n], ": ")
		return slices.ContainsFunc(was, func(old string) bool { return old == prefix || strings.HasPrefix(old, prefix+": ") })
	}
	switch {
	case !known(1):
		return true
	case len(parts) > 1 && (strings.HasPrefix(parts[1], "follow ") || strings.HasPrefix(parts[1], "next ")):
		return true // what a link takes along is a fact about follow, too
	case len(parts) > 1 && strings.HasPrefix(parts[1], "table ") && !known(2):
		return true
	}
	return len(parts) == 4 && strings.HasPrefix(parts[2], "field ") && !known(3)
}

// subject is what a fact is about: a field by its name, anything else by its first word.
func subject(line string) string {
	parts := strings.SplitN(line, ": ", 4)
	if len(parts) == 4 && strings.HasPrefix(parts[2], "field ") {
		return strings.Join(parts[:3], ": ")
	}
	last := len(parts) - 1
	parts[last], _, _ = strings.Cut(parts[last], " ")
	return strings.Join(parts, ": ")
}
