package practice

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Options say how big the site is and how it behaves. The zero value is a
// healthy site with every product id there is. They travel as JSON to a site
// in another process (StartProcess), so durations are nanoseconds there.
type Options struct {
	Addr     string        `json:"addr,omitempty"`     // where Start listens; "" is a free port of 127.0.0.1
	Products int64         `json:"products,omitempty"` // product ids are 1..Products; 0: every positive id
	Pages    int64         `json:"pages,omitempty"`    // pages of each listing, 10 items (5 orders) each; 0: 50
	Events   int64         `json:"events,omitempty"`   // events of the cursor API, 20 a page; 0: 200
	Delay    time.Duration `json:"delay,omitempty"`    // before every answer
	Capacity Capacity      `json:"capacity,omitzero"`  // how many requests at a time are answered in Delay
	Stall    time.Duration `json:"stall,omitempty"`    // how long the fault "stall" lasts at most; 0: 30 s
	Robots   string        `json:"robots,omitempty"`   // the text of /robots.txt; "": everything is allowed
	Quiet    bool          `json:"quiet,omitempty"`    // no counting by path: for benchmarks
	Faults   []Fault       `json:"faults,omitempty"`   // as if set with SetFault, in this order

	Now func() time.Time `json:"-"` // the site's clock, for counts and Retry-After dates; nil: time.Now
}

const (
	defaultPages  = 50
	defaultEvents = 200
	defaultStall  = 30 * time.Second
)

// Check reports the first fault whose path or script is wrong.
func (o Options) Check() error {
	for _, f := range o.Faults {
		if _, err := newRule(f); err != nil {
			return err
		}
	}
	return nil
}

// Site is the practice site: a handler with its faults and its counters. Make
// one with New; it is safe for use by any number of goroutines and servers.
type Site struct {
	o        Options
	asked    counters
	faults   faults
	delay    atomic.Int64 // nanoseconds
	capacity atomic.Pointer[Capacity]
	down     atomic.Bool
	refused  atomic.Int64
	hijacked sync.WaitGroup // connections taken from net/http, which then knows nothing of them
}

// New returns a site. It panics when a fault in o is wrong, as a test that
// writes a bad script should; Options.Check tells beforehand.
func New(o Options) *Site {
	if o.Pages <= 0 {
		o.Pages = defaultPages
	}
	if o.Events <= 0 {
		o.Events = defaultEvents
	}
	if o.Stall <= 0 {
		o.Stall = defaultStall
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Site{o: o}
	s.asked.open(o)
	s.delay.Store(int64(o.Delay))
	s.capacity.Store(&o.Capacity)
	for _, f := range o.Faults {
		if err := s.SetFault(f); err != nil {
			panic("practice: " + err.Error())
		}
	}
	return s
}

// Handler returns the site itself.
func (s *Site) Handler() http.Handler { return s }

// SetDelay changes how long every answer takes from now on.
func (s *Site) SetDelay(d time.Duration) { s.delay.Store(int64(d)) }

// SetDown takes the site down, or up again. While it is down every connection
// is accepted and reset as soon as it asks for something, idle ones included;
// only the control paths are still answered, so that it can be brought back.
func (s *Site) SetDown(down bool) { s.down.Store(down) }

// ServeHTTP answers one request: control first, then whatever fault is due,
// then the page.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, controlPrefix) {
		s.control(w, r)
		return
	}
	if s.down.Load() {
		s.refused.Add(1)
		s.reset(w)
		return
	}
	uri := target(r)
	inFlight := s.asked.arrive(uri, s.o.Now())
	defer s.asked.leave()
	if r.ContentLength != 0 {
		// net/http sees that a client has gone only once the body is read.
		body, _ := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		r.Body = io.NopCloser(bytes.NewReader(body)) // for the pages that read it
	}
	d, refused := s.load(inFlight)
	if d > 0 && !wait(r.Context(), d) {
		panic(http.ErrAbortHandler)
	}
	if refused {
		overloaded(w)
		return
	}
	if st, due := s.faults.next(uri); due {
		s.play(w, r, st)
		return
	}
	s.answer(w, r)
}

// target is the path with its query as asked for: what counters and faults go
// by, because /list?page=1 and /list?page=2 are two pages.
func target(r *http.Request) string {
	if strings.HasPrefix(r.RequestURI, "/") {
		return r.RequestURI
	}
	return r.URL.RequestURI() // asked for through a proxy, or without a server
}

// wait returns true after d, or false as soon as ctx ends.
func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
