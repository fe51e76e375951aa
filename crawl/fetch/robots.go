package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// robotsLife is how long a robots.txt is believed (RFC 9309, 2.4); an older one only while no other can be had.
	robotsLife = 24 * time.Hour
	// robotsPatience is for how long an origin whose robots.txt can't be had is asked for it. Its tasks wait; after that
	// they fail, with the kind of what went wrong. Never is everything allowed instead: RFC 9309, 2.3.1.4 has that as a
	// possibility after 30 days, and a crawl that goes on because a file could not be read is nothing to explain.
	robotsPatience = time.Hour
	// robotsHops is how many redirects a robots.txt may be away, also at other hosts (2.3.1.2). A longer way is as good
	// as none (NUTCH-2581, stormcrawler #573).
	robotsHops = 5
)

// RobotsError is the Err of a Failure of kind Robots.
type RobotsError struct {
	Origin string // of the robots.txt: https://shop.example
	Line   int    // of the rule in it, from 1
	Rule   string // as written: Disallow: /private/
}

func (e *RobotsError) Error() string {
	return fmt.Sprintf("disallowed by line %d of %s/robots.txt: %s", e.Line, e.Origin, e.Rule)
}

// robotsUnknown says that a robots.txt can't be had, and so nothing may be asked for until it can.
type robotsUnknown struct {
	origin  string
	failure *Failure
	until   time.Time // when it is asked for again; zero: patience is over
}

func (e *robotsUnknown) Error() string {
	return fmt.Sprintf("%s/robots.txt can't be had, so nothing there may be asked for (`robots: ignore` does without): %v",
		e.origin, e.failure.Err)
}

func (e *robotsUnknown) Unwrap() error { return e.failure.Err }

// robots has the robots.txt of every origin that was asked for something. The map is guarded by mu; what is in it is
// never replaced.
type robots struct {
	token string // our name in the files

	mu sync.RWMutex
	by map[originKey]*origin
}

// originKey is scheme, host and port: what one robots.txt is for. host is a hostKey.
type originKey struct{ scheme, host string }

func (k originKey) String() string { return k.scheme + "://" + k.host }

// origin is one robots.txt. busy is held, by sending, while it is asked for: whoever comes meanwhile waits for what
// comes of it.
type origin struct {
	key  originKey
	last atomic.Pointer[robotsNews]
	busy chan struct{}

	down   time.Time // since when it can't be had; zero: it can. Of the one who is busy
	warned bool      // that pages wait; also of the one who is busy
}

// robotsNews is what is known of a robots.txt until the time until.
type robotsNews struct {
	file  *robotsFile // nil: unknown
	until time.Time
	why   *robotsUnknown // when file is nil
}

func (r *robots) get(u *url.URL) *origin {
	key := originKey{u.Scheme, hostKey(u)}
	r.mu.RLock()
	found := r.by[key]
	r.mu.RUnlock()
	if found != nil {
		return found
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.by[key] == nil {
		r.by[key] = &origin{key: key, busy: make(chan struct{}, 1)}
	}
	return r.by[key]
}

// mayAsk tells whether u may be asked for: nil, a *RobotsError, a *robotsUnknown or errStopped. It asks the origin
// for its robots.txt first when it has to, with that Host line, if it is not "".
func (c *Client) mayAsk(ctx, abort context.Context, u *url.URL, hostLine string) error {
	if !c.options.Robots {
		return nil
	}
	o := c.robots.get(u)
	news := o.last.Load()
	if now := time.Now(); news == nil || !now.Before(news.until) {
		select {
		case o.busy <- struct{}{}:
			defer func() { <-o.busy }()
		case <-ctx.Done():
			return errStopped
		}
		if news = o.last.Load(); news == nil || !now.Before(news.until) { // nobody was here before
			if news = c.askRobots(ctx, abort, o, hostLine); news == nil {
				return errStopped
			}
			o.last.Store(news)
		}
	}
	if news.file == nil {
		return news.why
	}
	if len(news.file.rules) == 0 {
		return nil
	}
	if rule := news.file.denied(u.RequestURI()); rule != nil {
		return &RobotsError{o.key.String(), rule.line, rule.text}
	}
	return nil
}

// askRobots asks for a robots.txt and returns what is known then, nil when it was stopped.
func (c *Client) askRobots(ctx, abort context.Context, o *origin, hostLine string) *robotsNews {
	result := c.fetchRobots(ctx, abort, o, hostLine)
	now := time.Now()
	file := robotsOf(&result, c.robots.token)
	if file == nil && result.Stopped {
		return nil
	}
	before := o.last.Load()
	if file == nil {
		if before != nil && before.file != nil { // an old one serves on (RFC 9309, 2.4)
			return &robotsNews{file: before.file, until: now.Add(c.options.MaxDelay)}
		}
		switch {
		case result.NoFiles:
			return robotsLater(o, errNoFiles, result.RetryAt)
		case result.Failure == nil && len(result.Failed) == 0:
			return robotsLater(o, errAway, result.RetryAt)
		}
		return c.robotsDown(o, &result, now)
	}
	o.down, o.warned = time.Time{}, false
	if file.delay > 0 {
		c.slowDown(o.key, file.delay)
	}
	news := &robotsNews{file: file, until: now.Add(robotsLife)}
	if result.Page == nil && result.Failure.Status == 0 {
		news.until = now.Add(c.options.MaxDelay) // a name that may exist soon, a certificate that may be renewed
	}
	return news
}

// robotsOf makes the file of an answer: its rules, or none where there is no file: 4xx (RFC 9309, 2.3.1.3), redirects
// that lead nowhere. nil: it is unknown. A name that does not exist, or a certificate that is not trusted, is left to
// the tasks themselves, which fail by it.
func robotsOf(r *Result, token string) *robotsFile {
	if r.Page != nil {
		file := parseRobots(r.Page.Body, token)
		return &file
	}
	f := r.Failure
	if f == nil {
		return nil
	}
	var dns *net.DNSError
	nobody := errors.As(f.Err, &dns) && dns.IsNotFound
	if nobody || f.Kind == ClientFault && f.Status < 500 || f.Status >= 400 && f.Status <= 499 {
		return &robotsFile{}
	}
	return nil
}

// robotsDown is for a robots.txt that can't be had now: 5xx, no answer, throttled.
func (c *Client) robotsDown(o *origin, r *Result, now time.Time) *robotsNews {
	if o.down.IsZero() {
		o.down = now
	}
	failure := r.Failure
	if failure == nil { // put off: by a Retry-After or a long back-off
		last := r.Failed[len(r.Failed)-1]
		failure = &Failure{Kind: last.Kind, Status: last.Status, Err: errors.New(last.Err), Took: last.Took}
	}
	until := now.Add(c.options.MaxDelay)
	if r.RetryAt.After(until) {
		until = r.RetryAt
	}
	why := &robotsUnknown{origin: o.key.String(), failure: failure, until: until}
	switch end := o.down.Add(robotsPatience); {
	case !now.Before(end):
		why.until = time.Time{}
	case !o.warned:
		o.warned = true
		c.warn("%s/robots.txt can't be had (%v): what is to be fetched there waits, and fails if that lasts for %v; "+
			"`robots: ignore` does without", o.key, failure.Err, robotsPatience)
	}
	return &robotsNews{why: why, until: until}
}

func (c *Client) warn(format string, args ...any) {
	if c.options.Warn != nil {
		c.options.Warn(fmt.Sprintf(format, args...))
	}
}
