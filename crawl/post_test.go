package crawl_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dogear/crawl"
	"dogear/internal/practice"
	"dogear/state"
)

// forms is a site that answers to POSTs, and remembers them.
type forms struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
	fail  bool // the next one
}

func newForms(t *testing.T) *forms {
	f := &forms{}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent, _ := io.ReadAll(r.Body)
		f.mu.Lock()
		defer f.mu.Unlock()
		f.asked = append(f.asked, r.Method+" "+r.URL.Path+" "+r.Header.Get("Content-Type")+" "+string(sent))
		if f.fail {
			f.fail = false
			w.WriteHeader(500)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"got": %q, "next": "/plain"}`, r.Method+string(sent))
	}))
	t.Cleanup(f.Close)
	return f
}

// crawlee #778, #232: POSTs to one URL that differ in their body were dropped as duplicates.
func TestPOSTsToOneURLAreATaskEach(t *testing.T) {
	t.Setenv("API_KEY", "hunter2hunter2")
	f := newForms(t)
	f.fail = true
	b := newBench(t, practice.Options{}, replace(`
start:
  - {url: "FORMS/search", page: 1..3}
  - {url: "FORMS/old", q: [a b, 中], request: {form: {q: "{q}"}}}
request: {json: {page: "{page}", key: "${API_KEY}"}}
rate: none
robots: ignore
concurrency: 1
retry: {delay: 1ms}
records: {table: answers, key: [got], fields: {got: {json: $.got}, page: {meta: param.page, type: int}, q: {meta: param.q}}}
follow: {json: $.next}
`, "FORMS", f.URL))
	b.run(state.Finished, crawl.Options{})
	const key, form = `,"key":"hunter2hunter2"}`, "POST /old application/x-www-form-urlencoded "
	want := []string{
		"GET /plain  ", form + "q=%E4%B8%AD", form + "q=a+b",
		`POST /search application/json {"page":1` + key, `POST /search application/json {"page":1` + key,
		`POST /search application/json {"page":2` + key, `POST /search application/json {"page":3` + key,
	}
	slices.Sort(f.asked)
	if diff := cmp.Diff(want, f.asked); diff != "" {
		t.Errorf("(-want +asked)\n%s", diff)
	}
	b.want("6 6 2", `SELECT count(*), sum(state = 'done'), (SELECT count(*) FROM answers WHERE q IS NOT NULL) FROM tasks`)
	b.want(`POST{"page":2,"key":"${API_KEY}"} {"page":2,"key":"${API_KEY}"} POST`,
		`SELECT got, body, method FROM answers a JOIN tasks ON id = _task WHERE a.page = 2`)
	b.wantHidden("hunter2")
	n := len(f.asked)
	b.run(state.Finished, crawl.Options{})
	if len(f.asked) != n {
		t.Errorf("done ones were asked for again: %s", strings.Join(f.asked[n:], "\n"))
	}
}
