package fetch

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"time"
)

// fetchRobots asks an origin for its robots.txt: by the same client, at the same rate, with the same retries as any
// page, but without the job's credentials, and outside the host's bulkhead: an attempt that is redirected here holds
// a place in there, maybe the only one. After a failure only one attempt is made at a time.
func (c *Client) fetchRobots(ctx, abort context.Context, o *origin, hostLine string) Result {
	u := &url.URL{Scheme: o.key.scheme, Host: o.key.host, Path: "/robots.txt"}
	r := Request{URL: u.String(), Task: robotsTask}
	if !o.down.IsZero() {
		r.Made = c.options.Attempts - 1
	}
	call := &call{client: c, ctx: ctx, abort: abort, request: r, target: target{"GET", u, o.key.host}, robots: true,
		hostLine: hostLine}
	host := c.hosts.get(o.key.host)
	call.visit.host, call.at = host, &call.visit
	for call.again = true; call.again; {
		if sleep(ctx, abort, call.wait, nil) != nil || call.pass(host) != nil {
			break
		}
		if c.proxies != nil && !call.choose() || host.turn.wait(ctx, abort) != nil {
			break
		}
		_, _ = call.attempt()
	}
	call.visit.end()
	return call.finish(time.Now())
}

// robotsTask stands for a robots.txt among the tasks of a host.
const robotsTask = -1

// slowDown makes a host's turn as slow as its robots.txt asks for, if that is slower than the job. What is surprisingly
// slow is obeyed, but said.
func (c *Client) slowDown(key originKey, delay time.Duration) {
	if rate := c.options.Rate; rate > 0 && float64(delay) <= float64(time.Second)/rate {
		return
	}
	if c.hosts.get(key.host).turn.slowDown(delay) {
		c.warn("%s/robots.txt asks for %v between requests, which is slower than the job's rate: obeyed", key, delay)
	}
}

// robotsHeader is the job's header without its credentials: who asks may be seen by everybody, what he may is not for a
// file that everybody may read, and the origin may be one that a redirect led to.
func (c *Client) robotsHeader() http.Header {
	header := c.template.Header.Clone()
	for name := range header {
		if secretName(name) {
			header.Del(name)
		}
	}
	return header
}

// readStart reads a body, without its codings, up to a limit and leaves the rest.
func readStart(r *http.Response, limit int64) ([]byte, error) {
	coded, err := codings(r.Header)
	if err != nil {
		return nil, err
	}
	from := decode(r.Body, coded)
	defer from.end()
	start := *r
	if len(coded) > 0 {
		start.Header, start.ContentLength = nil, -1
	}
	start.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(from, limit), r.Body}
	if start.ContentLength > limit {
		start.ContentLength = -1
	}
	return readBody(&start, limit)
}

// refused ends a call that may not be made: for good, until the robots.txt can be had, or because of a stop.
func (c *call) refused(err error) {
	r := &c.result
	switch e := err.(type) {
	case *RobotsError:
		r.Failure = &Failure{Kind: Robots, Err: e}
	case *robotsUnknown:
		r.NoFiles = e.failure.Err == errNoFiles
		failure := &Failure{Kind: e.failure.Kind, Status: e.failure.Status, Err: e}
		if e.until.IsZero() {
			r.Failure = failure
		} else {
			r.RetryAt, r.Waiting = e.until, failure
		}
	default:
		r.Stopped = true
	}
}
