package practice

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Capacity is how many requests at a time the site answers well, in Options.Delay or what SetDelay said last. The zero
// value is a site that has no limit.
type Capacity struct {
	Requests int `json:"requests"`
	// Refuse answers what is over it with 503, at once. Without it everybody waits longer, in proportion: a site with
	// twice as many requests as it has a capacity for takes twice as long, and answers no more of them a second.
	Refuse bool `json:"refuse,omitempty"`
}

// String is "200" or "200:503", as POST /_practice/site takes it; "none" is no limit.
func (c Capacity) String() string {
	switch {
	case c.Requests <= 0:
		return "none"
	case c.Refuse:
		return strconv.Itoa(c.Requests) + ":503"
	}
	return strconv.Itoa(c.Requests)
}

// ParseCapacity reads what Capacity.String writes.
func ParseCapacity(text string) (Capacity, error) {
	if text == "none" {
		return Capacity{}, nil
	}
	number, refuse := strings.CutSuffix(text, ":503")
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 {
		return Capacity{}, fmt.Errorf("capacity %q: want none, or a number of requests such as 200, or 200:503", text)
	}
	return Capacity{n, refuse}, nil
}

// SetCapacity changes how many requests at a time the site answers well from now on.
func (s *Site) SetCapacity(c Capacity) { s.capacity.Store(&c) }

// SetCapacity is Site.SetCapacity.
func (r Remote) SetCapacity(c Capacity) error {
	text := c.String()
	return r.do(http.MethodPost, "site", Switches{Capacity: &text}, nil)
}

// load returns what the capacity makes of a request that arrived as one of so many: how long it takes, and whether it
// is refused instead.
func (s *Site) load(inFlight int64) (takes time.Duration, refused bool) {
	takes = time.Duration(s.delay.Load())
	c := s.capacity.Load()
	if c == nil || c.Requests <= 0 || inFlight <= int64(c.Requests) {
		return takes, false
	}
	if c.Refuse {
		return 0, true
	}
	return time.Duration(float64(takes) * float64(inFlight) / float64(c.Requests)), false
}

func overloaded(w http.ResponseWriter) {
	send(w, answer{status: http.StatusServiceUnavailable, kind: kindText, body: []byte("over capacity\n")})
}
