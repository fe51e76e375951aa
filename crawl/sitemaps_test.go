package crawl_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"dogear/crawl"
	"dogear/crawl/job"
	"dogear/internal/practice"
	"dogear/state"
)

const sitemapJob = `
start: {sitemap: SITE/sitemap.xml, as: detail}
rate: none
pages:
  listing: {follow: {css: a.name@href, as: detail}}
  detail: {records: {table: details, key: url, fields: {url: {meta: url, type: url}, title: h1, at: {meta: carry.lastmod}}}}
`

// numbersOf are the ids of the details that are tasks.
const numbersOf = `SELECT count(*), sum(state = 'done'), sum(depth) FROM tasks WHERE page = 'detail'`

func TestASitemapsEntriesAreTasksAndSoAreItsSitemaps(t *testing.T) {
	b := newBench(t, practice.Options{Pages: 4}, sitemapJob)
	o := crawl.Options{}
	var mu sync.Mutex
	warned := []string{}
	o.Warn = func(text string) { mu.Lock(); warned = append(warned, text); mu.Unlock() }
	if s := b.run(state.Finished, o); s.Counts.Done != 40+1+practice.Sitemaps || s.Counts.Failed != 0 {
		t.Errorf("%+v", s.Counts)
	}
	b.want("40 40 80", numbersOf)
	b.want("4 sitemap > detail 3", `SELECT count(*), page, sum(depth) FROM tasks WHERE page <> 'detail'`)
	dated := 0
	for id := int64(1); id <= 40; id++ {
		if at := practice.LastModified(id); at != "" {
			dated++
			b.want(at, fmt.Sprintf(`SELECT "at" FROM details WHERE url LIKE '%%/detail/%d'`, id))
		}
	}
	b.want(fmt.Sprintf("40 %d", dated), `SELECT count(*), count("at") FROM details`)
	if want := b.site.URL + practice.SitemapPath(3) + ": entries are passed over: 1 of other domains, 1 without a URL"; !slices.Equal(warned, []string{want}) {
		t.Errorf("warned of %q", warned)
	}
	if s := b.run(state.Finished, o); s.Tally.Done != 0 {
		t.Errorf("%+v", s.Tally)
	}
}

func TestOfASitemapOnlyWhatMatchesAndIsNewEnoughIsAskedFor(t *testing.T) {
	since := time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC)
	fresh := 0
	for id := int64(1); id <= 40; id++ {
		at, err := time.Parse("2006-01-02", practice.LastModified(id)[:min(10, len(practice.LastModified(id)))])
		if err != nil || !at.Before(since) {
			fresh++
		}
	}
	for _, c := range []struct {
		name, with string
		tasks      int
	}{
		{"match", `match: '/detail/\d$'`, 9},
		{"since", "since: 2025-06-01", fresh},
		{"a time that nothing is since", `since: "2999-01-01 00:00", match: '[^49]$'`, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, practice.Options{Pages: 4}, replace(sitemapJob, "as: detail}\nrate", "as: detail, "+c.with+"}\nrate"))
			b.run(state.Finished, crawl.Options{})
			b.want(fmt.Sprint(c.tasks), `SELECT count(*) FROM tasks WHERE page = 'detail'`)
		})
	}
}

// The same sitemap in two starts: an entry goes to the first one that it fits.
func TestASitemapLeadsToSeveralKindsOfPage(t *testing.T) {
	b := newBench(t, practice.Options{Pages: 4}, `
start:
  - {sitemap: SITE/sitemap.xml, as: one, match: '1$'}
  - {sitemap: SITE/sitemap.xml, as: other}
rate: none
pages:
  one: {records: {table: a, fields: {url: {meta: url, type: url}}}}
  other: {records: {table: b, fields: {url: {meta: url, type: url}}}}
`)
	b.run(state.Finished, crawl.Options{})
	b.want("4 36 4 1", `SELECT (SELECT count(*) FROM a), (SELECT count(*) FROM b), sum(page = 'sitemap > one, other'), (SELECT count(*) FROM starts) FROM tasks`)
}

// changing is a site whose sitemap changes.
type changing struct {
	*httptest.Server
	mu    sync.Mutex
	pages int
	asked map[string]int
	wrong string // what stands in the place of the sitemap
}

func newChanging(t *testing.T, pages int) *changing {
	c := &changing{pages: pages, asked: map[string]int{}}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.asked[r.URL.Path]++
		switch {
		case r.URL.Path != "/sitemap.xml":
			fmt.Fprint(w, "<h1>page</h1>")
		case c.wrong != "":
			fmt.Fprint(w, replace(c.wrong, "SITE", c.URL))
		default:
			fmt.Fprint(w, "<urlset>")
			for n := range c.pages {
				fmt.Fprintf(w, "<url><loc>%s/p/%d</loc></url>", c.URL, n)
			}
			fmt.Fprint(w, "</urlset>")
		}
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *changing) set(pages int, wrong string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pages, c.wrong = pages, wrong
}

