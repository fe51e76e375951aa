package monitor

import (
	"net/http"
	"strings"
)

// policy lets the page load its own two files and talk to its own address: whatever a site wrote, nothing of it runs
// and nothing is loaded for it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guard keeps out who has no business here, before anything is looked at.
func (m *Monitor) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Frame-Options", "DENY")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		switch {
		case m.private && !ownName(r.Host, m.host): // DNS rebinding: a page of anybody's, under a name of its own
			http.Error(w, "this address answers to "+m.URL()+" only, not to the name it was asked by",
				http.StatusForbidden)
		case foreign(r):
			http.Error(w, "this is not for other sites' pages: open "+m.URL(), http.StatusForbidden)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "this is for reading only", http.StatusMethodNotAllowed)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// foreign tells a request that another site's page makes by itself from one that somebody made by a click. Browsers
// say so (Fetch Metadata, W3C); who does not is none.
func foreign(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return strings.EqualFold(site, "cross-site") && !strings.EqualFold(r.Header.Get("Sec-Fetch-Mode"), "navigate")
}
