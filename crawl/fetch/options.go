package fetch

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
)

// The limiters of Options.Limiter.
const (
	Smooth = "smooth" // evenly spaced requests: failsafe-go's smooth limiter
	Bucket = "bucket" // a token bucket: Burst at once, then the rate; golang.org/x/time/rate
	Window = "window" // never more within any Period than the rate makes of it
)

// Options says how a Client asks. The zero value of a field means the default given here.
type Options struct {
	UserAgent string   // sent unless Headers has a User-Agent; default "dogear (+resumable crawler)"
	Headers   []Header // sent with every request; a Host among them becomes the Host line

	NoCookies bool // cookies are neither taken nor sent, but for those in Headers

	// Proxies are asked through in turn, as far as they work: http://user:password@host:port, https://… or socks5://….
	// Without any, those of the environment are (HTTP_PROXY, HTTPS_PROXY, NO_PROXY).
	Proxies       []string
	ProxyRecovery float64 // points of a hundred that the health of a proxy regains per second; default 1

	Timeout     time.Duration // per attempt: dial, TLS, headers, redirects and body; default 30 s
	BodyLimit   int64         // bytes of a body as decompressed; default 10,000,000
	Concurrency int           // exchanges at a time per host, and the size of its connection pool; default 16

	Load *Load // counts the exchanges; nil: nobody wants to know

	// Observe is told how each exchange ended that brought no page, by the goroutine that made it: what a page is worth is
	// for the caller of Do to say. One that was cut off is not told. nil: nobody wants to know.
	Observe func(Exchange)

	Rate    float64       // requests per second per host; 0 = no limit
	Burst   int           // requests that a rested bucket lets through at once; default the rate rounded up
	Limiter string        // Smooth (default), Bucket or Window
	Period  time.Duration // of a Window; default 1 s

	Robots bool              // obey robots.txt (RFC 9309): asked for once per origin, before anything else there
	Warn   func(text string) // something the user should know, called by any goroutine that runs Do; may be nil

	Attempts int           // of one task, all counted; default 4
	Delay    time.Duration // the first back-off; default 1 s
	MaxDelay time.Duration // the longest back-off; default 1 min, at least Delay
	MaxWait  time.Duration // the longest obeyed Retry-After; default 10 min

	LeaseWait time.Duration // the longest back-off that Do sleeps through itself; default 10 s

	// When a host that is away, or refuses everybody, is probed: after this at first, then after twice as long each time.
	ProbeDelay    time.Duration // default 1 s
	ProbeMaxDelay time.Duration // default 10 s
	BanDelay      time.Duration // when it refuses; default 30 s, and MaxWait at most
}

// Header is one header of the job, in its order.
type Header struct{ Name, Value string }

// withDefaults fills what was left open.
func (o Options) withDefaults() Options {
	orDefault(&o.UserAgent, "dogear (+resumable crawler)")
	orDefault(&o.ProxyRecovery, 1)
	orDefault(&o.Timeout, 30*time.Second)
	orDefault(&o.BodyLimit, 10_000_000)
	orDefault(&o.Concurrency, 16)
	orDefault(&o.Burst, int(math.Ceil(min(max(o.Rate, 1), math.MaxInt32))))
	orDefault(&o.Limiter, Smooth)
	orDefault(&o.Attempts, 4)
	orDefault(&o.Delay, time.Second)
	orDefault(&o.MaxDelay, time.Minute)
	orDefault(&o.MaxWait, 10*time.Minute)
	orDefault(&o.LeaseWait, 10*time.Second)
	orDefault(&o.Period, time.Second)
	orDefault(&o.ProbeDelay, time.Second)
	orDefault(&o.ProbeMaxDelay, 10*time.Second)
	orDefault(&o.BanDelay, 30*time.Second)
	o.MaxDelay = max(o.MaxDelay, o.Delay)
	return o
}

func orDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// check refuses what no request could be made with.
func (o Options) check() error {
	switch {
	case math.IsNaN(o.Rate) || math.IsInf(o.Rate, 0) || o.Rate < 0:
		return fmt.Errorf("rate %v: want requests per second, or 0 for no limit", o.Rate)
	case o.Limiter != Smooth && o.Limiter != Bucket && o.Limiter != Window:
		return fmt.Errorf("limiter %q: want %q, %q or %q", o.Limiter, Smooth, Bucket, Window)
	case o.Burst < 0 || o.Concurrency < 0 || o.Attempts < 0 || o.BodyLimit < 0:
		return errors.New("burst, concurrency, attempts and body limit can't be negative")
	case min(o.Timeout, o.Delay, o.MaxDelay, o.MaxWait, o.LeaseWait, o.Period) < 0,
		min(o.ProbeDelay, o.ProbeMaxDelay, o.BanDelay) < 0:
		return errors.New("timeout, delays and waits can't be negative")
	}
	return nil
}

// header turns the job's headers into the one map that all requests share (net/http never writes to a request's
// header: the contract of http.RoundTripper) and the Host line, if the job gives one. An error names the header but
// never its value, which may be a secret.
func (o Options) header() (header http.Header, host string, err error) {
	header = make(http.Header, len(o.Headers)+1)
	for _, h := range o.Headers {
		if !httpguts.ValidHeaderFieldName(h.Name) {
			return nil, "", fmt.Errorf("header name %q is not allowed in HTTP", h.Name)
		}
		if !httpguts.ValidHeaderFieldValue(h.Value) {
			return nil, "", fmt.Errorf("the value of header %q has characters that HTTP does not allow", h.Name)
		}
		switch name := http.CanonicalHeaderKey(h.Name); name {
		case "Host":
			host = h.Value
		case "Accept-Encoding":
			// Headers pasted from a browser may ask for what nothing here decodes; none at all is a choice.
			if strings.EqualFold(strings.TrimSpace(h.Value), "identity") {
				header.Set(name, "identity")
			}
		default:
			header.Add(name, h.Value)
		}
	}
	if _, given := header["Accept-Encoding"]; !given {
		header.Set("Accept-Encoding", acceptEncoding)
	}
	if _, given := header["User-Agent"]; !given {
		header.Set("User-Agent", o.UserAgent)
	}
	return header, host, nil
}
