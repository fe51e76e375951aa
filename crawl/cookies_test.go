package crawl_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"dogear/crawl"
	"dogear/internal/practice"
	"dogear/state"
)

// scrapy #5930: cookies were lost between runs. This site lets nobody in without the session that its login page
// begins.
func TestACrawlIsStillLoggedInAfterAResume(t *testing.T) {
	var logins, strangers atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/page/1" {
			logins.Add(1)
			http.SetCookie(w, &http.Cookie{Name: "sid", Value: "swordfish", Path: "/", HttpOnly: true})
		} else if c, err := r.Cookie("sid"); err != nil || c.Value != "swordfish" {
			strangers.Add(1)
			w.WriteHeader(403)
			return
		}
		fmt.Fprint(w, "<h1>in</h1>")
	}))
	defer site.Close()
	job := replace(`
start: HOST/page/{1..6}
rate: none
robots: ignore
concurrency: 1
records: {table: pages, fields: {title: h1}}
`, "HOST", site.URL)
	b := newBench(t, practice.Options{}, job)
	b.run(state.Stopped, crawl.Options{Limit: 2})
	b.want(`127.0.0.1 ["sid=swordfish; Path=/; HttpOnly"]`, `SELECT host, cookies FROM hosts`)
	b.run(state.Stopped, crawl.Options{Limit: 2})
	if logins.Load() != 1 || strangers.Load() != 0 {
		t.Errorf("%d logins, %d requests without a session", logins.Load(), strangers.Load())
	}
	b.want("4", `SELECT count(*) FROM tasks WHERE state = 'done'`)
	b.edit(job + "cookies: off\n")
	b.run(state.Finished, crawl.Options{})
	if strangers.Load() != 2 {
		t.Errorf("%d requests without a session, want 2", strangers.Load())
	}
}
