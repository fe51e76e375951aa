package fetch

import (
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// paced is a transport that has every request on the wire pay for its turn, also those that net/http makes by itself: a
// GET whose connection had been used before and broke without an answer is sent again, on one connection of the pool
// after the other. It tells a hop's slot when its request was sent and answered.
type paced struct{ http.RoundTripper }

func (t paced) RoundTrip(r *http.Request) (*http.Response, error) {
	h, ok := r.Context().(*hop)
	if !ok {
		return t.RoundTripper.RoundTrip(r)
	}
	// The hop's slot is of this goroutine, and what was written is known to another one.
	var current atomic.Pointer[slot]
	current.Store(h.slot)
	defer func() { h.slot.land() }()
	connections := 0
	trace := &httptrace.ClientTrace{
		GotConn: func(got httptrace.GotConnInfo) { // called by this goroutine, before it sends
			if connections++; connections == 1 {
				return
			}
			if err := h.repeat(); err != nil {
				h.cancel(err)
				unused(got.Conn)
			}
			current.Store(h.slot)
		},
		WroteRequest: func(httptrace.WroteRequestInfo) { current.Load().sent() },
	}
	return t.RoundTripper.RoundTrip(r.WithContext(httptrace.WithClientTrace(r.Context(), trace)))
}

// CloseIdleConnections is asked for by http.Client.
func (t paced) CloseIdleConnections() {
	if c, ok := t.RoundTripper.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// unused closes a connection that net/http might send on before it looks whether the request was cancelled. One of
// HTTP/2 is not only this request's, and there it looks.
func unused(conn net.Conn) {
	if secure, ok := conn.(*tls.Conn); ok && secure.ConnectionState().NegotiatedProtocol == "h2" {
		return
	}
	_ = conn.Close()
}

// repeat waits until the request may be sent once more; an error says why it may not be.
func (h *hop) repeat() error {
	if !h.pause() {
		return errDeadline
	}
	c, turn := h.call, h.at.host.turn
	err := turn.wait(c.ctx, c.abort)
	if err == nil {
		h.slot, err = turn.place(c.ctx, c.abort)
	}
	h.since = time.Now()
	if err == nil && h.at.host.breaker.bars(h.at, h.since) {
		err = c.putOff(h.since.Add(c.client.options.ProbeDelay))
	}
	h.timer.Reset(max(h.left, 0))
	return err
}

// pause stops the clock and gives the place in the window up; false when the deadline has passed, which net/http will
// see.
func (h *hop) pause() bool {
	h.slot.land()
	h.slot = nil
	if !h.timer.Stop() {
		return false
	}
	h.left -= time.Since(h.since)
	return true
}
