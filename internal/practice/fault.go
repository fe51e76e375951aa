package practice

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Fault is a script of answers for some paths. Each path that matches gets the
// answers in order, one a request, and the normal page after the last.
type Fault struct {
	// Path with its query, exactly as asked for; * stands for any characters,
	// also / and none: /v1/product/*, /page/*?x=1, *.
	Path string `json:"path"`
	// Script is answers separated by commas: "500*3,429:2,ok". doc.go has them
	// all. An empty one takes the fault back.
	Script string `json:"script"`
	// Every keeps the fault to a share of the paths: those that end in a number
	// which it divides. 0: all.
	Every int64 `json:"every,omitempty"`
}

// rule is a fault in force.
type rule struct {
	Fault
	steps []step

	mu    sync.Mutex
	given map[string]int64 // answers given so far by path; guarded by mu
}

func newRule(f Fault) (*rule, error) {
	if f.Path == "" || f.Path[0] != '/' && f.Path[0] != '*' {
		return nil, fmt.Errorf("fault path %q: must begin with / or *", f.Path)
	}
	if f.Every < 0 {
		return nil, errors.New("fault share: every is negative")
	}
	steps, err := parseScript(f.Script)
	if err != nil {
		return nil, fmt.Errorf("fault for %q: %w", f.Path, err)
	}
	return &rule{Fault: f, steps: steps, given: map[string]int64{}}, nil
}

// faults are the rules in force. Readers take the list as it is; a change
// makes a new list.
type faults struct {
	mu    sync.Mutex // held by writers
	rules atomic.Pointer[[]*rule]
}

func (f *faults) list() []*rule {
	if l := f.rules.Load(); l != nil {
		return *l
	}
	return nil
}

// SetFault puts a fault in force, in place of an earlier one with the same
// Path and Every: its script then begins anew. Where several faults match a
// path, the one set first gives its whole script before the next.
func (s *Site) SetFault(f Fault) error {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	old := s.faults.list()
	same := func(r *rule) bool { return r.Path == f.Path && r.Every == f.Every }
	if strings.TrimSpace(f.Script) == "" {
		l := slices.DeleteFunc(slices.Clone(old), same)
		s.faults.rules.Store(&l)
		return nil
	}
	r, err := newRule(f)
	if err != nil {
		return err
	}
	l := slices.Clone(old)
	if i := slices.IndexFunc(l, same); i >= 0 {
		l[i] = r
	} else {
		l = append(l, r)
	}
	s.faults.rules.Store(&l)
	return nil
}

// ClearFaults takes all faults back.
func (s *Site) ClearFaults() {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.rules.Store(nil)
}

// next returns the answer that is due for a path; false for the normal page.
func (f *faults) next(uri string) (step, bool) {
	for _, r := range f.list() {
		if !r.matches(uri) {
			continue
		}
		if st, ok := r.take(uri); ok {
			return st, st.name != "ok"
		}
	}
	return step{}, false
}

func (r *rule) matches(uri string) bool {
	if r.Every > 0 {
		id, ok := number(strings.TrimLeft(uri[len(strings.TrimRight(uri, "0123456789")):], "0"))
		if !ok || id%r.Every != 0 {
			return false
		}
	}
	return glob(r.Path, uri)
}

// take returns the next answer of the script for a path; false when it is over.
func (r *rule) take(uri string) (step, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := r.given[uri]
	for _, st := range r.steps {
		if st.times == forEver || n < st.times {
			r.given[uri]++
			return st, true
		}
		n -= st.times
	}
	return step{}, false
}

// glob tells whether s is pattern, where * stands for any characters.
func glob(pattern, s string) bool {
	parts := strings.Split(pattern, "*")
	s, ok := strings.CutPrefix(s, parts[0])
	if !ok || len(parts) == 1 {
		return ok && s == ""
	}
	last := len(parts) - 1
	for _, p := range parts[1:last] {
		i := strings.Index(s, p)
		if i < 0 {
			return false
		}
		s = s[i+len(p):]
	}
	return strings.HasSuffix(s, parts[last])
}
