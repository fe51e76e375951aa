package fetch

import (
	"bytes"
	"net/http"
	"testing"
)

// A gzip file is its content to whoever asks for sitemaps, whatever its Content-Type says, and nothing but bytes to
// others.
func TestAGzipFileIsUnpackedForWhoeverAsksForThat(t *testing.T) {
	const text = "<?xml version=\"1.0\"?><urlset>é</urlset>"
	zipped := gzipped([]byte(text))
	two := append(bytes.Clone(zipped), gzipped([]byte("<!-- more -->"))...)
	for _, c := range []struct {
		name, kind string
		body       []byte
		unzip      bool
		limit      int64
		want       string
		fails      Kind
	}{
		{name: "of its own type", kind: "application/gzip", body: zipped, unzip: true, want: text},
		{name: "called XML", kind: "text/xml", body: zipped, unzip: true, want: text},
		{name: "without a type", kind: "application/octet-stream", body: zipped, unzip: true, want: text},
		{name: "of two members", kind: "application/gzip", body: two, unzip: true, want: text + "<!-- more -->"},
		{name: "not asked for", kind: "application/gzip", body: zipped, want: string(zipped)},
		{name: "no gzip file", kind: "text/xml", body: []byte(text), unzip: true, want: text},
		{name: "empty", kind: "text/xml", unzip: true},
		{name: "one byte", kind: "text/xml", body: []byte("\x1f"), unzip: true, want: "\x1f"},
		{name: "cut", kind: "application/gzip", body: zipped[:len(zipped)-9], unzip: true, fails: Parse},
		{name: "only its first bytes", kind: "application/gzip", body: zipped[:2], unzip: true, fails: Parse},
		{name: "a bomb", kind: "application/gzip", body: gzipped(make([]byte, 5<<20)), unzip: true, limit: 1 << 20, fails: TooLarge},
		{name: "a limit of its own, above that of all", kind: "text/xml", body: bytes.Repeat([]byte("x"), 200_000), unzip: true, limit: 200_000, want: string(bytes.Repeat([]byte("x"), 200_000))},
		{name: "above the limit of all", kind: "text/xml", body: bytes.Repeat([]byte("x"), 200_000), unzip: true, fails: TooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", c.kind)
				_, _ = w.Write(c.body)
			})
			o := quick()
			o.BodyLimit = 100_000
			result := do(newClient(t, o), Request{URL: s.URL, Unzip: c.unzip, BodyLimit: c.limit})
			if c.fails != "" {
				if wantFailure(t, result, c.fails); s.hits.Load() != 1 {
					t.Errorf("asked %d times", s.hits.Load())
				}
				return
			}
			if page := wantPage(t, result); string(page.Body) != c.want || page.Size != int64(len(c.want)) {
				t.Errorf("got %.100q", page.Body)
			}
		})
	}
}
