package crawl_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dogear/crawl"
	"dogear/internal/practice"
	"dogear/state"
)

// lines are the rows of a query, as texts.
func (b *bench) lines(query string) []string {
	b.Helper()
	db := b.open()
	defer db.Close()
	rows, err := db.Query(query)
	if err != nil {
		b.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	var lines []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			b.Fatal(err)
		}
		lines = append(lines, line)
	}
	if err := rows.Err(); err != nil {
		b.Fatal(err)
	}
	return lines
}

func wantLines(t *testing.T, want, got []string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

const eventFields = `
records: {table: events, key: id, each: "$.items[*]", fields: {id: {json: $.id, type: int}, amount: {json: $.amount, type: "decimal(12,2)"}, title: $.title}}
rate: none
`

func TestAWalkByCursorsBringsEverythingHomeOnce(t *testing.T) {
	var want []string
	for n := int64(1); n <= 110; n++ {
		e := practice.EventAt(n)
		want = append(want, fmt.Sprintf("%d %s %s", e.ID, e.Amount, e.Title))
	}
	for name, text := range map[string]string{
		"a cursor with + / = in it": "start: SITE/v1/events\nnext: {json: $.next, url: \"SITE/v1/events?after={value}\"}\n",
		"relative to the page":      "start: SITE/v1/events\nnext: {json: $.next, url: \"?after={value}\"}\n",
		"a link":                    "start: SITE/v1/feed\nnext: {json: $.next}\n",
		"a link, short":             "start: SITE/v1/feed\nnext: $.next\n",
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, practice.Options{Events: 110}, text+eventFields)
			b.run(state.Finished, crawl.Options{})
			wantLines(t, want, b.lines(`SELECT id || ' ' || amount || ' ' || title FROM events ORDER BY _seq`))
			b.want("6 6 5 5", `SELECT count(*), sum(state = 'done'), max(depth), count(parent) FROM tasks`)
			for path, n := range b.site.Counts() {
				if n != 1 {
					t.Errorf("%s was asked for %d times", path, n)
				}
			}
		})
	}
}

func TestAWalkThatIsInterruptedGoesOnWhereItWas(t *testing.T) {
	b := newBench(t, practice.Options{Events: 200}, "start: SITE/v1/feed\nnext: $.next\n"+eventFields)
	for b.run(state.Stopped, crawl.Options{Limit: 3}).Counts.Left() > 1 {
	}
	b.run(state.Finished, crawl.Options{})
	b.want("10 200", `SELECT count(*), (SELECT count(*) FROM events) FROM tasks`)
}

// The trap of next links without an end: it ends where the limits say, and that is said.
func TestAnEndlessWalkEndsAtTheLimits(t *testing.T) {
	const text = "start: SITE/v1/endless\nnext: {json: $.next, url: \"SITE/v1/endless?after={value}\"}\nlimits: {LIMIT}\n" + eventFields
	b := newBench(t, practice.Options{}, replace(text, "LIMIT", "depth: 4"))
	s := b.run(state.Finished, crawl.Options{})
	b.want("5 4 100", `SELECT count(*), max(depth), (SELECT count(*) FROM events) FROM tasks`)
	if want := (crawl.Deep{URL: b.site.URL + "/v1/endless?after=4", Links: 1}); s.Deep != want || s.Dropped != 0 {
		t.Errorf("it says %+v and %d dropped, want %+v", s.Deep, s.Dropped, want)
	}
	if s := b.run(state.Finished, crawl.Options{}); s.Deep != (crawl.Deep{}) {
		t.Errorf("a run that asked for nothing says %+v", s.Deep)
	}
	b = newBench(t, practice.Options{}, replace(text, "LIMIT", "tasks: 7"))
	if s := b.run(state.Finished, crawl.Options{}); s.Dropped != 1 || s.Deep.Links != 0 {
		t.Errorf("%d dropped, %+v", s.Dropped, s.Deep)
	}
	b.want("7", `SELECT count(*) FROM tasks`)
}

func TestLinksBelowTheDepthLimitAreCountedOverAllPages(t *testing.T) {
	b := newBench(t, practice.Options{Pages: 5}, walk("limits: {depth: 1}"))
	s := b.run(state.Finished, crawl.Options{})
	if !strings.HasPrefix(s.Deep.URL, b.site.URL) || s.Deep.Links < 11 {
		t.Errorf("%+v", s.Deep)
	}
}

func TestAListingIsWalkedByItsNextLink(t *testing.T) {
	for _, next := range []string{"a.next@href", "a.next", "{css: a.next@href}", "{css: a.next@href, within: host}"} {
		b := newBench(t, practice.Options{Pages: 4}, "start: SITE/shop/list\nrate: none\nrecords: {table: items, each: .item, fields: {name: .name}}\nnext: "+next)
		b.run(state.Finished, crawl.Options{})
		b.want("4 40 3", `SELECT count(*), (SELECT count(*) FROM items), max(depth) FROM tasks`)
	}
}

// A next that leads nowhere is that task's failure: it must not look like the end.
func TestANextThatIsNoTextFailsItsTask(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, map[string]string{"": `{"next": 2}`, "p=2": `{"next": {"page": 3}}`}[r.URL.RawQuery])
	}))
	defer site.Close()
	b := newBench(t, practice.Options{}, "start: "+site.URL+"/list\nrate: none\nrecords: {table: pages, fields: {next: $.next}}\nnext: {json: $.next, url: \"?p={value}\"}")
	b.run(state.Finished, crawl.Options{})
	b.want("parse next: $.next is an object, and neither a text nor a number", `SELECT error_kind, error FROM tasks WHERE state = 'failed'`)
}

// The template names another host and has a key in it, which is no page's business.
func TestTheURLOfNextIsTheJobsOwnWord(t *testing.T) {
	t.Setenv("API_KEY", "hunter2hunter2")
	asked := make(chan string, 9)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/robots.txt" {
			asked <- r.RequestURI
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"next": null}`)
	}))
	defer other.Close()
	b := newBench(t, practice.Options{}, `
start: SITE/v1/endless
rate: none
records: {table: pages, fields: {url: {meta: url}}}
next: {json: $.next, url: "`+other.URL+`/v1?key=${API_KEY}&after={value}"}
`)
	b.run(state.Finished, crawl.Options{})
	if got := <-asked; got != "/v1?key=hunter2hunter2&after=1" || len(asked) > 0 {
		t.Errorf("asked for %q and %d more", got, len(asked))
	}
	wantLines(t, []string{b.site.URL + "/v1/endless", other.URL + "/v1?key=${API_KEY}&after=1"}, b.lines(`SELECT url FROM pages ORDER BY _task`))
	b.wantHidden("hunter2")
	tried, err := crawl.Try(context.Background(), crawl.Options{Job: b.job, Version: "test"}, "", "")
	if err != nil || len(tried.Outcome.Links) != 1 || strings.Contains(tried.Outcome.Links[0].URL, "hunter2") {
		t.Errorf("%+v, %v", tried, err)
	}
}
