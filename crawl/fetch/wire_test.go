package fetch

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"dogear/internal/testenv"
)

const okHead = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"

func TestABrokenAnswerIsAFailureOfTheNetworkNeverAPage(t *testing.T) {
	tests := map[string]string{
		"nothing":                         "",
		"half a header":                   "HTTP/1.1 200 OK\r\nContent-Ty",
		"garbage":                         "\x16\x03\x01 what?\r\n\r\n",
		"a status that is no number":      "HTTP/1.1 OK\r\n\r\n",
		"short of its Content-Length":     okHead + "Content-Length: 100\r\n\r\n<p>short",
		"no body where one is due":        okHead + "Content-Length: 100\r\n\r\n",
		"a chunk cut short":               okHead + "Transfer-Encoding: chunked\r\n\r\n20\r\n<p>",
		"no last chunk":                   okHead + "Transfer-Encoding: chunked\r\n\r\n3\r\n<p>\r\n",
		"a chunk of no size":              okHead + "Transfer-Encoding: chunked\r\n\r\nzz\r\n<p>\r\n",
		"gzip cut short":                  okHead + "Content-Encoding: gzip\r\nContent-Length: 12\r\n\r\n\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\x4b\x4c",
		"two Content-Lengths that differ": okHead + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
	}
	o := quick()
	o.Attempts = 2
	for name, answer := range tests {
		t.Run(name, func(t *testing.T) {
			url, connections := wire(t, func(c net.Conn) { _, _ = io.WriteString(c, answer) })
			result := do(newClient(t, o), Request{URL: url})
			failure := wantFailure(t, result, Network)
			if connections.Load() < 2 || result.Made != 2 || len(result.Failed) != 2 {
				t.Errorf("%d connections, %+v, %v", connections.Load(), result, failure)
			}
		})
	}
}

func TestAShortBodyKeepsTheReasonForErrorsIs(t *testing.T) {
	url, _ := wire(t, func(c net.Conn) { _, _ = io.WriteString(c, okHead+"Content-Length: 100\r\n\r\n<p>short") })
	failure := wantFailure(t, do(newClient(t, quick()), Request{URL: url}), Network)
	if !errors.Is(failure, io.ErrUnexpectedEOF) || failure.Status != 200 || failure.URL != url {
		t.Errorf("got %+v", failure)
	}
}

func TestARefusedConnectionIsAFailureOfTheNetwork(t *testing.T) {
	result := do(newClient(t, quick()), Request{URL: "http://" + testenv.Refusing(t)})
	if failure := wantFailure(t, result, Network); failure.Status != 0 || result.Made != 4 {
		t.Errorf("got %+v", result)
	}
}

// katana #416, colly #740: hung for hours. Every one of these never ends by itself.
func TestEveryAttemptHasADeadlineBodyIncluded(t *testing.T) {
	hang := func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }
	drip := func(c net.Conn) {
		for {
			if _, err := io.WriteString(c, "x"); err != nil {
				return
			}
			time.Sleep(time.Millisecond)
		}
	}
	tests := map[string]func(net.Conn){
		"no answer":           hang,
		"half a header":       func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Ty"); hang(c) },
		"a body that stalls":  func(c net.Conn) { _, _ = io.WriteString(c, okHead+"Content-Length: 100\r\n\r\n<p>"); hang(c) },
		"a body that drips":   func(c net.Conn) { _, _ = io.WriteString(c, okHead+"Content-Length: 900000\r\n\r\n"); drip(c) },
		"a header that drips": func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nX: "); drip(c) },
		"a redirect that leads to silence": func(c net.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n")
			hang(c)
		},
	}
	o := quick()
	o.Timeout, o.Attempts = 30*time.Millisecond, 2
	for name, say := range tests {
		t.Run(name, func(t *testing.T) {
			url, _ := wire(t, say)
			result := do(newClient(t, o), Request{URL: url})
			if failure := wantFailure(t, result, Timeout); !errors.Is(failure, errDeadline) || result.Made != 2 {
				t.Errorf("got %+v, %v", result, failure)
			}
		})
	}
}

func TestAStalledBodyOfARefusalStillTellsTheStatus(t *testing.T) {
	url, _ := wire(t, func(c net.Conn) {
		_, _ = io.WriteString(c, "HTTP/1.1 404 Not Found\r\nContent-Length: 100\r\n\r\n<p>")
		_, _ = io.Copy(io.Discard, c)
	})
	o := quick()
	o.Timeout = 30 * time.Millisecond
	if failure := wantFailure(t, do(newClient(t, o), Request{URL: url}), ClientFault); failure.Status != 404 {
		t.Errorf("got %+v", failure)
	}
}

func TestASwitchOfProtocolsThatNobodyAskedForIsFinal(t *testing.T) {
	url, _ := wire(t, func(c net.Conn) {
		_, _ = io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")
		_, _ = io.Copy(io.Discard, c)
	})
	if failure := wantFailure(t, do(newClient(t, quick()), Request{URL: url}), ClientFault); failure.Status != 101 {
		t.Errorf("got %+v", failure)
	}
}

func TestACertificateThatIsNotTrustedFailsAtOnce(t *testing.T) {
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ErrorLog = quiet
	s.StartTLS()
	defer s.Close()
	result := do(newClient(t, quick()), Request{URL: s.URL})
	if failure := wantFailure(t, result, ClientFault); result.Made != 1 || !strings.Contains(failure.Error(), "certificate") {
		t.Errorf("got %+v, %v", result, failure)
	}
}

func TestAServerThatDoesNotSpeakTLSIsAFailureOfTheNetwork(t *testing.T) {
	s := answering(t, "200")
	wantFailure(t, do(newClient(t, quick()), Request{URL: strings.Replace(s.URL, "http:", "https:", 1)}), Network)
}

func TestANameThatDoesNotResolveIsAFailureOfTheNetwork(t *testing.T) {
	wrapped := &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no answer", Name: "shop.example", IsTimeout: true}}
	if kind := errorKind(wrapped); kind != Network {
		t.Errorf("got %s", kind)
	}
}
