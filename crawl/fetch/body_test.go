package fetch

import (
	"bytes"
	"compress/gzip"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

func gzipped(body []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(body)
	_ = w.Close()
	return b.Bytes()
}

// colly MaxBodySize, katana's 4 MB: a body is whole or a failure, never cut and called a success.
func TestABodyOverTheLimitIsAFinalFailure(t *testing.T) {
	const limit = 100_000
	tests := map[string]struct {
		size    int
		chunked bool
		gzip    bool
	}{
		"with a Content-Length":    {size: limit + 1},
		"in chunks":                {size: limit + 1, chunked: true},
		"small until decompressed": {size: limit + 1, gzip: true},
		"a bomb":                   {size: 50 << 20, gzip: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, func(w http.ResponseWriter, _ *http.Request) {
				send(w, make([]byte, test.size), test.chunked, test.gzip)
			})
			o := quick()
			o.BodyLimit = limit
			result := do(newClient(t, o), Request{URL: s.URL})
			if failure := wantFailure(t, result, TooLarge); s.hits.Load() != 1 || result.Made != 1 || failure.Status != 200 {
				t.Errorf("got %+v after %d requests", result, s.hits.Load())
			}
		})
	}
}

func TestABodyUpToTheLimitComesWhole(t *testing.T) {
	const limit = 200_000
	for _, size := range []int{0, 1, 511, 512, 513, presize, presize + 1, limit} {
		want := bytes.Repeat([]byte("0123456789"), size/10+1)[:size]
		for _, chunked := range []bool{false, true} {
			for _, zip := range []bool{false, true} {
				s := newSite(t, func(w http.ResponseWriter, _ *http.Request) { send(w, want, chunked, zip) })
				o := quick()
				o.BodyLimit = limit
				page := wantPage(t, do(newClient(t, o), Request{URL: s.URL}))
				if !bytes.Equal(page.Body, want) || page.Size != int64(size) {
					t.Errorf("%d bytes (chunked %v, gzip %v): got %d", size, chunked, zip, len(page.Body))
				}
			}
		}
	}
}

func send(w http.ResponseWriter, body []byte, chunked, zip bool) {
	w.Header().Set("Content-Type", "text/plain")
	if zip {
		w.Header().Set("Content-Encoding", "gzip")
		body = gzipped(body)
	}
	if chunked {
		w.(http.Flusher).Flush()
	}
	_, _ = w.Write(body)
}

func TestAContentLengthIsNotBelievedWhenMemoryIsTaken(t *testing.T) {
	r := &http.Response{ContentLength: 1 << 40, Body: io.NopCloser(strings.NewReader("x"))}
	body, err := readBody(r, 1<<41)
	if err != nil || cap(body) > presize+1 {
		t.Errorf("%d bytes taken for 1, %v", cap(body), err)
	}
}

func TestAContentLengthOverTheLimitIsNotReadAtAll(t *testing.T) {
	url, _ := wire(t, func(c net.Conn) { // it would never come
		_, _ = io.WriteString(c, okHead+"Content-Length: 9000000000000\r\n\r\n")
		_, _ = io.Copy(io.Discard, c)
	})
	wantFailure(t, do(newClient(t, quick()), Request{URL: url}), TooLarge)
}

func TestHeadHasNoBody(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "99000000") })
	if page := wantPage(t, do(newClient(t, quick()), Request{URL: s.URL, Method: "HEAD"})); len(page.Body) != 0 {
		t.Errorf("got %q", page.Body)
	}
}
