package practice

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

// dial connects to the site and asks for a path by hand.
func dial(t *testing.T, s *Server, uri string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if _, err := fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: practice\r\n\r\n", uri); err != nil {
		t.Fatal(err)
	}
	return conn
}

// rawAnswer reads until the site ends the connection: all it sent, and how it ended.
func rawAnswer(t *testing.T, uri, script string) (string, error) {
	t.Helper()
	s := serve(t, Options{Faults: []Fault{{Path: uri, Script: script}}})
	b, err := io.ReadAll(dial(t, s, uri))
	return string(b), err
}

// healthy is the body of a page as it should be.
func healthy(uri string) string { return recorded(New(Options{}), uri).Body.String() }

func TestCutEndsAChunkedBodyInItsMiddle(t *testing.T) {
	got, err := rawAnswer(t, "/page/1", "cut")
	if err != nil {
		t.Fatalf("the connection does not end in order: %v", err)
	}
	head, body, _ := strings.Cut(got, "\r\n\r\n")
	if !strings.HasPrefix(head, "HTTP/1.1 200 OK\r\n") || !strings.Contains(head, "Transfer-Encoding: chunked") {
		t.Errorf("head %q", head)
	}
	size, half, _ := strings.Cut(body, "\r\n")
	page := healthy("/page/1")
	if half != page[:len(page)/2]+"\r\n" || size != fmt.Sprintf("%x", len(page)/2) {
		t.Errorf("chunk of %s, %d bytes", size, len(half))
	}
}

func TestShortSendsLessThanItsContentLength(t *testing.T) {
	got, err := rawAnswer(t, "/v1/product/7", "short")
	if err != nil {
		t.Fatalf("the connection does not end in order: %v", err)
	}
	head, body, _ := strings.Cut(got, "\r\n\r\n")
	if body != string(ProductJSON(7)) || !strings.Contains(head, fmt.Sprintf("Content-Length: %d", len(body)+100)) {
		t.Errorf("%q", got)
	}
}

func TestResetSendsNothingAndResets(t *testing.T) {
	got, err := rawAnswer(t, "/page/1", "reset")
	if got != "" || !isReset(err) {
		t.Errorf("%q, %v", got, err)
	}
}

// isReset tells RST from FIN; Windows has another number for it.
func isReset(err error) bool {
	const wsaECONNRESET = syscall.Errno(10054)
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, wsaECONNRESET)
}

func TestGarbageIsNotHTTP(t *testing.T) {
	got, err := rawAnswer(t, "/page/1", "garbage")
	if err != nil || got == "" || strings.Contains(got, "HTTP/") {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := http.ReadResponse(bufio.NewReader(strings.NewReader(got)), nil); err == nil {
		t.Error("it can be read as HTTP")
	}
}

func TestStallSendsHeadersAndNothingMoreUntilItsBound(t *testing.T) {
	got, err := rawAnswer(t, "/page/1", "stall:1ms")
	head, body, found := strings.Cut(got, "\r\n\r\n")
	want := fmt.Sprintf("Content-Length: %d", len(healthy("/page/1")))
	if !found || body != "" || !strings.Contains(head, want) || !strings.HasPrefix(head, "HTTP/1.1 200 OK") {
		t.Errorf("%q, %v", got, err)
	}
}

func TestStallEndsWhenTheClientGoes(t *testing.T) {
	s := serve(t, Options{Faults: []Fault{{Path: "/page/1", Script: "stall:1h"}}})
	conn := dial(t, s, "/page/1")
	if _, err := bufio.NewReader(conn).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if n := s.InFlight(); n != 1 {
		t.Errorf("%d in flight", n)
	}
	_ = conn.Close()
	s.http.SetKeepAlivesEnabled(false)
	s.conns.Wait() // or the test runs into its time limit
}

func TestStatusesCarryRetryAfterAndLocation(t *testing.T) {
	now := time.Date(2026, 2, 4, 6, 30, 0, 0, time.UTC)
	cases := []struct{ script, key, want string }{
		{"429:2", "Retry-After", "2"}, {"503:soon", "Retry-After", "soon"}, {"500", "Retry-After", ""},
		{"503:@90", "Retry-After", "Wed, 04 Feb 2026 06:31:30 GMT"},
		{"redirect:/page/9", "Location", "/page/9"}, {"301:https://elsewhere.invalid/", "Location", "https://elsewhere.invalid/"},
	}
	for _, c := range cases {
		s := New(Options{Now: func() time.Time { return now }, Faults: []Fault{{Path: "/", Script: c.script}}})
		if w := recorded(s, "/"); w.Header().Get(c.key) != c.want || w.Body.Len() == 0 {
			t.Errorf("%s: %d %v", c.script, w.Code, w.Header())
		}
	}
}

func TestStatusWithoutABodyHasNone(t *testing.T) {
	for _, script := range []string{"204", "304"} {
		s := New(Options{Faults: []Fault{{Path: "/", Script: script}}})
		if w := recorded(s, "/"); w.Body.Len() != 0 || w.Header().Get("Content-Length") != "" {
			t.Errorf("%s: %v %q", script, w.Header(), w.Body)
		}
	}
}

func TestSlowAndDripAndBigAndCaptchaAreWholeAnswers(t *testing.T) {
	s := serve(t, Options{Faults: []Fault{{Path: "/page/1", Script: "slow:1ms,drip:1ms,big:100000,captcha"}}})
	for _, what := range []string{"slow", "drip"} {
		if status, body := fetch(t, s.URL+"/page/1"); status != 200 || body != healthy("/page/1") {
			t.Errorf("%s: %d with %d bytes", what, status, len(body))
		}
	}
	if status, body := fetch(t, s.URL+"/page/1"); status != 200 || len(body) != 100_000 {
		t.Errorf("big: %d with %d bytes", status, len(body))
	}
	if status, body := fetch(t, s.URL+"/page/1"); status != 200 || !strings.Contains(body, `<form id="captcha"`) || strings.Contains(body, "<h1>") {
		t.Errorf("captcha: %d %s", status, body)
	}
}

func TestDripSendsTheHeadersBeforeTheBody(t *testing.T) {
	s := serve(t, Options{Faults: []Fault{{Path: "/page/1", Script: "drip:1h"}}})
	resp, err := http.ReadResponse(bufio.NewReader(dial(t, s, "/page/1")), nil)
	if err != nil || resp.ContentLength != int64(len(healthy("/page/1"))) {
		t.Errorf("%+v %v", resp, err)
	}
}
