package crawl_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"dogear/crawl"
	"dogear/internal/practice"
	"dogear/schema"
	"dogear/state"
)

// stall is a site of two listings, "name price" of each item, and a page for each item that does not know its price.
type stall struct {
	*httptest.Server
	mu       sync.Mutex
	listings [2]string
	asked    map[string]int
}

func newStall(t *testing.T, first, second string) *stall {
	s := &stall{listings: [2]string{first, second}, asked: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asked[r.URL.Path]++
		w.Header().Set("Content-Type", "text/html")
		var n int
		if _, err := fmt.Sscanf(r.URL.Path, "/list/%d", &n); err != nil {
			fmt.Fprintf(w, "<h1>%s</h1>", r.URL.Path)
			return
		}
		for item := range strings.SplitSeq(s.listings[n-1], ",") {
			name, price, _ := strings.Cut(strings.TrimSpace(item), " ")
			fmt.Fprintf(w, "<p class=item><a href=/item/%s>%[1]s</a><b>%s</b></p>", name, price)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *stall) list(first, second string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listings = [2]string{first, second}
}

const stallJob = `
start: {url: "SITE/list/{n}", n: 1..2, as: list}
rate: none
concurrency: 16
robots: ignore
pages:
  list: {keep: body, follow: {each: .item, css: a@href, as: item, carry: {price: b}}}
  item: {keep: body, records: {table: items, key: name, fields: {name: h1, price: {meta: carry.price}}}}
`

func (s *stall) job() string { return replace(stallJob, "SITE", s.URL) }

const stallItems = `SELECT group_concat(name || coalesce(' ' || price, ''), ', ') FROM (SELECT * FROM items ORDER BY name)`

// Items are dearer, have moved to the other listing, have no price any more, or are new. All tasks are claimed before
// the first listing has come, so what they carry then is of the last time.
func TestRefreshGivesRecordsWhatTheirListingSaysNow(t *testing.T) {
	s := newStall(t, "a 1, b 2, c 3", "d 4")
	b := newBench(t, practice.Options{}, s.job())
	b.run(state.Finished, crawl.Options{})
	b.want("/item/a 1, /item/b 2, /item/c 3, /item/d 4", stallItems)
	s.list("a 10, b", "c 30, d 4, e 50")
	b.run(state.Finished, crawl.Options{Refresh: &crawl.Refresh{}})
	b.want("/item/a 10, /item/b, /item/c 30, /item/d 4, /item/e 50", stallItems)
	b.want("7 0 0", `SELECT done, pending, in_flight FROM counters`)
	if s.asked["/item/d"] != 2 || s.asked["/item/a"] > 3 {
		t.Errorf("asked for %v", s.asked)
	}
}

// The rules of later carry by another name; the children of a page may be taken apart before it is written.
func TestReadingAgainGivesRecordsWhatTheirListingCarriesByTheNewRules(t *testing.T) {
	s := newStall(t, "a 1, b 2", "d 4, a 7")
	one := replace(s.job(), "concurrency: 16", "concurrency: 1")
	b := newBench(t, practice.Options{}, one)
	b.run(state.Finished, crawl.Options{})
	b.edit(strings.NewReplacer("carry: {price: b}", "carry: {cost: {css: b, match: (.)}}", "carry.price", "carry.cost").Replace(one))
	for _, dry := range []bool{true, false} {
		r := b.reread(dry)
		if c := r.Changes.Tables[0]; c.Unchanged != 3 || c.Changed+c.Added+c.Removed != 0 || r.Pages != 5 || r.Changes.Without != 0 {
			t.Errorf("dry %t: %+v of %d pages, %+v", dry, c, r.Pages, r.Changes)
		}
	}
	b.want("/item/a 1, /item/b 2, /item/d 4", stallItems)
	b.want(`{"carry.cost":"1"}`, `SELECT carry FROM tasks WHERE url LIKE '%/a'`)
	b.edit(replace(one, "carry: {price: b}", "carry: {price: {css: b, match: (9)}}"))
	r := b.reread(false)
	if c := r.Changes.Tables[0]; c.Changed != 3 || c.Unchanged != 0 {
		t.Errorf("%+v", c)
	}
	b.want("/item/a, /item/b, /item/d", stallItems)
}

// A line of a CSV file was corrected; the file is read again, and the next refresh brings it into the record.
func TestAColumnThatWasCorrectedIsInTheRecordsAfterARefresh(t *testing.T) {
	b := newBench(t, practice.Options{}, `
start: {from: ids.csv, url: "SITE/v1/product/{id}"}
rate: none
robots: ignore
records: {key: id, table: items, fields: {id: {json: $.id}, note: {meta: param.note}}}
`)
	b.put("ids.csv", "id,note\n1,one\n2,tow\n2,no\n")
	b.run(state.Finished, crawl.Options{})
	b.put("ids.csv", "id,note\n1,one\n2,two\n2,no\n")
	b.run(state.Finished, crawl.Options{})
	if n := b.site.Total(); n != 2 {
		t.Errorf("%d requests: %v", n, b.site.Counts())
	}
	b.run(state.Finished, crawl.Options{Refresh: &crawl.Refresh{}})
	b.want("one, two", `SELECT group_concat(note, ', ') FROM (SELECT note FROM items ORDER BY id)`)
}

// A checkpoint says of a task that it failed, and nothing else: what it carries is in the list, or on the page, that
// brings it as well.
func TestAnImportedTaskCarriesWhatItsListOrPageSays(t *testing.T) {
	s := newStall(t, "a 1, b 2", "d 4")
	for name, c := range map[string]struct{ job, items string }{
		"a page": {s.job(), "/item/a 1, /item/b 2, /item/d 4"},
		"a list": {replace(`
start: {from: ids.csv, url: "SITE/item/{id}"}
rate: none
robots: ignore
records: {key: name, table: items, fields: {name: h1, price: {meta: param.price}}}
`, "SITE", s.URL), "/item/a 1, /item/b 2"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, practice.Options{}, c.job)
			b.put("ids.csv", "id,price\na,1\nb,2\na,3\n")
			kind := b.job.Pages[len(b.job.Pages)-1].Name
			failed := []state.Imported{{Request: schema.Request{URL: s.URL + "/item/a", Page: kind}, State: state.Failed}}
			b.run(state.Stopped, crawl.Options{NoFetch: true, Import: func(ctx context.Context, run *state.Run) error {
				if _, err := run.Import(ctx, time.Now(), failed); err != nil {
					return err
				}
				return run.Advance(ctx, time.Now())
			}})
			b.run(state.Finished, crawl.Options{Retry: &state.Filter{}})
			b.want(c.items, stallItems)
		})
	}
}
