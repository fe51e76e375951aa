package crawl_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"dogear/crawl"
	"dogear/internal/practice"
	"dogear/state"
)

func TestWhatRobotsDisallowIsNotAskedForAndSaid(t *testing.T) {
	robots := "User-agent: dogear\nDisallow: /v1/product/7$\n"
	b := newBench(t, practice.Options{Robots: robots}, failureJob)
	b.run(state.Finished, crawl.Options{})
	b.wantFailing("/7", failing{want: "failed <nil> robots 0"})
	b.want("1 2", `SELECT count(*), (SELECT count(*) FROM products) FROM tasks
		WHERE error = 'disallowed by line 2 of `+b.site.URL+`/robots.txt: Disallow: /v1/product/7$'`)
	if b.site.Asked("/v1/product/7") != 0 || b.site.Asked("/robots.txt") != 1 {
		t.Errorf("asked for: %v", b.site.Counts())
	}
	b.edit(failureJob + "robots: ignore\n")
	b.run(state.Finished, crawl.Options{Retry: &state.Filter{Kind: "robots"}})
	b.want("3", `SELECT count(*) FROM products`)
	if b.site.Asked("/robots.txt") != 1 {
		t.Error("robots.txt was asked for although it is ignored")
	}
}

// An outage is not the tasks' fault (RFC 9309, 2.3.1.4): they wait, lose nothing, and the crawl goes on by itself.
func TestWhileRobotsCanNotBeHadTheTasksArePutOff(t *testing.T) {
	b := newBench(t, practice.Options{Faults: []practice.Fault{{Path: "/robots.txt",
		Script: "500*3,503:0,reset,500*2"}}}, failureJob)
	warned := ""
	s := b.run(state.Finished, crawl.Options{Warn: func(text string) { warned += text + "\n" }})
	b.want("3 0 1", `SELECT sum(state = 'done'), (SELECT count(*) FROM attempts), max(attempts) FROM tasks`)
	if s.Tally.PutOff == 0 || strings.Count(warned, "\n") != 1 || !strings.Contains(warned,
		b.site.URL+"/robots.txt can't be had") {
		t.Errorf("%d put off; warned: %s", s.Tally.PutOff, warned)
	}
}

func TestTryShowsWhatRobotsSay(t *testing.T) {
	b := newBench(t, practice.Options{Robots: "User-agent: *\nDisallow: /v1/"}, failureJob)
	tried, err := crawl.Try(context.Background(), crawl.Options{Job: b.job}, "", "")
	if err != nil || tried.Outcome.State != state.Failed || tried.Outcome.Kind != "robots" ||
		!strings.Contains(tried.Outcome.Error, "Disallow: /v1/") {
		t.Errorf("%+v, %v", tried, err)
	}
	if err := b.site.SetFault(practice.Fault{Path: "/robots.txt", Script: "503"}); err != nil {
		t.Fatal(err)
	}
	tried, err = crawl.Try(context.Background(), crawl.Options{Job: b.job}, "", "")
	o := tried.Outcome
	if err != nil || o.State != state.Pending || o.Kind != "server" || o.Status != 503 || !strings.Contains(o.Error,
		"robots: ignore") {
		t.Errorf("%+v, %v", o, err)
	}
}

// scopeJob follows two links of a start that is redirected itself; SITE/… redirect to another port, or name.
const scopeJob = `
start: {url: "HERE/start", as: listing}
rate: none
pages:
  listing: {follow: [{css: a.one, as: one, within: WITHIN}, {css: a.two, as: one}]}
  one: {records: {table: pages, fields: {title: h1}}}
`

// scrapy #2303: a redirect left the scope. The start may lead anywhere; a link may lead as far as the widest rule
// allows.
func TestRedirectsStayInTheScopeOfTheRulesThatLeadToThePage(t *testing.T) {
	var away atomic.Int64
	there := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		away.Add(1)
		_,
			_ = w.Write([]byte("<h1>there</h1>"))
	}))
	defer there.Close()
	var here *httptest.Server
	here = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/start":
			http.Redirect(w, r, strings.Replace(here.URL, "127.0.0.1", "localhost", 1)+"/list", http.StatusFound)
		case "/list":
			fmt.Fprint(w, `<a class=one href=/stays></a><a class=one href=/port></a><a class=two href=/name></a>`)
		case "/stays":
			http.Redirect(w, r, "/page", http.StatusFound)
		case "/port":
			http.Redirect(w, r, strings.Replace(there.URL, "127.0.0.1", "localhost", 1), http.StatusFound)
		case "/name":
			http.Redirect(w, r, there.URL, http.StatusFound)
		case "/page":
			fmt.Fprint(w, "<h1>here</h1>")
		default:
			http.NotFound(w, r)
		}
	}))
	defer here.Close()
	for within, c := range map[string]struct {
		done, refused string
		away          int64
	}{
		"host":   {"/start /stays", "/name /port", 0},
		"domain": {"/port /start /stays", "/name", 1 + 1}, // and its robots.txt
		"any":    {"/name /port /start /stays", "", 2 + 2},
	} {
		away.Store(0)
		b := newBench(t, practice.Options{}, replace(replace(scopeJob, "HERE", here.URL), "WITHIN", within))
		b.run(state.Finished, crawl.Options{})
		const paths = `SELECT coalesce(group_concat(path, ' '), '') FROM (SELECT replace(substr(url, instr(url, '//') + 2),
			substr(substr(url, instr(url, '//') + 2), 1, instr(substr(url, instr(url, '//') + 2), '/') - 1),
				'') AS path FROM tasks WHERE `
		b.want(c.done, paths+`state = 'done' ORDER BY path)`)
		b.want(c.refused,
			paths+`error_kind = 'client' AND attempts = 1 AND status = 302 AND error LIKE 'redirect to http://%' ||
			'`+strings.TrimPrefix(there.URL, "http://127.0.0.1")+`%outside of%within: `+within+`%' ORDER BY path)`)
		if away.Load() != c.away {
			t.Errorf("within %s: the other site was asked %d times, want %d", within, away.Load(), c.away)
		}
	}
}
