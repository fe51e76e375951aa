package fetch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// answer is what an exchange brought; the zero value when there was none.
type answer struct {
	status int
	header http.Header
	url    string // the final one
	body   []byte // as sent, decompressed; only when the status is good

	unzipped bool // the body was a gzip file: the header is not about what is in it
}

// exchange sends the request once, follows its redirects and reads the body. It is the whole of an attempt on the
// wire: when it returns, the connection is back in the pool or closed. With an error the answer has what is known.
func (c *call) exchange(now time.Time, slot *slot) (answer, error) {
	hop := c.newHop(now, slot)
	defer hop.end()
	defer func() { c.at = hop.at }()
	response, err := c.client.http.Do(c.httpRequest(hop))
	var a answer
	if response != nil { // also with an error, when a redirect was refused
		a = answer{status: response.StatusCode, header: response.Header, url: c.finalURL(response.Request.URL)}
	}
	if err != nil {
		return a, hop.why(err)
	}
	defer response.Body.Close()
	if !good(a.status, c.request.Accept) {
		drain(response)
		return a, nil
	}
	if c.robots {
		a.body, err = readStart(response, robotsLimit)
	} else {
		err = c.read(&a, response)
	}
	if err != nil {
		return a, hop.why(err)
	}
	return a, nil
}

// read reads the body of a good answer.
func (c *call) read(a *answer, r *http.Response) (err error) {
	limit := cmp.Or(c.request.BodyLimit, c.client.options.BodyLimit)
	a.body, err = readBody(r, limit)
	if err == nil && c.request.Unzip && bytes.HasPrefix(a.body, gzipMagic) {
		a.unzipped = true
		a.body, err = unzip(a.body, limit)
	}
	return err
}

// httpRequest makes the request of one attempt from what all requests share.
func (c *call) httpRequest(ctx context.Context) *http.Request {
	r := c.client.template.WithContext(ctx)
	r.Method, r.URL = c.target.method, c.target.url
	if c.robots {
		r.Header, r.Host = c.client.robotsHeader(), c.hostLine
	}
	if body := c.request.Body; body != "" {
		r.ContentLength = int64(len(body))
		// For redirects that keep the method, and for a pooled connection that turns out closed.
		r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(body)), nil }
		r.Body, _ = r.GetBody()
		c.typed(r)
	}
	return r
}

// typed says what the body is.
func (c *call) typed(r *http.Request) {
	if kind := c.request.ContentType; kind != "" && r.Header.Get("Content-Type") == "" {
		r.Header = r.Header.Clone()
		r.Header.Set("Content-Type", kind)
	}
}

// finalURL is the URL as it was given, unless a redirect led elsewhere.
func (c *call) finalURL(u *url.URL) string {
	if u == c.target.url {
		return c.request.URL
	}
	return u.String()
}

// hop is the context of an attempt's requests: it ends at the deadline or by abort, and carries the call to
// Client.checkRedirect. Its clock stands still while a redirect waits for the turn of its host.
type hop struct {
	context.Context
	call   *call
	at     *visit // the host that is asked
	slot   *slot  // its place in that host's window
	cancel context.CancelCauseFunc
	timer  *time.Timer
	left   time.Duration // until the deadline, at the time since
	since  time.Time

	unwatch func() bool // of ctx, for a probe
}

func (c *call) newHop(now time.Time, slot *slot) *hop {
	ctx, cancel := context.WithCancelCause(c.abort)
	left := c.client.options.Timeout
	timer := time.AfterFunc(left, func() { cancel(errDeadline) })
	h := &hop{Context: ctx, call: c, at: &c.visit, slot: slot, cancel: cancel, timer: timer, left: left, since: now}
	if h.at.probe { // which nobody needs any more when the run stops
		h.unwatch = context.AfterFunc(c.ctx, func() { cancel(errStopped) })
	}
	return h
}

func (h *hop) end() {
	h.timer.Stop()
	h.slot.land()
	h.cancel(nil)
	if h.unwatch != nil {
		h.unwatch()
	}
}

// turn waits until a redirect may be followed: its robots.txt is known, and its host may be asked.
func (h *hop) turn(u *url.URL) error {
	if !h.pause() {
		return nil
	}
	now := time.Now()
	c := h.call
	var err error
	if !c.robots {
		hostLine := "" // the job's is for the host that the job names
		if hostKey(u) == c.target.host {
			hostLine = c.client.template.Host
		}
		err = c.client.mayAsk(c.ctx, c.abort, u, hostLine)
	}
	if err == nil {
		err = h.move(c.client.hosts.get(hostKey(u)), now)
	}
	turn := h.at.host.turn
	if err == nil {
		err = turn.wait(c.ctx, c.abort)
	}
	if err == nil {
		h.slot, err = turn.place(c.ctx, c.abort)
	}
	h.since = time.Now()
	if err == nil && h.at.host.breaker.bars(h.at, h.since) {
		err = h.call.putOff(h.since.Add(h.call.client.options.ProbeDelay))
	}
	h.timer.Reset(max(h.left, 0))
	return err
}

// move passes the gate of another host.
func (h *hop) move(to *host, now time.Time) error {
	if to == h.at.host {
		return nil
	}
	h.at.lives(h.since, now)
	if h.at != &h.call.visit {
		h.at.end()
	}
	h.at = &visit{host: to}
	until, err := to.breaker.wait(h.call.ctx, h.call.abort, h.at)
	if err == nil && !until.IsZero() {
		err = h.call.putOff(until)
	}
	return err
}

// why tells why an exchange broke: abort and the deadline show up in net/http as errors of many shapes.
func (h *hop) why(err error) error {
	switch {
	case h.call.abort.Err() != nil || errors.Is(err, errStopped) || context.Cause(h.Context) == errStopped:
		return errStopped
	case errors.Is(err, errPutOff):
		return errPutOff
	case context.Cause(h.Context) == errDeadline:
		var stuck *proxyError
		if errors.As(err, &stuck) && !stuck.known {
			return &proxyError{proxy: stuck.proxy, own: stuck.own, err: errDeadline}
		}
		return errDeadline
	}
	return err
}
