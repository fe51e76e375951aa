package fetch

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"dogear/internal/testenv"
)

func TestHTTP2IsSpokenWithWhoeverCanDirectlyAndThroughProxies(t *testing.T) {
	for name, o := range map[string]Options{
		"direct": quick(), "HTTP proxy": through("http://" + testenv.TinyProxy(t, login).Address()),
		"SOCKS": through("socks5://" + testenv.MicroSocks(t, testenv.Login{}).Address()),
	} {
		t.Run(name, func(t *testing.T) {
			if name == "HTTP proxy" {
				o.Proxies[0] = strings.Replace(o.Proxies[0], "://", "://ann:hunter2@", 1)
			}
			c := newClient(t, o)
			s := secure(t, c)
			protocols := map[string]bool{}
			s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				encoded, header := encode(append([]byte(r.Proto+" "), body...), "br")
				w.Header().Set("Content-Encoding", header)
				w.Header().Set("Content-Type", "text/plain")
				_, _ = w.Write(encoded)
			})
			for range 3 {
				page := wantPage(t, do(c, Request{URL: s.URL, Method: "POST", Body: "hello"}))
				protocols[string(page.Body)] = true
			}
			if len(protocols) != 1 || !protocols["HTTP/2.0 hello"] {
				t.Errorf("spoken: %v", protocols)
			}
		})
	}
}

func TestOneConnectionServesManyRequestsOfHTTP2AtATime(t *testing.T) {
	c := newClient(t, quick())
	s := secure(t, c)
	var mu sync.Mutex
	from := map[string]int{}
	s.Config.Handler = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		from[r.RemoteAddr]++
	})
	wantPage(t, do(c, Request{URL: s.URL}))
	var calls sync.WaitGroup
	for range 40 {
		calls.Go(func() {
			if result := do(c, Request{URL: s.URL}); result.Page == nil || result.Made != 1 {
				t.Errorf("%+v, %v", result, result.Failure)
			}
		})
	}
	calls.Wait()
	if len(from) != 1 {
		t.Errorf("connections: %v", from)
	}
}

func TestIPv6(t *testing.T) {
	listener, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skipf("no IPv6 here: %v", err)
	}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "a", Value: "1", Path: "/"})
		_, _ = io.WriteString(w, r.Host+" "+r.Header.Get("Cookie"))
	}))
	_ = s.Listener.Close()
	s.Listener = listener
	s.Start()
	defer s.Close()
	for name, o := range map[string]Options{
		"direct": quick(), "SOCKS": through("socks5://" + testenv.MicroSocks(t, testenv.Login{}).Address()),
	} {
		c := newClient(t, o)
		wantPage(t, do(c, Request{URL: s.URL}))
		if page := wantPage(t, do(c, Request{URL: s.URL})); string(page.Body) != listener.Addr().String()+" a=1" {
			t.Errorf("%s: %s", name, page.Body)
		}
	}
}

// Each answer ends its connection: no request may be sent into one that is closing, and none is lost.
func TestServersThatCloseEachConnectionAreAskedWithoutAFailure(t *testing.T) {
	connections := map[net.Conn]bool{}
	var mu sync.Mutex
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_,
			_ = io.WriteString(w, "hello")
	}))
	s.Config.SetKeepAlivesEnabled(false)
	s.Config.ConnState = func(c net.Conn, state http.ConnState) {
		mu.Lock()
		defer mu.Unlock()
		connections[c] = connections[c] || state == http.StateActive
	}
	s.Start()
	defer s.Close()
	c := newClient(t, quick())
	for range 50 {
		if result := do(c, Request{URL: s.URL}); result.Page == nil || len(result.Failed) > 0 {
			t.Fatalf("%+v, %v", result, result.Failure)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if len(connections) != 50 {
		t.Errorf("%d connections", len(connections))
	}
}