const changingJob = `
start: {sitemap: OTHER/sitemap.xml}
rate: none
robots: ignore
retry: {attempts: 1}
records: {table: t, key: url, fields: {url: {meta: url, type: url}}}
`

func TestARefreshAsksASitemapAgainAndFindsWhatIsNew(t *testing.T) {
	c := newChanging(t, 3)
	b := newBench(t, practice.Options{}, replace(changingJob, "OTHER", c.URL))
	b.run(state.Finished, crawl.Options{})
	b.want("3", `SELECT count(*) FROM t`)
	c.set(5, "")
	s := b.run(state.Finished, crawl.Options{Refresh: &crawl.Refresh{}})
	b.want("5", `SELECT count(*) FROM t`)
	if s.Refreshed != 4 || s.Tally.Done != 6 || c.asked["/p/0"] != 2 || c.asked["/p/4"] != 1 || c.asked["/sitemap.xml"] != 2 {
		t.Errorf("%d refreshed, %+v, asked %v", s.Refreshed, s.Tally, c.asked)
	}
}

func TestASitemapThatIsNoneFailsAndWhatItHadIsKept(t *testing.T) {
	for _, k := range []struct {
		name, body, why string
		pages           int
	}{
		{"a page that says that there is none", "<!DOCTYPE html><html><body>Not found", "it is no sitemap: neither", 0},
		{"nothing", " ", "it is no sitemap: it is empty", 0},
		{"one that breaks off", "<urlset><url><loc>SITE/a</loc></url><url><loc>SITE/b", "the sitemap breaks off after 1 entries", 1},
		{"one that has itself", "<sitemapindex><sitemap><loc>SITE/sitemap.xml</loc></sitemap></sitemapindex>", "", 0},
		{"a text", "\ufeffSITE/a\r\nSITE/b\r\n\r\nhttps://elsewhere.invalid/\n", "", 2},
	} {
		t.Run(k.name, func(t *testing.T) {
			c := newChanging(t, 0)
			c.set(0, k.body)
			b := newBench(t, practice.Options{}, replace(changingJob, "OTHER", c.URL))
			b.run(state.Finished, crawl.Options{})
			state := "done"
			if k.why != "" {
				state = "failed parse"
			}
			got := b.row(`SELECT state || coalesce(' ' || error_kind, ''), coalesce(error, '') FROM tasks WHERE url LIKE '%sitemap.xml'`)
			if !strings.HasPrefix(got, state) || !strings.Contains(got, k.why) {
				t.Errorf("got %q", got)
			}
			b.want(fmt.Sprint(k.pages), `SELECT count(*) FROM t`)
		})
	}
}

// A sitemap may have 50,000 entries and 50 MB, where other pages may have 10 MB.
func TestASitemapOfFiftyThousandIsReadUnlessTheJobSaysHowLargeABodyMayBe(t *testing.T) {
	c := newChanging(t, 50_000)
	c.set(50_000, "<urlset>"+strings.Repeat(" ", 12_000_000)+"<url><loc>SITE/p/1</loc></url></urlset>")
	b := newBench(t, practice.Options{}, replace(changingJob, "OTHER", c.URL))
	b.run(state.Finished, crawl.Options{})
	b.want("2 2", `SELECT count(*), sum(state = 'done') FROM tasks`)
	b = newBench(t, practice.Options{}, replace(changingJob, "OTHER", c.URL)+"limits: {body: 1MB}\n")
	b.run(state.Finished, crawl.Options{})
	b.want("1 too_large", `SELECT count(*), max(error_kind) FROM tasks`)

	c.set(50_000, "")
	b = newBench(t, practice.Options{}, replace(changingJob, "OTHER", c.URL))
	b.run(state.Stopped, crawl.Options{Limit: 1})
	b.want("50001 1", `SELECT count(*), sum(state = 'done') FROM tasks`)
}

func TestTryShowsWhatASitemapLeadsTo(t *testing.T) {
	b := newBench(t, practice.Options{Pages: 4}, sitemapJob)
	got, err := crawl.Try(t.Context(), crawl.Options{Job: b.job}, "", "")
	if err != nil {
		t.Fatal(err)
	}
	if got.Kind.Name != "sitemap > detail" || len(got.Outcome.Links) != practice.Sitemaps || got.Outcome.State != state.Done {
		t.Errorf("%s: %+v", got.Kind.Name, got.Outcome)
	}
	if _, named := b.job.Page(got.Kind.Name); named {
		t.Error("the job names it")
	}
	var _ *job.Page = got.Kind
}
