package crawl_test

import (
	"compress/gzip"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"dogear/crawl"
	"dogear/internal/practice"
	"dogear/internal/testenv"
	"dogear/state"
)

// oddPages are answers that the practice site does not give.
var oddPages = map[string]http.HandlerFunc{
	"/gzip-bomb": func(w http.ResponseWriter, _ *http.Request) { // 10 kB that become 10 MB
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		for range 1000 {
			_, _ = z.Write(make([]byte, 10_000))
		}
		_ = z.Close()
	},
	"/unknown-coding": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "compress")
		_, _ = io.WriteString(w, "\x1f\x9d\x90")
	},
	"/deep":       text("text/html", "<h1>deep</h1>"+strings.Repeat("<div>", 600)),
	"/json":       text("application/json", `{"h1": "json"}`),
	"/image":      text("image/png", "\x89PNG\r\n\x1a\n\x00\x00"),
	"/no-title":   text("text/html", "<p>there is no heading</p>"),
	"/not-utf-8":  text("text/html; charset=utf-8", "<h1>caf\xe9</h1>"),
	"/empty":      text("text/html", ""),
	"/good":       text("text/html", "<h1>good</h1>"),
	"/redirect/0": text("text/html", "<h1>there</h1>"),
}

func text(kind, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		_, _ = io.WriteString(w, body)
	}
}

func serveOdd(w http.ResponseWriter, r *http.Request) {
	if page := oddPages[r.URL.Path]; page != nil {
		page(w, r)
	} else if n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/redirect/")); err == nil {
		http.Redirect(w, r, "/redirect/"+strconv.Itoa(n-1), http.StatusFound)
	} else {
		http.NotFound(w, r)
	}
}

// oddJob asks SITE for one odd page and a good one.
func oddJob(url, page, extra string) string {
	return `
start: [` + url + page + `, SITE/detail/1]
rate: none
limits: {body: 1MB}
retry: {attempts: 3, delay: 1ms, max_delay: 5ms}
records: {table: pages, fields: {title: {css: h1, required: true}}}
` + extra
}

func TestEveryPageThatCanNotBeReadFailsAtOnceAndTheRunGoesOn(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(serveOdd))
	defer site.Close()
	for _, f := range []failing{
		{"a gzip bomb", "/gzip-bomb", "", "failed 200 too_large 1", "too_large"},
		{"a coding that nobody asked for", "/unknown-coding", "", "failed 200 parse 1", "parse"},
		{"HTML of 600 open elements", "/deep", "", "failed 200 parse 1", "parse"},
		{"JSON where HTML was expected", "/json", "", "failed 200 parse 1", "parse"},
		{"an image", "/image", "", "failed 200 parse 1", "parse"},
		{"no record without its required field", "/no-title", "", "failed 200 invalid 1", "invalid"},
		{"nothing at all", "/empty", "", "failed 200 invalid 1", "invalid"},
		{"bytes that are not of the charset are replaced", "/not-utf-8", "", "done 200 <nil> 1", ""},
		{"ten redirects", "/redirect/10", "", "done 200 <nil> 1", ""},
		{"eleven redirects", "/redirect/11", "", "failed 302 client 1", "client"},
		{"a path that no escape is", "/100%", "", "failed 404 client 1", "client"},
	} {
		t.Run(f.name, func(t *testing.T) {
			b := newBench(t, practice.Options{}, oddJob(site.URL, f.script, f.extra))
			b.run(state.Finished, crawl.Options{})
			b.wantFailing(f.script, f)
			b.want("done", `SELECT state FROM tasks WHERE url LIKE '%/detail/1'`)
		})
	}
}

func TestAHostThatCanNotBeAskedFailsItsTasksOnly(t *testing.T) {
	untrusted := httptest.NewUnstartedServer(http.HandlerFunc(serveOdd))
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0)
	untrusted.StartTLS()
	defer untrusted.Close()
	for url, f := range map[string]failing{
		untrusted.URL: {name: "a certificate that is not trusted", want: "failed <nil> client 1", attempts: "client"},
		"http://" + testenv.Refusing(t): {name: "a refused connection", extra: "robots: ignore\n",
			want: "failed <nil> network 3", attempts: "network network network"},
	} {
		t.Run(f.name, func(t *testing.T) {
			b := newBench(t, practice.Options{}, oddJob(url, "/good", f.extra))
			b.run(state.Finished, crawl.Options{})
			b.wantFailing("/good", f)
			b.want("done", `SELECT state FROM tasks WHERE url LIKE '%/detail/1'`)
		})
	}
}

// A job file has no bad URL in it, but a state file may: it was edited, or written by something else.
func TestABadURLFailsAtOnce(t *testing.T) {
	for _, url := range []string{"http://[::1", "ftp://shop.example/", "no URL", "http:///x",
		"http://shop.example:port/"} {
		b := newBench(t, practice.Options{}, apiJob)
		b.run(state.Stopped, crawl.Options{Limit: 5})
		b.exec(`UPDATE tasks SET url = '` + url + `' WHERE id = 7`)
		b.run(state.Finished, crawl.Options{})
		b.want("failed <nil> client 0", `SELECT state, status, error_kind, attempts FROM tasks WHERE id = 7`)
		b.want("19", `SELECT count(*) FROM tasks WHERE state = 'done'`)
	}
}
