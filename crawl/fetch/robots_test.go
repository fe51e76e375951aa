package fetch

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// polite are options of a client that obeys, and keeps what it warns of.
func polite() (Options, *warnings) {
	o, w := quick(), &warnings{}
	o.Robots, o.Warn, o.Attempts = true, w.add, 2
	return o, w
}

type warnings struct {
	mu   sync.Mutex
	list []string
}

func (w *warnings) add(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.list = append(w.list, text)
}

func (w *warnings) said() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.list, "\n")
}

// guarded is a site whose robots.txt is answered by handler; everything else is a page. It counts both.
type guarded struct {
	*site
	robots, pages atomic.Int64
}

func newGuarded(t *testing.T, handler http.HandlerFunc) *guarded {
	g := &guarded{}
	g.site = newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/robots") {
			g.robots.Add(1)
			handler(w, r)
			return
		}
		g.pages.Add(1)
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusFound)
		}
	})
	return g
}

func saying(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }
}

func TestWhatIsDisallowedFailsAtOnceAndNamesTheRule(t *testing.T) {
	g := newGuarded(t, saying("User-agent: *\nDisallow: /private/\n"))
	o, _ := polite()
	c := newClient(t, o)
	wantPage(t, do(c, Request{URL: g.URL + "/public"}))
	r := do(c, Request{URL: g.URL + "/private/x?y#z"})
	f := wantFailure(t, r, Robots)
	want := "disallowed by line 2 of " + g.URL + "/robots.txt: Disallow: /private/"
	if f.Err.Error() != want || f.Status != 0 || r.Made != 0 || len(r.Failed) != 0 || !isA[*RobotsError](f) {
		t.Errorf("got %v (%+v), want %s", f, r, want)
	}
	if g.robots.Load() != 1 || g.pages.Load() != 1 {
		t.Errorf("robots.txt was asked for %d times, pages %d", g.robots.Load(), g.pages.Load())
	}
}

func TestARobotsFileIsAskedForOnceHoweverManyWantIt(t *testing.T) {
	g := newGuarded(t, saying(""))
	o, _ := polite()
	c := newClient(t, o)
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			if r := do(c, Request{URL: fmt.Sprintf("%s/%d", g.URL, i)}); r.Page == nil {
				t.Errorf("%+v", r)
			}
		})
	}
	all.Wait()
	if g.robots.Load() != 1 || g.pages.Load() != 50 {
		t.Errorf("robots.txt was asked for %d times, pages %d", g.robots.Load(), g.pages.Load())
	}
}

// NUTCH-2581: a robots.txt is for its origin, not for the host.
func TestEveryOriginHasItsOwnRobotsFile(t *testing.T) {
	one, other := newGuarded(t, saying("User-agent: *\nDisallow: /")), newGuarded(t, saying(""))
	o, _ := polite()
	c := newClient(t, o)
	wantFailure(t, do(c, Request{URL: one.URL}), Robots)
	wantPage(t, do(c, Request{URL: other.URL}))
	named := strings.Replace(one.URL, "127.0.0.1", "localhost", 1)
	wantFailure(t, do(c, Request{URL: named}), Robots)
	if one.robots.Load() != 2 {
		t.Errorf("asked %d times", one.robots.Load())
	}
}

func TestTheUserAgentOfTheJobChoosesTheGroup(t *testing.T) {
	g := newGuarded(t, saying("User-agent: *\nDisallow: /\nUser-agent: shopbot\nDisallow:\n"))
	o, _ := polite()
	wantFailure(t, do(newClient(t, o), Request{URL: g.URL}), Robots)
	o.Headers = []Header{{"user-agent", "ShopBot/3 (+https://shop.example)"}}
	wantPage(t, do(newClient(t, o), Request{URL: g.URL}))
}

func TestRobotsIgnoredAreNotEvenRead(t *testing.T) {
	g := newGuarded(t, saying("User-agent: *\nDisallow: /"))
	wantPage(t, do(newClient(t, quick()), Request{URL: g.URL}))
	if g.robots.Load() != 0 {
		t.Error("robots.txt was asked for")
	}
}

// RFC 9309, 2.3.1.3: what says that there is no file allows everything.
func TestWithoutARobotsFileEverythingIsAllowed(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"404":                       http.NotFound,
		"403":                       func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(403) },
		"410":                       func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(410) },
		"408, also the second time": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(408) },
		"204":                       func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) },
		"a page of HTML":            saying("<!DOCTYPE html><h1>Shop</h1>"),
		"a redirect to nowhere":     func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusFound) },
		"a loop": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/robots.txt",
				http.StatusFound)
		},
		"another scheme": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "ftp://shop.example/robots.txt")
			w.WriteHeader(301)
		},
	} {
		t.Run(name, func(t *testing.T) {
			o, w := polite()
			wantPage(t, do(newClient(t, o), Request{URL: newGuarded(t, handler).URL}))
			if w.said() != "" {
				t.Error(w.said())
			}
		})
	}
}

// RFC 9309, 2.3.1.2; NUTCH-2581, stormcrawler #573.
func TestARobotsFileMayBeFiveRedirectsAway(t *testing.T) {
	elsewhere := newGuarded(t, saying("User-agent: *\nDisallow: /"))
	for hops, denied := range map[int]bool{1: true, 5: true, 6: false} {
		g := newGuarded(t, func(w http.ResponseWriter, r *http.Request) {
			var n int
			_, _ = fmt.Sscanf(r.URL.Path, "/robots%d", &n)
			if n == hops-1 { // the last hop is to another host
				http.Redirect(w, r, elsewhere.URL+"/robots.txt", http.StatusMovedPermanently)
				return
			}
			http.Redirect(w, r, fmt.Sprintf("/robots%d", n+1), http.StatusFound)
		})
		o, _ := polite()
		r := do(newClient(t, o), Request{URL: g.URL})
		if got := r.Failure != nil && r.Failure.Kind == Robots; got != denied {
			t.Errorf("%d hops: %+v, %v", hops, r, r.Failure)
		}
	}
	if elsewhere.pages.Load() != 0 {
		t.Error("pages of the other host were asked for")
	}
}
