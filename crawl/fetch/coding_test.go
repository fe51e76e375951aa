package fetch

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"
)

// encoders make the codings that are asked for; bare is deflate as many servers send it.
var encoders = map[string]func(io.Writer) io.WriteCloser{
	"gzip":    func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
	"x-gzip":  func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
	"deflate": func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) },
	"bare":    func(w io.Writer) io.WriteCloser { f, _ := flate.NewWriter(w, 6); return f },
	"br":      func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) },
	"zstd":    func(w io.Writer) io.WriteCloser { z, _ := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1)); return z },
}

// encode applies codings, and says what the header says.
func encode(body []byte, codings ...string) ([]byte, string) {
	var header []string
	for _, coding := range codings {
		if header = append(header, strings.Replace(coding, "bare", "deflate", 1)); coding == "identity" {
			continue
		}
		var b bytes.Buffer
		w := encoders[coding](&b)
		_, _ = w.Write(body)
		_ = w.Close()
		body = b.Bytes()
	}
	return body, strings.Join(header, ", ")
}

// texts that compress well, badly, and not at all.
func texts() [][]byte {
	noise := make([]byte, 100_000)
	for i := range noise {
		noise[i] = byte(rand.Uint32())
	}
	return [][]byte{{}, []byte("x"), bytes.Repeat([]byte("0123456789"), 20_000), noise}
}

func codedSite(t *testing.T, body []byte, header string) *site {
	return newSite(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Encoding", header)
		_, _ = w.Write(body)
	})
}

func TestEveryCodingIsUndone(t *testing.T) {
	for _, codings := range [][]string{{"gzip"}, {"x-gzip"}, {"deflate"}, {"bare"}, {"br"}, {"zstd"}, {"identity"},
		{"gzip", "br"},
		{"zstd", "identity", "deflate"}, {"bare", "gzip", "zstd", "br"}} {
		t.Run(strings.Join(codings, ","), func(t *testing.T) {
			for _, want := range texts() {
				body, header := encode(want, codings...)
				s := codedSite(t, body, strings.ToUpper(header))
				page := wantPage(t, do(newClient(t, quick()), Request{URL: s.URL}))
				if !bytes.Equal(page.Body, want) || page.Size != int64(len(want)) {
					t.Errorf("%d bytes, got %d", len(want), len(page.Body))
				}
			}
		})
	}
}

func TestABodyMayHaveNoCodingWhateverItsHeaderSays(t *testing.T) {
	for _, header := range []string{"", "identity", " , Identity", "gzip", "br"} {
		s := codedSite(t, nil, header)
		if page := wantPage(t, do(newClient(t, quick()), Request{URL: s.URL})); len(page.Body) != 0 {
			t.Errorf("%q: %q", header, page.Body)
		}
	}
}

// Cut anywhere, a body is not a page. With a Content-Length the wire tells; without one, only the coding can.
func TestACutBodyOfAnyCodingIsAFailureOfTheNetwork(t *testing.T) {
	o := quick()
	o.Attempts = 1
	c := newClient(t, o)
	for coding := range encoders {
		body, header := encode(bytes.Repeat([]byte("0123456789"), 3_000), coding)
		for _, cut := range []int{1, 2, 3, len(body) / 2, len(body) - 1} {
			for _, length := range []string{"", fmt.Sprintf("Content-Length: %d\r\n", len(body))} {
				url, _ := wire(t, func(conn net.Conn) {
					_, _ = io.WriteString(conn,
						okHead+"Content-Encoding: "+header+"\r\n"+length+"Connection: close\r\n\r\n"+string(body[:cut]))
				})
				result := do(c, Request{URL: url})
				if result.Failure == nil || result.Failure.Kind != Network {
					t.Errorf("%s cut at %d of %d, %q: %+v %v", coding, cut, len(body), length, result.Page, result.Failure)
				}
			}
		}
	}
}

// The length is checked although the coded text was whole.
func TestABodyThatEndsBehindItsCodedTextIsShortAllTheSame(t *testing.T) {
	body, _ := encode([]byte("hello"), "gzip")
	url, _ := wire(t, func(c net.Conn) {
		_, _ = fmt.Fprintf(c, "%sContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", okHead, len(body)+10, body)
	})
	wantFailure(t, do(newClient(t, quick()), Request{URL: url}), Network)
}

