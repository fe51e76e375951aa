package fetch

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestEveryHopOfARedirectIsHeldAgainstItsRobotsFile(t *testing.T) {
	closed := newGuarded(t, saying("User-agent: *\nDisallow: /closed"))
	down := newGuarded(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) })
	g := newGuarded(t, saying("User-agent: *\nDisallow: /closed"))
	o, _ := polite()
	o.Concurrency = 1 // the attempt that is redirected holds the only place
	c := newClient(t, o)
	wantPage(t, do(c, Request{URL: g.URL + "/?to=/open"}))
	wantPage(t, do(c, Request{URL: g.URL + "/?to=" + closed.URL + "/open"}))
	for _, to := range []string{"/closed", closed.URL + "/closed"} {
		r := do(c, Request{URL: g.URL + "/?to=" + to})
		if f := wantFailure(t, r, Robots); r.Made != 1 || len(r.Failed) != 1 || !isA[*RobotsError](f) {
			t.Errorf("%s: %+v, %v", to, r, f)
		}
	}
	r := do(c, Request{URL: g.URL + "/?to=" + down.URL + "/x"})
	if r.Waiting == nil || r.Made != 0 || len(r.Failed) != 0 || !strings.Contains(r.Waiting.Error(), down.URL) {
		t.Errorf("%+v, waiting %v", r, r.Waiting)
	}
	if closed.pages.Load() != 1 || down.pages.Load() != 0 {
		t.Errorf("%d and %d pages were asked for", closed.pages.Load(), down.pages.Load())
	}
}

func TestARobotsFileIsAskedForWithoutTheJobsCredentials(t *testing.T) {
	var got http.Header
	var host string
	g := newGuarded(t, func(_ http.ResponseWriter, r *http.Request) { got, host = r.Header, r.Host })
	o, _ := polite()
	o.Headers = []Header{{"Authorization", "Bearer x"}, {"Cookie", "a=b"}, {"X-Api-Key", "k"}, {"X-Plain", "p"},
		{"User-Agent", "shopbot/1"}, {"Host", "shop.example"}}
	c := newClient(t, o)
	elsewhere := newGuarded(t, func(_ http.ResponseWriter, r *http.Request) {
		if r.Host == "shop.example" {
			t.Error("the job's Host line went to another host")
		}
	})
	wantPage(t, do(c, Request{URL: strings.Replace(g.URL, "://", "://me:secret@", 1) + "?to=" + elsewhere.URL}))
	for name, want := range map[string]string{"Authorization": "", "Cookie": "", "X-Api-Key": "", "X-Plain": "p",
		"User-Agent": "shopbot/1"} {
		if got.Get(name) != want {
			t.Errorf("%s is %q, want %q", name, got.Get(name), want)
		}
	}
	if host != "shop.example" {
		t.Errorf("host %s", host)
	}
	if c.template.Header.Get("Authorization") == "" {
		t.Error("the shared header was changed")
	}
}

func TestARobotsFilePaysTheRateOfItsHost(t *testing.T) {
	g := newGuarded(t, saying(""))
	o, _ := polite()
	c := newClient(t, o)
	turns := &counting{}
	c.hosts.get(strings.TrimPrefix(g.URL, "http://")).turn.limiter = turns
	wantPage(t, do(c, Request{URL: g.URL + "/1"}))
	wantPage(t, do(c, Request{URL: g.URL + "/2"}))
	if turns.n != 3 {
		t.Errorf("%d turns, want 3", turns.n)
	}
}

