package crawl_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dogear/crawl"
	"dogear/crawl/extract"
	"dogear/crawl/fetch"
	"dogear/internal/practice"
	"dogear/state"
)

// expectJob expects of a page what a captcha is not.
const expectJob = `
start: "SITE/page/{1..3}"
rate: none
records: {table: items, each: .item, key: title, fields: {title: h2, was: .was}}
follow: {css: a.next}
expect: {status: [200], contains: .item, absent: "form#captcha", records: 1}
`

func verdicts(t *crawl.Tried) string {
	var text []string
	for _, j := range t.Seen.Judgements {
		text = append(text, [...]string{"-", "met", "not"}[j.Verdict])
	}
	return strings.Join(text, " ")
}

func TestTryTellsWhichExpectationsFail(t *testing.T) {
	for script, want := range map[string]string{
		"ok": "done  met met met met 10", "captcha": "pending blocked met not not not 0", "404": "failed client not - - - 0",
		"reset*2": "pending network - - - - 0", "429:0": "pending throttled not - - - 0",
	} {
		b := newBench(t, practice.Options{Faults: []practice.Fault{{Path: "/page/1", Script: script}}}, expectJob)
		tried, err := crawl.Try(context.Background(), crawl.Options{Job: b.job, Version: "test"}, "", "")
		if err != nil {
			t.Fatal(err)
		}
		o := tried.Outcome
		if got := fmt.Sprint(o.State, " ", o.Kind, " ", verdicts(tried), " ", len(tried.Seen.Rows)); got != want {
			t.Errorf("%s: %s, want %s; %s", script, got, want, o.Error)
		}
	}
}

// The page of a run is looked at again from what was kept of it: same outcome, same records, nothing is fetched.
func TestAPageAtHandIsTakenApartAsOneThatIsFetched(t *testing.T) {
	b := newBench(t, practice.Options{}, expectJob)
	options := crawl.Options{Job: b.job, Version: "test"}
	fetched, err := crawl.Try(context.Background(), options, b.site.URL+"/page/2", "")
	if err != nil {
		t.Fatal(err)
	}
	before := b.site.Stats().Total
	page := fetched.Page
	kept := fetch.Stored(page.URL, page.Status, page.ContentType, page.Body, page.At)
	again, err := crawl.TryPage(options, state.Task{URL: b.site.URL + "/page/2"}, kept)
	if err != nil {
		t.Fatal(err)
	}
	if n := b.site.Stats().Total; n != before {
		t.Errorf("%d requests more", n-before)
	}
	for _, pair := range [][2]any{{fetched.Outcome.Task, again.Outcome.Task}, {texts(fetched), texts(again)},
		{fetched.Outcome.Links, again.Outcome.Links}, {fetched.Seen.Judgements, again.Seen.Judgements}} {
		if diff := cmp.Diff(pair[0], pair[1]); diff != "" {
			t.Error("(-fetched +at hand):\n" + diff)
		}
	}
	bad := fetch.Stored(page.URL, 404, "", nil, time.Now())
	if again, err = crawl.TryPage(options, state.Task{URL: page.URL}, bad); err != nil || again.Outcome.Kind != "client" {
		t.Errorf("a 404 that is not accepted: %+v, %v", again.Outcome, err)
	}
}

func texts(t *crawl.Tried) (all [][]any) {
	for _, r := range t.Outcome.Rows {
		all = append(all, r.Values)
	}
	return all
}

// A URL of a start is asked for as the run does it: that kind of page, that method, that body.
func TestAURLOfAStartIsTriedAsTheStartHasIt(t *testing.T) {
	f := newForms(t)
	b := newBench(t, practice.Options{}, replace(`
start: {url: "FORMS/search", page: 1..3, request: {json: {page: "{page}"}}, as: results}
robots: ignore
pages:
  results: {records: {table: results, fields: {got: $.got}}, follow: {json: $.next, as: other}}
  other: {records: {table: others, fields: {got: $.got}}}
`, "FORMS", f.URL))
	options := crawl.Options{Job: b.job, Version: "test"}
	tried, err := crawl.Try(context.Background(), options, "", "")
	if err != nil || tried.Outcome.Task.Page != "results" || tried.BodyType != "application/json" {
		t.Fatalf("%+v, %v", tried, err)
	}
	if _, err := crawl.Try(context.Background(), options, f.URL+"/plain", ""); err == nil {
		t.Error("the kind of page of a URL that no start has was guessed")
	}
}

// What a page repeats of the secrets that it was asked with is not shown, in whatever part of the inspection it is.
func TestNothingThatTryShowsHasASecretInIt(t *testing.T) {
	t.Setenv("API_KEY", "hunter2hunter2")
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := r.URL.Query().Get("key")
		fmt.Fprintf(w, `<h1>%s</h1><b>%[1]s</b><a href="/next?key=%[1]s">2</a>`, key)
	}))
	defer site.Close()
	b := newBench(t, practice.Options{}, replace(`
start: "SHOP/?key=${API_KEY}"
robots: ignore
expect: {contains: h1, absent: b}
records:
  - {table: good, fields: {title: h1, number: {css: h1, type: int}}}
  - {table: bad, fields: {number: {css: h1, type: int, required: true}}}
follow: {css: a}
`, "SHOP", site.URL))
	for _, url := range []string{"", site.URL + "/?key=hunter2hunter2"} {
		tried, err := crawl.Try(context.Background(), crawl.Options{Job: b.job, Version: "test"}, url, "")
		if err != nil || tried.Page == nil {
			t.Fatal(tried, err)
		}
		seen := tried.Seen
		shown := fmt.Sprint(tried.Outcome, tried.Page.URL, seen.Judgements, seen.Rows, seen.Rejects, seen.Links)
		for _, table := range seen.Tables {
			shown += fmt.Sprint(table.Rows, table.Rejects, table.Fields)
		}
		if strings.Contains(shown, "hunter2") || strings.Count(shown, "${API_KEY}") < 8 {
			t.Errorf("%q: %s", url, shown)
		}
		if seen.Judgements[0].Verdict != extract.Met || len(seen.Links) != 1 {
			t.Errorf("%+v", seen)
		}
	}
}
