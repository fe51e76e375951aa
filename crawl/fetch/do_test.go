package fetch

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAPageHasWhatTheServerSaid(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Shop", "7")
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, `{"id":9007199254740993}`)
	})
	result := do(newClient(t, quick()), Request{URL: s.URL + "/A?b=%2f&a", Made: 2})
	page := wantPage(t, result)
	want := &Page{
		URL: s.URL + "/A?b=%2f&a", Status: 201, Header: page.Header, ContentType: "application/json",
		Body: []byte(`{"id":9007199254740993}`), Charset: "utf-8", CharsetFrom: "default", Size: 23, At: page.At, Took: page.Took,
	}
	if diff := cmp.Diff(want, page); diff != "" {
		t.Error(diff)
	}
	if page.Header.Get("X-Shop") != "7" || page.At.IsZero() || result.Made != 1 || len(result.Failed) != 0 {
		t.Errorf("got %+v", result)
	}
}

// echo answers with the request as the server saw it.
func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	_, _ = fmt.Fprintf(w, "%s %s host=%s ua=%s cookie=%s x=%q body=%s", r.Method, r.RequestURI, r.Host, r.UserAgent(),
		r.Header.Get("Cookie"), r.Header.Values("X-Id"), body)
}

func TestARequestIsSentAsTheJobSays(t *testing.T) {
	s := newSite(t, echo)
	host := strings.TrimPrefix(s.URL, "http://")
	tests := map[string]struct {
		headers []Header
		request Request
		want    string
	}{
		"the default User-Agent is honest": {
			request: Request{URL: "/"}, want: "GET / host=" + host + " ua=dogear/1 (+resumable crawler) cookie= x=[] body="},
		"a User-Agent among the headers wins": {
			[]Header{{"user-agent", "mine"}}, Request{URL: "/"}, "GET / host=" + host + " ua=mine cookie= x=[] body="},
		"a Host header becomes the Host line": {
			[]Header{{"host", "shop.example"}}, Request{URL: "/"}, "GET / host=shop.example ua=dogear/1 (+resumable crawler) cookie= x=[] body="},
		"headers repeat, and a cookie is a header": {
			[]Header{{"X-Id", "1"}, {"x-id", "2"}, {"Cookie", "a=b"}}, Request{URL: "/"},
			"GET / host=" + host + ` ua=dogear/1 (+resumable crawler) cookie=a=b x=["1" "2"] body=`},
		"a POST has its body": {
			request: Request{URL: "/", Method: "POST", Body: "q=1"}, want: "POST / host=" + host + " ua=dogear/1 (+resumable crawler) cookie= x=[] body=q=1"},
		"scrapy #1941: the URL is fetched as given, not in a canonical form": {
			request: Request{URL: "/A/%7Eb//c?z=1&a&a=%2f+#frag"}, want: "GET /A/%7Eb//c?z=1&a&a=%2f+ host=" + host + " ua=dogear/1 (+resumable crawler) cookie= x=[] body="},
		"what would break the request line is encoded": {
			request: Request{URL: "/über?q=a b中"}, want: "GET /%C3%BCber?q=a%20b%E4%B8%AD host=" + host + " ua=dogear/1 (+resumable crawler) cookie= x=[] body="},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			o := quick()
			o.UserAgent, o.Headers = "dogear/1 (+resumable crawler)", test.headers
			test.request.URL = s.URL + test.request.URL
			page := wantPage(t, do(newClient(t, o), test.request))
			if got := string(page.Body); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestABadRequestFailsAtOnceAndAsksNobody(t *testing.T) {
	tests := map[string]Request{
		"no scheme":           {URL: "shop.example/1"},
		"another scheme":      {URL: "ftp://shop.example/1"},
		"a script":            {URL: "javascript:alert(1)"},
		"no host":             {URL: "http:///1"},
		"nothing":             {},
		"a broken escape":     {URL: "http://%zz.example/"},
		"a broken host":       {URL: "http://a b/"},
		"a control sign":      {URL: "http://shop.example/a\nb"},
		"a method with a gap": {URL: "http://127.0.0.1:1/", Method: "GET IT"},
	}
	c := newClient(t, quick())
	for name, request := range tests {
		t.Run(name, func(t *testing.T) {
			result := do(c, request)
			wantFailure(t, result, ClientFault)
			if result.Made != 0 || len(result.Failed) != 0 {
				t.Errorf("got %+v; want no attempt", result)
			}
		})
	}
	t.Run("a port that can't be", func(t *testing.T) {
		if result := do(c, Request{URL: "http://127.0.0.1:99999/"}); wantFailure(t, result, ClientFault) != nil && result.Made != 1 {
			t.Errorf("made %d", result.Made)
		}
	})
}

func TestOptionsThatCanNotWorkAreRefusedWithoutTheirSecrets(t *testing.T) {
	tests := map[string]Options{
		"a negative rate":    {Rate: -1},
		"an unknown limiter": {Limiter: "sliding"},
		"a negative wait":    {MaxWait: -1},
		"a negative count":   {Attempts: -1},
		"a header's name":    {Headers: []Header{{"X Y", "hunter2"}}},
		"a header's value":   {Headers: []Header{{"Authorization", "hunter2\n"}}},
	}
	for name, o := range tests {
		t.Run(name, func(t *testing.T) {
			if _, err := New(o); err == nil || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestHTTP2IsSpokenWhereTheServerOffersIt(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Proto) }))
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	c := newClient(t, quick())
	c.http.Transport.(transport).TLSClientConfig = s.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	c.http.Transport.(transport).TLSClientConfig.NextProtos = nil
	if page := wantPage(t, do(c, Request{URL: s.URL})); string(page.Body) != "HTTP/2.0" {
		t.Errorf("got %s", page.Body)
	}
}

func TestOneClientServesManyGoroutinesOverTheSameConnections(t *testing.T) {
	s := newSite(t, echo)
	o := quick()
	o.Headers = []Header{{"X-Id", "1"}}
	c := newClient(t, o)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for i := range 50 {
				if r := do(c, Request{URL: fmt.Sprint(s.URL, "/", i), Method: "POST", Body: "b"}); r.Page == nil {
					t.Errorf("got %+v", r)
				}
			}
		})
	}
	group.Wait()
	if s.hits.Load() != 400 {
		t.Errorf("%d requests, want 400", s.hits.Load())
	}
}

// A browser sends such a path; net/url refuses it.
func TestAPercentThatBeginsNoEscapeIsEscaped(t *testing.T) {
	s := newSite(t, echo)
	for path, want := range map[string]string{"/100%": "/100%25", "/%zz?q=%zz": "/%25zz?q=%25zz", "/a%2fb%": "/a%2fb%25"} {
		page := wantPage(t, do(newClient(t, quick()), Request{URL: s.URL + path}))
		if got := strings.Fields(string(page.Body))[1]; got != want || page.URL != s.URL+path {
			t.Errorf("%s was asked for as %s, final URL %s", path, got, page.URL)
		}
	}
}
