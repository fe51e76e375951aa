package fetch

import (
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/publicsuffix"
)

const (
	// maxCookies is how many cookies a domain may have: a site that makes up a name for each page would make every request
	// longer than a server takes. The least that RFC 6265, section 6.1, asks for.
	maxCookies = 50
	// maxCookie is the most bytes of a cookie, by the same section.
	maxCookie = 4096
)

// jar is the cookies of a crawl. Which are taken and where they are sent is net/http/cookiejar's to say, with the
// list of public suffixes; but that can't be asked what it holds, so what it has taken is kept here as well, for the
// next run.
//
// It works on each exchange, redirects included, below http.Client: that would put cookies into the one header that all
// requests share.
type jar struct {
	taken *cookiejar.Jar
	some  atomic.Bool // there may be cookies

	mu      sync.Mutex
	kept    map[string]map[cookieID]cookie // by domain
	count   int64                          // of cookies ever kept
	changed map[string]bool                // domains
}

// cookieID is what makes a cookie another one in its domain.
type cookieID struct{ path, name string }

// cookie is one that was taken, as a Set-Cookie line that says everything by itself.
type cookie struct {
	line    string
	expires time.Time // zero: with the session, which for a crawl goes on in the next run
	number  int64     // the oldest goes first when there are too many
}

func newJar() *jar {
	taken, err := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List})
	if err != nil {
		panic(err) // it has no way to fail
	}
	return &jar{taken: taken, kept: map[string]map[cookieID]cookie{}, changed: map[string]bool{}}
}

// dress returns the request with the cookies that are due in it: itself when there are none, else a copy. A cookie of
// the job's own header gives way to one of its name that the site set.
func (j *jar) dress(r *http.Request) *http.Request {
	if j == nil || !j.some.Load() {
		return r
	}
	due := j.taken.Cookies(r.URL)
	if len(due) == 0 {
		return r
	}
	dressed := r.WithContext(r.Context())
	dressed.Header = r.Header.Clone()
	dressed.Header.Del("Cookie")
	if own := without(strings.Join(r.Header["Cookie"], "; "), due); own != "" {
		dressed.Header.Set("Cookie", own)
	}
	for _, c := range due {
		dressed.AddCookie(c)
	}
	return dressed
}

// without takes cookies out of a Cookie header by their names; what is left stays as it was written.
func without(header string, due []*http.Cookie) string {
	names := make(map[string]bool, len(due))
	for _, c := range due {
		names[c.Name] = true
	}
	var left []string
	for part := range strings.SplitSeq(header, ";") {
		part = strings.TrimSpace(part)
		if name, _, _ := strings.Cut(part, "="); part != "" && !names[strings.TrimSpace(name)] {
			left = append(left, part)
		}
	}
	return strings.Join(left, "; ")
}

// take takes the cookies of an answer to a request for u.
func (j *jar) take(u *url.URL, response *http.Response) {
	if j == nil || len(response.Header["Set-Cookie"]) == 0 {
		return
	}
	now := time.Now()
	for _, c := range response.Cookies() {
		if len(c.Name)+len(c.Value) <= maxCookie {
			j.set(u, c, now)
		}
	}
}

// set gives a cookie to the jar and keeps it if it was taken, or forgets the one that it ended.
func (j *jar) set(u *url.URL, c *http.Cookie, now time.Time) {
	domain, ok := domainOf(u, c)
	if !ok {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	whole(c, u, now)
	j.taken.SetCookies(u, []*http.Cookie{c})
	id := cookieID{c.Path, c.Name}
	if !j.has(u, c) {
		if _, known := j.kept[domain][id]; known {
			delete(j.kept[domain], id)
			j.changed[domain] = true
		}
		return
	}
	j.some.Store(true)
	j.keep(u, domain, id, cookie{line: c.String(), expires: c.Expires})
}

// has tells whether the jar has just taken a cookie.
func (j *jar) has(u *url.URL, c *http.Cookie) bool {
	for _, other := range j.taken.Cookies(&url.URL{Scheme: "https", Host: u.Host, Path: c.Path}) {
		if other.Name == c.Name && other.Value == c.Value {
			return true
		}
	}
	return false
}

func (j *jar) keep(u *url.URL, domain string, id cookieID, c cookie) {
	of := j.kept[domain]
	if of == nil {
		of = map[cookieID]cookie{}
		j.kept[domain] = of
	}
	if of[id].line == c.line {
		return
	}
	j.changed[domain] = true
	j.count++
	c.number = j.count
	if of[id] = c; len(of) <= maxCookies {
		return
	}
	oldest := id
	for other := range of {
		if of[other].number < of[oldest].number {
			oldest = other
		}
	}
	gone, err := http.ParseSetCookie(of[oldest].line)
	if err == nil {
		gone.MaxAge = -1
		j.taken.SetCookies(u, []*http.Cookie{gone})
	}
	delete(of, oldest)
}

// domainOf is the domain that a cookie belongs to; false when an answer from u can't set one there.
func domainOf(u *url.URL, c *http.Cookie) (string, bool) {
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	domain := strings.TrimPrefix(strings.ToLower(c.Domain), ".")
	if domain == "" || domain == host {
		return host, true
	}
	return domain, net.ParseIP(host) == nil && strings.HasSuffix(host, "."+domain)
}

// whole makes a cookie say what follows from where and when it came: its path (RFC 6265, section 5.1.4) and its end.
func whole(c *http.Cookie, u *url.URL, now time.Time) {
	if !strings.HasPrefix(c.Path, "/") {
		c.Path = "/"
		if i := strings.LastIndexByte(u.Path, '/'); i > 0 && u.Path[0] == '/' {
			c.Path = u.Path[:i]
		}
	}
	if c.MaxAge > 0 {
		c.Expires, c.MaxAge = now.Add(time.Duration(min(c.MaxAge, maxAge))*time.Second), 0
	}
	c.Raw, c.Unparsed = "", nil
}

// maxAge keeps a Max-Age within what a time can be: 400 days, as in browsers (RFC 6265bis, section 5.5).
const maxAge = 400 * 24 * 60 * 60