func TestTheSlowerOfCrawlDelayAndRateCounts(t *testing.T) {
	for _, c := range []struct {
		delay string
		rate  float64
		slow  time.Duration // between two requests, by the file; 0: the job's rate is slower
	}{
		{"120", 0, 2 * time.Minute},
		{"120", 1000, 2 * time.Minute},
		{"0.5", 1000, 500 * time.Millisecond},
		{"1", 1, 0},
		{"0.001", 100, 0},
		{"0", 0, 0},
		{"1e12", 0, maxCrawlDelay},
	} {
		g := newGuarded(t, saying("User-agent: *\nCrawl-delay: "+c.delay))
		o, w := polite()
		o.Rate = c.rate
		client := newClient(t, o)
		wantPage(t, do(client, Request{URL: g.URL}))
		asked := client.hosts.get(strings.TrimPrefix(g.URL, "http://")).turn.asked.Load()
		switch {
		case c.slow == 0 && (asked != nil || w.said() != ""):
			t.Errorf("%+v: slowed down to %v; %s", c, asked.delay, w.said())
		case c.slow > 0 && (asked == nil || asked.delay != c.slow || !strings.Contains(w.said(),
			c.slow.String()+" between requests")):
			t.Errorf("%+v: %+v; warned %q", c, asked, w.said())
		}
	}
}

func TestACrawlDelayMakesTheNextOnesWait(t *testing.T) {
	turn := &turn{}
	if turn.reserve() != 0 || !turn.slowDown(time.Hour) || turn.slowDown(time.Minute) {
		t.Fatal("the longest delay counts")
	}
	first, second := turn.reserve(), turn.reserve()
	if first != 0 || second < 50*time.Minute {
		t.Errorf("waits of %v and %v, want none and an hour", first, second)
	}
}

// scrapy #2303: a redirect left the scope.
func TestARedirectOutOfScopeFailsAtOnceAndSaysWhereItLed(t *testing.T) {
	other := newGuarded(t, saying(""))
	g := newGuarded(t, saying(""))
	errOut := errors.New("out of bounds")
	var asked []string
	scope := func(url string) error {
		asked = append(asked, url)
		if strings.HasPrefix(url, other.URL) {
			return errOut
		}
		return nil
	}
	o, _ := polite()
	c := newClient(t, o)
	wantPage(t, do(c, Request{URL: g.URL + "/?to=/a", Scope: scope}))
	r := do(c, Request{URL: g.URL + "/?to=" + other.URL + "/b?token=x", Scope: scope})
	f := wantFailure(t, r, ClientFault)
	if r.Made != 1 || f.Err.Error() != "redirect to "+other.URL+"/b?token=***: out of bounds" ||
		f.Status != http.StatusFound {
		t.Errorf("%+v: %v", r, f)
	}
	if other.hits.Load() != 0 || len(asked) != 2 {
		t.Errorf("the other host was asked %d times; scope %v", other.hits.Load(), asked)
	}
}

func TestTheStartOfALargeRobotsFileIsEnough(t *testing.T) {
	for name, sized := range map[string]bool{"with a length": true, "without": false} {
		text := "User-agent: *\nDisallow: /x\n" + strings.Repeat("Allow: /filler\n", 1<<16) + "Disallow: /y\n"
		g := newGuarded(t, func(w http.ResponseWriter, _ *http.Request) {
			if !sized {
				_ = http.NewResponseController(w).Flush()
			}
			_, _ = io.WriteString(w, text)
		})
		o, _ := polite()
		o.BodyLimit = 1000
		c := newClient(t, o)
		if r := do(c, Request{URL: g.URL + "/x"}); r.Failure == nil || r.Failure.Kind != Robots {
			t.Errorf("%s: %+v, %v", name, r, r.Waiting)
		}
		wantPage(t, do(c, Request{URL: g.URL + "/y"}))
	}
}

func TestAHostThatAllowsEverythingCostsNothing(t *testing.T) {
	g := newGuarded(t, saying(""))
	o, _ := polite()
	c := newClient(t, o)
	r := Request{URL: g.URL + "/a?b=c"}
	wantPage(t, do(c, r))
	target, _ := newTarget(&r)
	ctx := context.Background()
	if n := testing.AllocsPerRun(100, func() { _ = c.mayAsk(ctx, ctx, target.url, "") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
