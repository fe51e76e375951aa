package fetch

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

func TestARedirectIsFollowedInsideTheAttempt(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/old":
			http.Redirect(w, r, "/new?q=a b#top", http.StatusMovedPermanently)
		case "/keep":
			http.Redirect(w, r, "/new", http.StatusPermanentRedirect)
		case "/see":
			http.Redirect(w, r, "/new", http.StatusSeeOther)
		default:
			echo(w, r)
		}
	})
	tests := map[string]struct {
		request   Request
		url, body string
	}{
		"the final URL is kept":               {Request{URL: "/old"}, "/new?q=a%20b#top", "GET /new?q=a%20b "},
		"308 keeps the method and the body":   {Request{URL: "/keep", Method: "POST", Body: "b=1"}, "/new", "POST /new "},
		"303 turns into a GET without a body": {Request{URL: "/see", Method: "POST", Body: "b=1"}, "/new", "GET /new "},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.request.URL = s.URL + test.request.URL
			result := do(newClient(t, quick()), test.request)
			page := wantPage(t, result)
			if page.URL != s.URL+test.url || !strings.HasPrefix(string(page.Body), test.body) || result.Made != 1 {
				t.Errorf("got %s, made %d: %s", page.URL, result.Made, page.Body)
			}
			if keeps := strings.HasSuffix(string(page.Body), "body=b=1"); keeps != (test.body[0] == 'P') {
				t.Errorf("got %s", page.Body)
			}
		})
	}
}

// scrapy #1225: a redirect to itself is not dropped: some servers answer the second time.
func TestARedirectToItselfIsFollowed(t *testing.T) {
	var s *site
	s = newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if s.hits.Load() == 1 {
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
		}
	})
	wantPage(t, do(newClient(t, quick()), Request{URL: s.URL + "/a"}))
}

func TestTenRedirectsAreFollowedAndNotEleven(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		var left int
		if _, err := fmt.Sscanf(r.URL.Path, "/%d", &left); err == nil && left > 0 {
			http.Redirect(w, r, fmt.Sprintf("/%d", left-1), http.StatusFound)
		}
	})
	c := newClient(t, quick())
	if page := wantPage(t, do(c, Request{URL: s.URL + "/10"})); page.URL != s.URL+"/0" {
		t.Errorf("got %s", page.URL)
	}
	s.hits.Store(0)
	wantFailure(t, do(c, Request{URL: s.URL + "/11"}), ClientFault)
	if s.hits.Load() != 11 {
		t.Errorf("%d requests, want 11 and no retry", s.hits.Load())
	}
}

func TestARedirectThatCanNotBeFollowedFailsAtOnce(t *testing.T) {
	tests := map[string]string{
		"a loop":                      "/",
		"another scheme":              "ftp://shop.example/",
		"a script":                    "javascript:alert(1)",
		"no host":                     "http:///nowhere",
		"a Location that is no URL":   "http://[::1/",
		"a Location of broken escape": "/%zz",
	}
	for name, location := range tests {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", location)
				w.WriteHeader(http.StatusFound)
			})
			result := do(newClient(t, quick()), Request{URL: s.URL})
			if failure := wantFailure(t, result, ClientFault); result.Made != 1 || !isA[*redirectError](failure) {
				t.Errorf("got %+v, %v", result, failure)
			}
		})
	}
}

func TestARedirectWithoutALocationIsFinal(t *testing.T) {
	s := answering(t, "302")
	if failure := wantFailure(t, do(newClient(t, quick()), Request{URL: s.URL}), ClientFault); failure.Status != 302 {
		t.Errorf("got %+v", failure)
	}
}

// The site's clock counts hops, too.
func TestEveryHopPaysTheRateOfItsHost(t *testing.T) {
	other := answering(t, "200")
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/1" {
			http.Redirect(w, r, "/2", http.StatusFound)
			return
		}
		http.Redirect(w, r, other.URL, http.StatusFound)
	})
	c := newClient(t, quick())
	here, there := &counting{}, &counting{}
	c.hosts.get(strings.TrimPrefix(s.URL, "http://")).turn.limiter = here
	c.hosts.get(strings.TrimPrefix(other.URL, "http://")).turn.limiter = there
	wantPage(t, do(c, Request{URL: s.URL + "/1"}))
	if here.n != 2 || there.n != 1 {
		t.Errorf("%d turns here, want 2; %d there, want 1", here.n, there.n)
	}
}

// secretHeaders answers with which of the job's headers arrived.
func secretHeaders(w http.ResponseWriter, r *http.Request) {
	for _, name := range []string{"Authorization", "Cookie", "X-Api-Key", "X-Plain", "Referer"} {
		if r.Header.Get(name) != "" {
			_, _ = io.WriteString(w, name+" ")
		}
	}
}

func TestTheJobsCredentialsStayAtTheirHost(t *testing.T) {
	target := newSite(t, secretHeaders)
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(target.URL, "http://"))
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		secretHeaders(w, r)
	})
	o := quick()
	o.Headers = []Header{{"Authorization", "Bearer x"}, {"Cookie", "sid=1"}, {"X-Api-Key", "k"}, {"X-Plain", "p"}}
	c := newClient(t, o)
	tests := map[string]struct{ to, want string }{
		"the same host gets them": {s.URL + "/b", "Authorization Cookie X-Api-Key X-Plain Referer "},
		"another host does not":   {"http://localhost:" + port + "/", "X-Plain "},
		"another port does not":   {target.URL, "X-Plain "},
		"nor after a second hop":  {s.URL + "?to=" + target.URL, "X-Plain "},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			page := wantPage(t, do(c, Request{URL: s.URL + "/?to=" + test.to}))
			if string(page.Body) != test.want {
				t.Errorf("got %q, want %q", page.Body, test.want)
			}
		})
	}
	if got := c.template.Header.Get("Authorization"); got != "Bearer x" {
		t.Errorf("the shared header was changed: %q", got)
	}
}

func TestCredentialsDoNotGoWhereTheyCouldBeOverheard(t *testing.T) {
	tests := []struct {
		from, to string
		kept     bool
	}{
		{"http://shop.example/", "https://shop.example/", true},
		{"https://shop.example/", "https://SHOP.example:443/", true},
		{"https://shop.example/", "http://shop.example/", false},
		{"https://shop.example/", "https://api.shop.example/", false},
	}
	c := newClient(t, quick())
	for _, test := range tests {
		first, _ := http.NewRequest("GET", test.from, nil)
		next, _ := http.NewRequest("GET", test.to, nil)
		next.Header.Set("Authorization", "Bearer x")
		c.guard(next, first)
		if kept := next.Header.Get("Authorization") != ""; kept != test.kept {
			t.Errorf("from %s to %s: kept %v", test.from, test.to, kept)
		}
	}
}
