package crawl

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"dogear/state"
)

const (
	// failingOf is how many tasks, those that finished last, limits.failures is a share of; failingLeast how many have
	// to have finished before it stops a run, so that a small job just ends.
	failingOf, failingLeast = 500, 50
)

// Failing is why a run stopped by itself: more of its last tasks failed than the job allows.
type Failing struct {
	Failed, Of int            // of so many tasks, the last to finish
	Limit      float64        // limits.failures
	Kinds      map[string]int // of failures: "server 500" -> 12
}

// String lists the kinds of failures, the most frequent first.
func (f *Failing) String() string {
	kinds := slices.SortedFunc(maps.Keys(f.Kinds), func(a, b string) int {
		return cmp.Or(f.Kinds[b]-f.Kinds[a], strings.Compare(a, b))
	})
	parts := make([]string, len(kinds))
	for i, kind := range kinds {
		parts[i] = fmt.Sprintf("%d %s", f.Kinds[kind], kind)
	}
	return strings.Join(parts, ", ")
}

// lately remembers how the last tasks ended, those that are not there (404, 410) left out: in a range of ids they may
// be the most.
type lately struct {
	ends   []string // "" is done, else the kind of failure; the oldest is at next
	next   int
	failed int
}

func (l *lately) add(o *state.Outcome) {
	end, gone := "", o.Status == http.StatusNotFound || o.Status == http.StatusGone
	switch {
	case o.State == state.Pending, o.State == state.Failed && gone:
		return
	case o.State == state.Failed:
		end = o.Kind
		if o.Status >= 300 {
			end = fmt.Sprintf("%s %d", o.Kind, o.Status)
		}
		l.failed++
	}
	if len(l.ends) < failingOf {
		l.ends = append(l.ends, end)
		return
	}
	if l.ends[l.next] != "" {
		l.failed--
	}
	l.ends[l.next] = end
	l.next = (l.next + 1) % failingOf
}

// over returns what to stop for when more than this share failed; nil: go on.
func (l *lately) over(share float64) *Failing {
	if len(l.ends) < failingLeast || float64(l.failed) <= share*float64(len(l.ends)) {
		return nil
	}
	f := &Failing{Failed: l.failed, Of: len(l.ends), Limit: share, Kinds: map[string]int{}}
	for _, end := range l.ends {
		if end != "" {
			f.Kinds[end]++
		}
	}
	return f
}

// watchFailures stops the run when too many tasks fail.
func (e *engine) watchFailures(o *state.Outcome) {
	e.lately.add(o)
	if e.failing == nil && o.State == state.Failed {
		if e.failing = e.lately.over(e.options.Job.Limits.Failures); e.failing != nil {
			e.stop()
		}
	}
}
