package fetch

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// target is a request made ready: checked and parsed once for all its attempts.
type target struct {
	method string
	url    *url.URL
	host   string // key of its host, see hostKey
}

// newTarget checks a request. Its errors do not quote the URL: even a piece of one that can't be parsed may be a piece
// of a password, and the task has the URL anyway.
func newTarget(r *Request) (target, error) {
	t := target{method: r.Method}
	if t.method == "" {
		t.method = "GET"
	}
	if !httpguts.ValidHeaderFieldName(t.method) { // a method is a token, as a field name is
		return t, fmt.Errorf("method %q is not allowed in HTTP", r.Method)
	}
	r.URL = strings.TrimSpace(r.URL)
	u, err := url.Parse(r.URL)
	if isA[url.EscapeError](err) {
		u, err = url.Parse(escapePercent(r.URL))
	}
	if err != nil {
		return t, badURL(err)
	}
	if err := checkURL(u); err != nil {
		return t, err
	}
	u.RawQuery = sendable(u.RawQuery)
	t.url, t.host = u, hostKey(u)
	return t, nil
}

// escapePercent writes %25 for a % in a path that begins no escape: browsers take such a URL ("/100%"), net/url does not.
func escapePercent(s string) string {
	_, rest, _ := strings.Cut(s, "://")
	slash := strings.IndexByte(rest, '/')
	if slash < 0 {
		return s
	}
	path := len(s) - len(rest) + slash
	var b strings.Builder
	b.WriteString(s[:path])
	for i := path; i < len(s); i++ {
		b.WriteByte(s[i])
		if s[i] == '%' && (i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2])) {
			b.WriteString("25")
		}
	}
	return b.String()
}

func badURL(err error) error {
	switch {
	case isA[url.EscapeError](err):
		return errors.New("bad URL: a % that is not followed by two hexadecimal digits")
	case isA[url.InvalidHostError](err):
		return errors.New("bad URL: a character that a host can't have")
	}
	return errors.New("bad URL: it can't be parsed")
}

// checkURL tells whether a parsed URL can be asked for.
func checkURL(u *url.URL) error {
	if u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("bad URL: scheme %q, want http or https", u.Scheme)
	}
	if u.Hostname() == "" {
		return errors.New("bad URL: no host")
	}
	return nil
}

// sendable percent-encodes what would break the request line: net/url keeps a query as it was written, and net/http
// sends it like that, so a space in it ends the line early. Browsers do the same to it.
func sendable(query string) string {
	plain := true
	for i := 0; i < len(query) && plain; i++ {
		plain = query[i] > ' ' && query[i] < 0x7f
	}
	if plain {
		return query
	}
	var b strings.Builder
	for i := 0; i < len(query); i++ {
		if c := query[i]; c > ' ' && c < 0x7f {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// hostKey names the host that a URL's rate belongs to: host and port, whatever the scheme and the case. It allocates
// only for a host with capitals.
func hostKey(u *url.URL) string {
	host := strings.ToLower(u.Host)
	for i := 0; i < len(host); i++ {
		if host[i] >= 0x80 { // as it is sent: a name in letters and in Punycode is one host
			if ascii, err := httpguts.PunycodeHostPort(host); err == nil {
				host = ascii
			}
			break
		}
	}
	if port := u.Port(); port == "" || port == "80" && u.Scheme == "http" || port == "443" && u.Scheme == "https" {
		host = strings.TrimSuffix(strings.TrimSuffix(host, port), ":")
	}
	return host
}
