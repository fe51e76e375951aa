package crawl_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dogear/crawl"
	"dogear/internal/practice"
	"dogear/state"
)

const keyedJob = `
start: "SITE/v1/product/{1..3}?api_key=${API_KEY}"
rate: none
retry: {attempts: 2, delay: 1ms}
records: {table: products, key: url, fields: {url: {meta: url}, final: {meta: final_url}, name: {json: $.name}}}
`

// wantHidden looks for a text in all bytes of the state file and of the files beside it.
func (b *bench) wantHidden(secret string) {
	b.Helper()
	for _, path := range []string{b.path, b.path + "-wal", b.path + "-shm", b.path + "-journal"} {
		content, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			b.Fatal(err)
		}
		if bytes.Contains(content, []byte(secret)) {
			b.Errorf("%q is in %s", secret, path)
		}
	}
}

func TestAKeyInTheURLOfAStartIsSentAndNotStored(t *testing.T) {
	t.Setenv("API_KEY", "hunter2hunter2")
	b := newBench(t, practice.Options{Faults: []practice.Fault{
		{Path: "/v1/product/2*", Script: "500"}, {Path: "/v1/product/3*", Script: "reset*"},
	}}, keyedJob)
	watched := false
	b.run(state.Finished, crawl.Options{Watch: func(*crawl.Progress) { watched = true; b.wantHidden("hunter2") }})
	b.wantHidden("hunter2")
	if n := b.site.Asked("/v1/product/1?api_key=hunter2hunter2"); n != 1 || !watched {
		t.Errorf("the site got the key %d times: %v", n, b.site.Counts())
	}
	b.want(b.site.URL+"/v1/product/1?api_key=${API_KEY} <nil>", `SELECT url, final_url FROM tasks WHERE id = 1`)
	b.want("1 1", `SELECT instr(key, '${API_KEY}') > 0, (SELECT url = final FROM products WHERE _task = 1) FROM tasks WHERE id = 1`)
	b.want("done failed", `SELECT (SELECT state FROM tasks WHERE id = 2), state FROM tasks WHERE id = 3`)
}

func TestAnotherKeyMakesNoOtherTasks(t *testing.T) {
	t.Setenv("API_KEY", "hunter2hunter2")
	b := newBench(t, practice.Options{}, keyedJob)
	b.run(state.Finished, crawl.Options{})
	t.Setenv("API_KEY", "swordfish")
	b.edit(keyedJob)
	b.run(state.Finished, crawl.Options{})
	b.want("3 3 1", `SELECT count(*), (SELECT count(*) FROM products), (SELECT count(*) FROM starts) FROM tasks`)
	if n := b.site.Total() - b.site.Asked("/robots.txt"); n != 3 {
		t.Errorf("%d requests: %v", n, b.site.Counts())
	}
	b.edit(replace(keyedJob, "1..3", "1..4"))
	b.run(state.Finished, crawl.Options{})
	if n := b.site.Asked("/v1/product/4?api_key=swordfish"); n != 1 || b.site.Total()-b.site.Asked("/robots.txt") != 4 {
		t.Errorf("the new one was asked for %d times: %v", n, b.site.Counts())
	}
	b.wantHidden("swordfish")
}

// The site puts the key into a redirect, and links to itself with it.
func TestAKeyThatComesBackIsNotStored(t *testing.T) {
	t.Setenv("API_KEY", "hunter2 hunter2")
	b := newBench(t, practice.Options{Faults: []practice.Fault{
		{Path: "/list?api_key=*", Script: "redirect:/list?page=3&again=hunter2%20hunter2"},
	}}, `
start: "SITE/list?api_key=${API_KEY}"
rate: none
limits: {depth: 1}
records: {table: pages, key: url, fields: {url: {meta: url}, final: {meta: final_url, type: url}, here: {css: a.next@href, type: url}}}
follow: {css: a@href}
`)
	b.run(state.Finished, crawl.Options{})
	b.want(b.site.URL+"/list?page=3&again=${API_KEY} 1", `SELECT t.final_url, t.final_url = p.final FROM tasks t JOIN pages p ON p._task = t.id WHERE t.id = 1`)
	b.wantHidden("hunter2")
}

