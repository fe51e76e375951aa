package fetch

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// quick are options with which no test waits noticeably.
func quick() Options {
	return Options{Timeout: 10 * time.Second, Delay: time.Microsecond, MaxDelay: time.Millisecond, Concurrency: 4}
}

// fast are quick ones with which a host that complains is not noticeably slower either.
func fast() Options {
	o := quick()
	o.Rate = 1e6
	return o
}

func newClient(t testing.TB, o Options) *Client {
	t.Helper()
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// quiet is for servers whose complaints are expected.
var quiet = log.New(io.Discard, "", 0)

// site is a loopback site that counts its requests.
type site struct {
	*httptest.Server
	hits atomic.Int64
}

func newSite(t testing.TB, handler http.HandlerFunc) *site {
	s := &site{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.hits.Add(1)
		handler(w, r)
	}))
	s.Config.ErrorLog = quiet
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// answering is a site that gives these statuses in turn, the last one for ever; "429 Retry-After=1" has a header.
func answering(t testing.TB, answers ...string) *site {
	var s *site
	s = newSite(t, func(w http.ResponseWriter, _ *http.Request) {
		answer := answers[min(int(s.hits.Load()), len(answers))-1]
		status, header, _ := strings.Cut(answer, " ")
		if name, value, ok := strings.Cut(header, "="); ok {
			w.Header().Set(name, value)
		}
		var code int
		_, _ = fmt.Sscan(status, &code)
		w.WriteHeader(code)
	})
	return s
}

// wire is a site without HTTP: each connection has its request read and is then handed to say, and closed after it.
func wire(t testing.TB, say func(net.Conn)) (url string, connections *atomic.Int64) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	connections = new(atomic.Int64)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			connections.Add(1)
			go func() {
				defer conn.Close()
				_, _ = conn.Read(make([]byte, 4096))
				say(conn)
			}()
		}
	}()
	t.Cleanup(func() { _ = listener.Close(); <-done })
	return "http://" + listener.Addr().String() + "/", connections
}

func do(c *Client, r Request) Result { return c.Do(context.Background(), context.Background(), r) }

func wantPage(t *testing.T, r Result) *Page {
	t.Helper()
	if r.Page == nil {
		t.Fatalf("no page: %+v, failure %v", r, r.Failure)
	}
	return r.Page
}

func wantFailure(t *testing.T, r Result, kind Kind) *Failure {
	t.Helper()
	if r.Failure == nil || r.Failure.Kind != kind || r.Page != nil {
		t.Fatalf("got %+v, failure %v; want a failure of kind %s", r, r.Failure, kind)
	}
	return r.Failure
}
