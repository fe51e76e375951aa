package practice

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// answer is a page before it is sent, so that a fault can send it differently.
type answer struct {
	status int
	kind   []string // Content-Type, ready to stand in a header
	body   []byte
	allow  []string // Allow, of a 405
}

// Header values that are the same for many answers; net/http only reads them.
var (
	kindJSON = []string{"application/json; charset=utf-8"}
	kindHTML = []string{"text/html; charset=utf-8"}
	kindText = []string{"text/plain; charset=utf-8"}
	lengths  = smallLengths()
)

// smallLengths prepares the Content-Length of every body that a product has.
func smallLengths() [][]string {
	l := make([][]string, 1024)
	for n := range l {
		l[n] = []string{strconv.Itoa(n)}
	}
	return l
}

func length(n int) []string {
	if n < len(lengths) {
		return lengths[n]
	}
	return []string{strconv.Itoa(n)}
}

// buffers holds bodies being built: a product fits in, a listing too.
var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 16<<10); return &b }}

// answer sends the page that was asked for, as it should be.
func (s *Site) answer(w http.ResponseWriter, r *http.Request) {
	b := buffers.Get().(*[]byte)
	a := s.page((*b)[:0], r)
	send(w, a)
	*b = a.body[:0]
	buffers.Put(b)
}

func send(w http.ResponseWriter, a answer) {
	a.head(w)
	_, _ = w.Write(a.body) // a client that has gone is not our fault
}

// head sends the status and headers.
func (a answer) head(w http.ResponseWriter) {
	h := w.Header()
	h["Content-Type"] = a.kind
	h["Content-Length"] = length(len(a.body))
	if a.allow != nil {
		h["Allow"] = a.allow
	}
	w.WriteHeader(a.status)
}

// page builds the page that r asks for, appending to dst.
func (s *Site) page(dst []byte, r *http.Request) answer {
	path := r.URL.Path
	if id, ok := strings.CutPrefix(path, productPrefix); ok {
		return s.product(dst, id)
	}
	switch {
	case path == "/":
		return answer{status: http.StatusOK, kind: kindHTML, body: append(dst, indexPage...)}
	case path == "/robots.txt":
		return answer{status: http.StatusOK, kind: kindText, body: append(dst, cmp.Or(s.o.Robots, robotsText)...)}
	case path == "/list":
		return s.list(dst, r.URL.Query())
	case strings.HasPrefix(path, pagePrefix):
		return s.listing(dst, path[len(pagePrefix):])
	case strings.HasPrefix(path, detailPrefix):
		return s.detail(dst, path[len(detailPrefix):])
	case strings.HasPrefix(path, charsetPrefix):
		return charsetPage(dst, path[len(charsetPrefix):])
	case strings.HasPrefix(path, apiPrefix):
		return s.api(dst, r)
	case strings.HasPrefix(path, sitemapPrefix):
		return s.sitemap(dst, r)
	case strings.HasPrefix(path, gbkPrefix):
		return s.gbk(dst, r.URL)
	case strings.HasPrefix(path, shopPrefix):
		return s.shop(dst, r.URL)
	}
	return missing(dst)
}

func missing(dst []byte) answer {
	dst = append(dst, "<!DOCTYPE html>\n<html><head><title>404</title></head><body><h1>没有这个页面 Not found</h1></body></html>\n"...)
	return answer{status: http.StatusNotFound, kind: kindHTML, body: dst}
}

// number reads an id or a page number: digits only, no leading zero, at most
// what 64 bits hold, 1 or more. Anything else is a page that is not there.
func number(s string) (int64, bool) {
	if s == "" || s[0] == '0' || len(s) > 19 {
		return 0, false
	}
	var n uint64
	for i := 0; i < len(s); i++ {
		c := s[i] - '0'
		if c > 9 {
			return 0, false
		}
		n = n*10 + uint64(c)
	}
	return int64(n), n <= 1<<63-1
}
