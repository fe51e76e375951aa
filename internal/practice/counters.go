package practice

import (
	"hash/maphash"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Tally is how often one path was asked for, and when, by the site's clock.
type Tally struct {
	Count int64     `json:"count"`
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
}

// Stats are the counts of the whole site since it began, or since Reset.
type Stats struct {
	Total       int64           `json:"total"`         // requests that reached the handler while the site was up
	Refused     int64           `json:"refused"`       // reset because the site was down; in no other count
	InFlight    int64           `json:"in_flight"`     // being answered now
	MaxInFlight int64           `json:"max_in_flight"` // at one time
	Paths       int             `json:"paths"`         // different paths; 0 when Quiet
	PerSecond   map[int64]int64 `json:"per_second"`    // Unix second -> requests that arrived in it
}

// tally is a Tally that is being counted; times in Unix nanoseconds.
type tally struct{ count, first, last atomic.Int64 }

func (t *tally) add(now int64) {
	if t.count.Add(1) == 1 {
		t.first.Store(now)
	}
	t.last.Store(now)
}

func (t *tally) read() Tally {
	n := t.count.Load()
	if n == 0 {
		return Tally{}
	}
	return Tally{n, time.Unix(0, t.first.Load()), time.Unix(0, t.last.Load())}
}

const (
	shards      = 64
	maxProducts = 1 << 20 // more than that would be 24 MB and go into the maps
)

// counters count requests. Products, nearly all of what a benchmark asks for,
// have an array; every other path is in one of the maps, picked by its hash,
// each behind its own lock.
type counters struct {
	quiet    bool
	products []tally // index id-1
	seed     maphash.Seed
	paths    [shards]shard
	seconds  seconds

	total, inFlight, maxInFlight atomic.Int64
}

type shard struct {
	mu sync.Mutex
	m  map[string]*tally
}

func (c *counters) open(o Options) {
	c.quiet, c.seed = o.Quiet, maphash.MakeSeed()
	if !o.Quiet && o.Products <= maxProducts {
		c.products = make([]tally, max(o.Products, 0))
	}
	c.reset()
}

// reset forgets everything but what is in flight. A request that arrives at
// the same time is counted before or after, or not at all.
func (c *counters) reset() {
	for i := range c.products {
		t := &c.products[i]
		t.count.Store(0)
		t.first.Store(0)
		t.last.Store(0)
	}
	for i := range c.paths {
		s := &c.paths[i]
		s.mu.Lock()
		s.m = map[string]*tally{}
		s.mu.Unlock()
	}
	c.seconds.reset()
	c.total.Store(0)
	c.maxInFlight.Store(c.inFlight.Load())
}

// arrive counts a request and returns how many there are in flight with it; leave must follow.
func (c *counters) arrive(uri string, now time.Time) int64 {
	c.total.Add(1)
	c.seconds.add(now.Unix())
	n := c.inFlight.Add(1)
	for most := c.maxInFlight.Load(); n > most && !c.maxInFlight.CompareAndSwap(most, n); {
		most = c.maxInFlight.Load()
	}
	if !c.quiet {
		c.find(uri, true).add(now.UnixNano())
	}
	return n
}

func (c *counters) leave() { c.inFlight.Add(-1) }

// find returns the tally of a path, or nil when it was never asked for and
// create is false.
func (c *counters) find(uri string, create bool) *tally {
	if rest, ok := strings.CutPrefix(uri, productPrefix); ok {
		if id, ok := number(rest); ok && id <= int64(len(c.products)) {
			return &c.products[id-1]
		}
	}
	s := &c.paths[maphash.String(c.seed, uri)%shards]
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.m[uri]
	if t == nil && create {
		t = &tally{}
		s.m[strings.Clone(uri)] = t // the request's own string would keep its whole head alive
	}
	return t
}
