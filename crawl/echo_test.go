package crawl_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

// echoing is a site that shows what it was asked with, links to itself with it, and asks for a key by a link.
func echoing(t *testing.T) string {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		key, token := r.URL.Query().Get("api_key"), r.Header.Get("X-Token")
		fmt.Fprintf(w, `<h1>%s</h1><p>%s, %s</p> <a href="?api_key=%s&page=2">2</a> <a href="/stolen?x=${API_KEY}">3</a>`,
			key, token, r.URL.RawQuery, r.URL.Query().Get("api_key"))
	}))
	t.Cleanup(site.Close)
	return site.URL
}
