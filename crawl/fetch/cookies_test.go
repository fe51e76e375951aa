package fetch

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// setter is a site that sets the cookies of its query's c and says what cookies it was sent.
func setter(t *testing.T) *site {
	return newSite(t, func(w http.ResponseWriter, r *http.Request) {
		for _, line := range r.URL.Query()["c"] {
			w.Header().Add("Set-Cookie", line)
		}
		if to := r.URL.Query().Get("to"); to != "" {
			w.Header().Set("Location", to)
			w.WriteHeader(302)
			return
		}
		w.Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(w, r.Header.Get("Cookie"))
	})
}

// sets is the URL that has a site set cookies.
func (s *site) sets(path string, lines ...string) string {
	return s.URL + path + "?" + url.Values{"c": lines}.Encode()
}

// sent is the Cookie header that a site gets.
func sent(t *testing.T, c *Client, url string) string {
	t.Helper()
	return string(wantPage(t, do(c, Request{URL: url})).Body)
}

func TestCookiesAreSentBackWhereTheyBelong(t *testing.T) {
	s := setter(t)
	c := newClient(t, quick())
	sent(t, c, s.sets("/shop/list", "a=1", "b=2; Path=/", "c=3; Path=/other", "d=4; Max-Age=0", "e=5; Domain=example.com",
		"g="+strings.Repeat("x", 5000), "h=7; Expires=Thu, 01 Jan 2015 00:00:00 GMT"))
	for path, want := range map[string]string{"/shop/x": "a=1; b=2", "/shop": "a=1; b=2", "/": "b=2",
		"/other/x": "c=3; b=2"} {
		if got := sent(t, c, s.URL+path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	sent(t, c, s.sets("/", "b=; Path=/; Max-Age=-1", "a=one; Path=/shop"))
	if got := sent(t, c, s.URL+"/shop/x"); got != "a=one" {
		t.Errorf("after a change: %q", got)
	}
}

func TestCookiesOfARedirectAreSentToWhereItLeads(t *testing.T) {
	s := setter(t)
	c := newClient(t, quick())
	login := s.URL + "/login?" + url.Values{"c": {"sid=1; Path=/"}, "to": {"/in"}}.Encode()
	if got := sent(t, c, login); got != "sid=1" {
		t.Errorf("got %q", got)
	}
}

// A cookie that was pasted into the job gives way to the one that the site renews it with.
func TestTheJobsOwnCookieHeaderIsSentBesideTheJar(t *testing.T) {
	s := setter(t)
	o := quick()
	o.Headers = []Header{{"Cookie", "sid=pasted; theme=dark; odd"}}
	c := newClient(t, o)
	for _, want := range []string{"sid=pasted; theme=dark; odd", "theme=dark; odd; sid=new; x=1"} {
		if got := sent(t, c, s.URL); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		sent(t, c, s.sets("/", "sid=new; Path=/", "x=1; Path=/"))
	}
}

func TestNoCookiesAreTakenWhenTheyAreOff(t *testing.T) {
	s := setter(t)
	o := quick()
	o.NoCookies, o.Headers = true, []Header{{"Cookie", "own=1"}}
	c := newClient(t, o)
	c.Recall(map[string]string{"127.0.0.1": `["a=1; Path=/"]`}, time.Now())
	sent(t, c, s.sets("/", "b=2"))
	if got := sent(t, c, s.URL); got != "own=1" || c.Cookies(time.Now()) != nil {
		t.Errorf("got %q", got)
	}
}

func TestCookiesOutliveTheirClient(t *testing.T) {
	s := setter(t)
	first := newClient(t, quick())
	sent(t, first, s.sets("/shop/list", "session=1; Path=/; HttpOnly", "a=2; Max-Age=3600", "brief=3; Max-Age=60",
		`odd="a, b"; Path=/`))
	now := time.Now()
	kept := first.Cookies(now.Add(2 * time.Minute)) // brief has expired by then
	if again := first.Cookies(now); again != nil {
		t.Errorf("nothing changed since: %v", again)
	}
	second := newClient(t, quick())
	second.Recall(kept, now)
	if changed := second.Cookies(now); changed != nil {
		t.Errorf("what was kept is no change: %v", changed)
	}
	if got := sent(t, second, s.URL+"/shop/x"); got != `a=2; odd="a, b"; session=1` &&
		got != `a=2; session=1; odd="a, b"` {
		t.Errorf("got %q from %v", got, kept)
	}
	sent(t, second, s.sets("/shop/list", "session=; Path=/; Max-Age=0", "a=2; Max-Age=0", "odd=; Path=/; Max-Age=0"))
	if diff := cmp.Diff(map[string]string{"127.0.0.1": ""}, second.Cookies(now)); diff != "" {
		t.Errorf("the site ended them all: %s", diff)
	}
}

func TestKeptCookiesThatExpiredOrThatAHandBrokeAreLeftOut(t *testing.T) {
	s := setter(t)
	c := newClient(t, quick())
	c.Recall(map[string]string{
		"127.0.0.1": `["a=1; Path=/; Expires=Thu, 01 Jan 2015 00:00:00 GMT", "b=2; Path=/", "", ";;", "c=3; Path=/; Domain=com"]`,
		"x.example": `[1, 2`, "::1": `["v6=1; Path=/"]`,
	}, time.Now())
	if got := sent(t, c, s.URL); got != "b=2" {
		t.Errorf("got %q", got)
	}
	if diff := cmp.Diff(map[string]string{"127.0.0.1": `["b=2; Path=/"]`}, c.Cookies(time.Now())); diff != "" {
		t.Error(diff)
	}
}

// What a site may not set must neither be kept nor end what another one set.
func TestASiteCanNotTouchTheCookiesOfAnother(t *testing.T) {
	j := newJar()
	now := time.Now()
	set := func(from, line string) {
		u, _ := url.Parse(from)
		c, err := http.ParseSetCookie(line)
		if err != nil {
			t.Fatal(err)
		}
		j.set(u, c, now)
	}
	set("https://www.shop.co.uk/", "a=1; Domain=shop.co.uk; Path=/")
	set("https://other.co.uk/", "a=evil; Domain=shop.co.uk; Path=/")
	set("https://other.co.uk/", "a=; Domain=shop.co.uk; Path=/; Max-Age=0")
	set("https://other.co.uk/", "b=1; Domain=co.uk; Path=/")
	set("https://api.shop.co.uk/", "c=1")
	want := map[string]string{"shop.co.uk": `["a=1; Path=/; Domain=shop.co.uk"]`, "api.shop.co.uk": `["c=1; Path=/"]`}
	if diff := cmp.Diff(want, j.changes(now)); diff != "" {
		t.Errorf("(-want +kept)\n%s", diff)
	}
}

func TestASiteThatMakesUpCookiesDoesNotMakeRequestsLonger(t *testing.T) {
	s := setter(t)
	c := newClient(t, quick())
	for i := range maxCookies + 7 {
		sent(t, c, s.sets("/", fmt.Sprintf("n%03d=x; Path=/", i)))
	}
	names := strings.Split(sent(t, c, s.URL), "; ")
	if slices.Sort(names); len(names) != maxCookies || names[0] != "n007=x" {
		t.Errorf("%d cookies from %s", len(names), names[0])
	}
	if kept := slices.Collect(maps.Values(c.Cookies(time.Now()))); strings.Count(kept[0], "Path") != maxCookies {
		t.Errorf("kept %v", kept)
	}
}