// A page must not get a key by linking to a place of its own with the key's name; a link that has the key itself works on.
func TestALinkGetsNoKeyThatItsPageDidNotHave(t *testing.T) {
	t.Setenv("API_KEY", "hunter2hunter2")
	var mu sync.Mutex
	asked := map[string]string{} // path and query -> user and password
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		user, password, _ := r.BasicAuth()
		asked[r.RequestURI] = user + ":" + password
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<h1>key %s</h1><a href="/stolen?x=${API_KEY}">1</a> <a href="/next?api_key=%[1]s">2</a> <a href="/plain">3</a>`, r.URL.Query().Get("api_key"))
	}))
	defer site.Close()
	b := newBench(t, practice.Options{}, fmt.Sprintf(`
start: "http://me:${API_KEY}@%s/?api_key=${API_KEY}"
rate: none
limits: {depth: 1}
records: {table: pages, fields: {title: h1}}
follow: {css: a@href}
`, strings.TrimPrefix(site.URL, "http://")))
	b.run(state.Finished, crawl.Options{})
	const me = "me:hunter2hunter2"
	want := map[string]string{"/robots.txt": ":", "/?api_key=hunter2hunter2": me, "/next?api_key=hunter2hunter2": me, "/plain": me, "/stolen?x=$%7BAPI_KEY}": me}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("(-want +asked)\n%s", diff)
	}
	b.want("4 4", `SELECT count(*), sum(state = 'done') FROM tasks`)
	b.want("key ${API_KEY}", `SELECT title FROM pages WHERE _task = 1`)
	b.wantHidden("hunter2")
}

func TestTryFillsTheKeyInAndDoesNotShowIt(t *testing.T) {
	t.Setenv("API_KEY", "hunter2hunter2")
	b := newBench(t, practice.Options{}, keyedJob)
	tried, err := crawl.Try(context.Background(), crawl.Options{Job: b.job, Version: "test"}, "", "")
	if err != nil || tried.Page == nil || tried.Outcome.State != state.Done {
		t.Fatalf("%+v, %v", tried, err)
	}
	if b.site.Asked("/v1/product/1?api_key=hunter2hunter2") != 1 || strings.Contains(tried.Page.URL+tried.Outcome.Task.URL, "hunter2") {
		t.Errorf("%s %v", tried.Page.URL, b.site.Counts())
	}
}

// A page may repeat what a header was sent with, as it is or in a link; the link works on, and a language stays a language.
func TestASecretOfAHeaderThatComesBackIsNotStored(t *testing.T) {
	const token = "tok+sec/ret==99"
	t.Setenv("TOKEN", token)
	t.Setenv("LANGUAGE", "zh-CN")
	var mu sync.Mutex
	var asked []string
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if r.URL.Path != "/robots.txt" {
			asked = append(asked, r.URL.Path+" "+r.URL.Query().Get("t"))
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<h1>%s</h1><b>%s</b><p class=item><a href="/next?t=%s">%[1]s</a></p>`,
			r.Header.Get("Authorization"), r.Header.Get("Accept-Language"), url.QueryEscape(token))
	}))
	defer site.Close()
	b := newBench(t, practice.Options{}, fmt.Sprintf(`
start: {url: "%s/", as: first}
request: {headers: {Authorization: "Bearer ${TOKEN}", Accept-Language: "${LANGUAGE}"}}
rate: none
pages:
  first:
    keep: body
    records:
      - {table: pages, fields: {title: h1, language: b, link: {css: a@href, type: url}}}
      - {table: rejected, fields: {number: {css: h1, type: int, required: true}}}
    follow: {each: .item, css: a@href, as: next, carry: {who: a}}
  next: {expect: {contains: .absent}}
retry: {attempts: 1}
limits: {failures: 100%%}
`, site.URL))
	b.run(state.Finished, crawl.Options{})
	if diff := cmp.Diff([]string{"/ ", "/next " + token}, asked); diff != "" {
		t.Errorf("(-want +asked)\n%s", diff)
	}
	b.want("Bearer ${TOKEN} zh-CN "+site.URL+"/next?t=${TOKEN}", `SELECT title, language, link FROM pages`)
	b.want("1", `SELECT count(*) FROM rejects`)
	b.wantHidden(token)
	b.wantHidden(url.QueryEscape(token))
}
