package monitor

import (
	"net/http"
	"strings"
	"testing"
)

func TestEveryAnswerForbidsWhatThePageDoesNotNeed(t *testing.T) {
	d := show(t)
	for _, path := range []string{"/", "/page.js", "/page.css", "/metrics", "/api/status", "/favicon.ico", "/nowhere"} {
		r, _ := d.request(http.MethodGet, path, nil)
		for name, want := range map[string]string{
			"X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
			"Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-store",
		} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s: %s: %q, want %q", path, name, got, want)
			}
		}
		csp := r.Header.Get("Content-Security-Policy")
		if !strings.HasPrefix(csp, "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';") {
			t.Errorf("%s: %s", path, csp)
		}
		want := map[string]int{"/nowhere": 404, "/favicon.ico": 204}[path]
		if want == 0 {
			want = 200
		}
		if r.StatusCode != want {
			t.Errorf("%s: %s, want %d", path, r.Status, want)
		}
	}
}

func TestThereIsOnlyReading(t *testing.T) {
	d := show(t)
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"} {
		for _, path := range []string{"/", "/events", "/metrics", "/api/status", "/nowhere"} {
			if r, _ := d.request(method, path, nil); r.StatusCode != 405 || r.Header.Get("Allow") != "GET, HEAD" {
				t.Errorf("%s %s: %s, Allow: %s", method, path, r.Status, r.Header.Get("Allow"))
			}
		}
	}
	for _, path := range []string{"/", "/events", "/metrics", "/api/status"} {
		if r, body := d.request(http.MethodHead, path, nil); r.StatusCode != 200 || body != "" {
			t.Errorf("HEAD %s: %s with %d bytes", path, r.Status, len(body))
		}
	}
}

func TestNobodyReadsAlongUnderAnotherName(t *testing.T) {
	d := show(t)
	for _, path := range []string{"/", "/events", "/metrics", "/api/status", "/page.js"} {
		r, body := d.request(http.MethodGet, path, func(r *http.Request) { r.Host = "rebound.example" })
		if r.StatusCode != 403 || strings.Contains(body, "things") || !strings.Contains(body, d.URL()) {
			t.Errorf("%s: %s: %s", path, r.Status, body)
		}
	}
	if r, _ := d.request(http.MethodGet, "/", func(r *http.Request) { r.Host = "localhost:9999" }); r.StatusCode != 200 {
		t.Errorf("through a tunnel: %s", r.Status)
	}
}

func TestWhoListensEverywhereAnswersToEveryName(t *testing.T) {
	d := show(t)
	d.private = false
	if r, _ := d.request(http.MethodGet, "/",
		func(r *http.Request) { r.Host = "host.example:8000" }); r.StatusCode != 200 {
		t.Errorf("got %s", r.Status)
	}
}

func TestOtherSitesPagesGetNothing(t *testing.T) {
	d := show(t)
	for _, c := range []struct {
		site, mode string
		want       int
	}{
		{"cross-site", "no-cors", 403}, {"cross-site", "cors", 403}, {"cross-site", "websocket", 403},
		{"cross-site", "navigate", 200}, {"same-origin", "cors", 200}, {"none", "navigate", 200}, {"", "", 200},
	} {
		r, _ := d.request(http.MethodGet, "/metrics", func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", c.site)
			r.Header.Set("Sec-Fetch-Mode", c.mode)
		})
		if r.StatusCode != c.want {
			t.Errorf("%+v: %s", c, r.Status)
		}
	}
}
