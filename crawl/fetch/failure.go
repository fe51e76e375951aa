package fetch

import (
	"fmt"
	"net/http"
	"time"
)

// Kind says what kind of failure it was, and so what it costs.
type Kind string

// The kinds of failure. This package makes the first six, robots, parse for a body in a coding that nobody asked for or
// that it is not in, and blocked for a 403 that everybody gets; the others, and other blocked pages, belong to whoever
// reads the page.
const (
	Network     Kind = "network"   // DNS, refused, reset, an answer cut short or garbled
	Timeout     Kind = "timeout"   // no answer, or not all of it, before the deadline; 408, 425
	Server      Kind = "server"    // 500, 502, 503, 504, 520-527 and other 5xx that may pass
	Throttled   Kind = "throttled" // 429, 503 with Retry-After
	ClientFault Kind = "client"    // other 4xx, TLS certificate, bad URL, redirect loop
	TooLarge    Kind = "too_large" // over Options.BodyLimit
	Parse       Kind = "parse"     // can't be decoded
	Blocked     Kind = "blocked"   // an answer, but not the page that was expected; 403 again and again
	Robots      Kind = "robots"    // disallowed
	Invalid     Kind = "invalid"   // no valid record
)

// passes tells whether another attempt may bring something else.
func (k Kind) passes() bool {
	return k == Network || k == Timeout || k == Server || k == Throttled || k == Blocked
}

// Failure is why there is no page.
type Failure struct {
	Kind   Kind
	Status int           // 0 when there was no answer
	Err    error         // free of secrets
	URL    string        // the final one, if there was an answer; unlike Err it is not redacted
	Took   time.Duration // of the last attempt
}

func (f *Failure) Error() string { return fmt.Sprintf("%s: %v", f.Kind, f.Err) }

// Unwrap returns what net/http or the answer said.
func (f *Failure) Unwrap() error { return f.Err }

// StatusError is the Err of a Failure that is an answer with a status that is no good.
type StatusError int

func (s StatusError) Error() string {
	if text := http.StatusText(int(s)); text != "" {
		return fmt.Sprintf("HTTP %d %s", int(s), text)
	}
	return fmt.Sprintf("HTTP %d", int(s))
}
