package practice

import (
	"maps"
	"strconv"
	"sync"
	"sync/atomic"
)

// Asked returns how often a path (with its query, if it has one) was asked for.
func (s *Site) Asked(path string) int64 { return s.Tally(path).Count }

// Tally returns how often a path was asked for and when; zero when never.
func (s *Site) Tally(path string) Tally {
	if t := s.asked.find(path, false); t != nil {
		return t.read()
	}
	return Tally{}
}

// Tallies returns a copy of what was counted, by path.
func (s *Site) Tallies() map[string]Tally {
	all := map[string]Tally{}
	s.asked.each(func(path string, t *tally) { all[path] = t.read() })
	return all
}

// Counts returns a copy of how often each path was asked for.
func (s *Site) Counts() map[string]int64 {
	all := map[string]int64{}
	s.asked.each(func(path string, t *tally) { all[path] = t.count.Load() })
	return all
}

// Total returns how many requests there were, while the site was up.
func (s *Site) Total() int64 { return s.asked.total.Load() }

// InFlight returns how many requests are being answered now.
func (s *Site) InFlight() int64 { return s.asked.inFlight.Load() }

// MaxInFlight returns how many requests were being answered at one time, at most.
func (s *Site) MaxInFlight() int64 { return s.asked.maxInFlight.Load() }

// Stats returns the counts of the whole site.
func (s *Site) Stats() Stats {
	paths := 0
	s.asked.each(func(string, *tally) { paths++ })
	return Stats{
		Total: s.Total(), Refused: s.refused.Load(), InFlight: s.InFlight(), MaxInFlight: s.MaxInFlight(),
		Paths: paths, PerSecond: s.asked.seconds.read(),
	}
}

// Reset sets all counts to zero. Faults stay as they are, with what was
// already given of their scripts.
func (s *Site) Reset() {
	s.asked.reset()
	s.refused.Store(0)
}

// each calls f for every path that was asked for. f must not call back into c.
func (c *counters) each(f func(path string, t *tally)) {
	for i := range c.products {
		if t := &c.products[i]; t.count.Load() > 0 {
			f(productPrefix+strconv.Itoa(i+1), t)
		}
	}
	for i := range c.paths {
		s := &c.paths[i]
		s.mu.Lock()
		m := maps.Clone(s.m)
		s.mu.Unlock()
		for path, t := range m {
			f(path, t)
		}
	}
}

// seconds is the histogram of arrivals. Nearly all requests find the second
// that is current and need no lock.
type seconds struct {
	current atomic.Pointer[second]
	mu      sync.Mutex
	all     map[int64]*second // guarded by mu
}

type second struct {
	at int64 // Unix
	n  atomic.Int64
}

func (s *seconds) add(at int64) {
	if c := s.current.Load(); c != nil && c.at == at {
		c.n.Add(1)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.all[at]
	if b == nil {
		b = &second{at: at}
		s.all[at] = b
	}
	b.n.Add(1)
	s.current.Store(b)
}

func (s *seconds) read() map[int64]int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := make(map[int64]int64, len(s.all))
	for at, b := range s.all {
		m[at] = b.n.Load()
	}
	return m
}

func (s *seconds) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = map[int64]*second{}
	s.current.Store(nil)
}