func TestAWrongLabelIsFinal(t *testing.T) {
	page := []byte(strings.Repeat("<html><p>plain</p></html>", 50))
	for _, label := range []string{"gzip", "deflate", "br", "zstd", "gzip, br", "compress", "aws-chunked",
		"gzip, x, gzip"} {
		t.Run(label, func(t *testing.T) {
			s := codedSite(t, page, label)
			failure := wantFailure(t, do(newClient(t, quick()), Request{URL: s.URL}), Parse)
			if s.hits.Load() != 1 || failure.Status != 200 || !isA[*codingError](failure) && !errors.Is(failure, errEncoding) {
				t.Errorf("%d requests, %v", s.hits.Load(), failure)
			}
		})
	}
}

func TestMoreCodingsThanAnybodyNeedsAreRefused(t *testing.T) {
	body, header := encode([]byte("x"), "gzip", "gzip", "gzip", "gzip", "gzip")
	s := codedSite(t, body, header)
	if f := wantFailure(t, do(newClient(t, quick()), Request{URL: s.URL}), Parse); !errors.Is(f, errEncoding) {
		t.Error(f)
	}
}

func TestTheLimitCountsWhatABodyBecomes(t *testing.T) {
	const limit = 50_000
	for coding := range encoders {
		for _, over := range []int{0, 1, 50 << 20} {
			body, header := encode(make([]byte, limit+over), coding)
			s := codedSite(t, body, header)
			o := quick()
			o.BodyLimit = limit
			result := do(newClient(t, o), Request{URL: s.URL})
			if over == 0 {
				wantPage(t, result)
			} else {
				wantFailure(t, result, TooLarge)
			}
		}
	}
}

func TestSeveralGzipMembersAreOneBodyAndWhatFollowsIsLetBe(t *testing.T) {
	a, _ := encode([]byte("one "), "gzip")
	b, _ := encode([]byte("two"), "gzip")
	for _, tail := range []string{"", "\x00\x00\x00", "<!-- served by x -->"} {
		s := codedSite(t, slices.Concat(a, b, []byte(tail)), "gzip")
		if page := wantPage(t, do(newClient(t, quick()), Request{URL: s.URL})); string(page.Body) != "one two" {
			t.Errorf("%q: %q", tail, page.Body)
		}
	}
}

func TestAZstdBodyCanNotAskForMoreMemoryThanTheWebAllows(t *testing.T) {
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, zstd.WithWindowSize(64<<20), zstd.WithEncoderConcurrency(1),
		zstd.WithSingleSegment(false))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = w.Write(bytes.Repeat([]byte("0123456789"), 10<<20/10))
	_ = w.Flush()
	_, _ = w.Write(make([]byte, 70<<20))
	_ = w.Close()
	s := codedSite(t, b.Bytes(), "zstd")
	o := quick()
	o.BodyLimit = 1 << 30
	wantFailure(t, do(newClient(t, o), Request{URL: s.URL}), Parse)
}

func TestWhatIsAskedFor(t *testing.T) {
	for given, want := range map[string]string{"": acceptEncoding, "gzip, deflate, br, zstd, sdch": acceptEncoding,
		"Identity ": "identity"} {
		s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, r.Header.Get("Accept-Encoding"))
		})
		o := quick()
		if given != "" {
			o.Headers = []Header{{"accept-encoding", given}}
		}
		if diff := cmp.Diff(want, string(wantPage(t, do(newClient(t, o), Request{URL: s.URL})).Body)); diff != "" {
			t.Error(diff)
		}
	}
}

// A coded body that is read to its end leaves its connection for the next request.
func TestAConnectionIsUsedAgainAfterACodedBody(t *testing.T) {
	body, _ := encode(bytes.Repeat([]byte("0123456789"), 3_000), "br")
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "br")
		w.Header().Set("X-From", r.RemoteAddr)
		w.(http.Flusher).Flush() // in chunks: the last one is read too
		_, _ = w.Write(body)
	})
	c := newClient(t, quick())
	first, second := wantPage(t, do(c, Request{URL: s.URL})), wantPage(t, do(c, Request{URL: s.URL}))
	if first.Header.Get("X-From") != second.Header.Get("X-From") {
		t.Error("two connections")
	}
}

func FuzzADecodedBodyIsWholeOrAFailure(f *testing.F) {
	for coding := range encoders {
		body, header := encode([]byte("<p>hello hello hello</p>"), coding)
		f.Add(body, header)
		f.Add(body[:len(body)/2], header)
	}
	f.Add([]byte("\x28\xb5\x2f\xfd"), "zstd, gzip")
	f.Fuzz(func(t *testing.T, body []byte, header string) {
		r := &http.Response{Header: http.Header{"Content-Encoding": {header}}, ContentLength: -1,
			Body: io.NopCloser(bytes.NewReader(body))}
		got, err := readBody(r, 1<<16)
		if err != nil && got != nil || len(got) > 1<<16 {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	})
}
