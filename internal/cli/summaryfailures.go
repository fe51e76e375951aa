package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"dogear/crawl/fetch"
	"dogear/state"
)

// passing are the kinds of failure that another try may mend.
var passing = []fetch.Kind{fetch.Network, fetch.Timeout, fetch.Server, fetch.Throttled, fetch.Blocked}

// kindCount is how many tasks failed in one way, and with which answers.
type kindCount struct {
	kind    string
	tasks   int64
	answers []state.FailureCount // with a status that is no good by itself
}

// byKind sums up the statuses of each kind, the most failures first.
func byKind(counts []state.FailureCount) []kindCount {
	var kinds []kindCount
	for _, c := range counts {
		at := slices.IndexFunc(kinds, func(k kindCount) bool { return k.kind == c.Kind })
		if at < 0 {
			at, kinds = len(kinds), append(kinds, kindCount{kind: c.Kind})
		}
		kinds[at].tasks += c.Tasks
		if c.Status >= 300 {
			kinds[at].answers = append(kinds[at].answers, c)
		}
	}
	slices.SortStableFunc(kinds, func(a, b kindCount) int { return cmp.Compare(b.tasks, a.tasks) })
	return kinds
}

// mostAnswers is how many statuses of a kind are named.
const mostAnswers = 4

func (k *kindCount) text() string {
	text := k.kind + " " + count(k.tasks)
	switch {
	case len(k.answers) == 0:
		return text
	case k.answers[0].Tasks == k.tasks:
		return fmt.Sprintf("%s (%d)", text, k.answers[0].Status)
	}
	var each []string
	for _, a := range k.answers[:min(len(k.answers), mostAnswers)] {
		each = append(each, fmt.Sprintf("%d: %s", a.Status, count(a.Tasks)))
	}
	if len(k.answers) > mostAnswers {
		each = append(each, "…")
	}
	return text + " (" + strings.Join(each, ", ") + ")"
}

// next is the command that goes on from there: a try where that may help, else a list of what it was.
func (k *kindCount) next(t target) string {
	verb := "failures"
	if slices.Contains(passing, fetch.Kind(k.kind)) {
		verb = "retry"
	}
	return fmt.Sprintf("dogear %s %s --kind %s", verb, shown(t), k.kind)
}

// printFailures has a line for each kind of failure with the next command to type.
func (s *summary) printFailures(w io.Writer, p screen) {
	kinds := byKind(s.failures)
	widest := 0
	for i := range kinds {
		widest = max(widest, cellWidth(visible(kinds[i].text())))
	}
	head := "failed  "
	for i := range kinds {
		text, next := visible(kinds[i].text()), kinds[i].next(s.target)
		if s.bare {
			next = ""
		}
		line := "  " + head + p.red(text)
		beside := len(head) + 4 + widest + cellWidth(next)
		switch {
		case next == "":
		case p.terminal && beside > p.width:
			line += "\n" + strings.Repeat(" ", len(head)+4) + next
		default:
			line += strings.Repeat(" ", widest-cellWidth(text)+2) + next
		}
		fmt.Fprintln(w, line)
		head = "        "
	}
}
