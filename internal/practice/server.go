package practice

import (
	"fmt"
	"net"
	"net/http"
	"sync"
)

// Server is a site that listens. Close it.
type Server struct {
	*Site
	URL string // http://127.0.0.1:40123, no slash at the end

	http  *http.Server
	done  chan struct{}  // closed when the accept loop has ended
	conns sync.WaitGroup // connections that net/http serves
}

// Start starts a site on o.Addr, a free port of 127.0.0.1 by default.
func Start(o Options) (*Server, error) {
	if err := o.Check(); err != nil {
		return nil, fmt.Errorf("start practice site: %w", err)
	}
	addr := o.Addr
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("start practice site: %w", err)
	}
	s := &Server{Site: New(o), URL: "http://" + l.Addr().String(), done: make(chan struct{})}
	s.http = &http.Server{Handler: s.Site, ConnState: s.track}
	go func() {
		defer close(s.done)
		_ = s.http.Serve(l) // ends with ErrServerClosed, or with a listener that nobody can mend
	}()
	return s, nil
}

// track counts the connections that have a goroutine in net/http, because its
// Close does not wait for them. A hijacked one is the site's to wait for.
func (s *Server) track(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.conns.Add(1)
	case http.StateClosed, http.StateHijacked:
		s.conns.Done()
	}
}

// Close stops the site at once, requests in flight included, and returns when
// every goroutine of it has ended. Calling it again does nothing.
func (s *Server) Close() {
	_ = s.http.Close() // the connections are what it would complain of
	<-s.done           // after this no connection is added
	s.conns.Wait()
	s.hijacked.Wait()
}
