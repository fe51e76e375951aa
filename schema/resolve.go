package schema

import (
	"errors"
	"fmt"
	"strings"
)

// ErrNotWeb is in the error of Resolve for a link that is no request to a web site: mailto:, javascript:, data: and
// the like.
var ErrNotWeb = errors.New("not an http or https link")

// Resolve reads a link as a browser does (the URL Standard, https://url.spec.whatwg.org/): trimmed, against the base
// of its page, with backslashes, spaces and non-ASCII letters put right. The fragment is dropped: it is never sent. base
// may be "" or useless when ref is absolute. The error names neither base nor ref, which may hold a password.
func Resolve(base, ref string) (string, error) {
	if len(ref) > longestURL {
		return "", fmt.Errorf("resolve link of %d bytes: %w", len(ref), errURL)
	}
	if n, ok := plainURL(ref); ok {
		return ref[:n], nil
	}
	joined := join(base, ref)
	if n, ok := plainURL(joined); ok {
		return joined[:n], nil
	}
	href, scheme, err := parseRef(base, ref)
	if err != nil {
		return "", fmt.Errorf("resolve link: %w", err)
	}
	if scheme != "http" && scheme != "https" {
		return "", fmt.Errorf("resolve link of scheme %.20q: %w", scheme, ErrNotWeb)
	}
	return href, nil
}

// KeyURL returns the URL normalised for comparing, never for fetching: scheme and host in lower case, no default port,
// no fragment, no dot segments, percent-escapes in capitals. What can mean another page stays: the case of the path, the order
// of the query, "?a" and "?a=", "?", a slash at the end. What can't be parsed as an http or https URL is returned as given.
func KeyURL(url string) string {
	if n, ok := plainURL(url); ok {
		return url[:n]
	}
	href, scheme, err := parseRef("", url)
	if err != nil || scheme != "http" && scheme != "https" {
		return url
	}
	return upperEscapes(href)
}

// join puts the two simplest kinds of relative link, "/p/1" and "p/1", behind the part of a plain base that they keep.
// It returns "" for any other kind. Whether the result is right shows in its being plain.
func join(base, ref string) string {
	n, ok := plainURL(base)
	if !ok || ref == "" || strings.HasPrefix(ref, "//") {
		return ""
	}
	base, _, _ = strings.Cut(base[:n], "?")
	if ref[0] == '/' {
		start := strings.Index(base, "://") + len("://")
		return base[:start+strings.IndexByte(base[start:], '/')] + ref
	}
	if charClass[ref[0]]&inHost == 0 || ref[0] == '.' || strings.IndexByte(ref, ':') >= 0 {
		return "" // it may have a scheme of its own, or dot segments
	}
	return base[:strings.LastIndexByte(base, '/')+1] + ref
}

// upperEscapes writes %c3%a9 as %C3%A9 (RFC 3986, section 6.2.2.1).
func upperEscapes(s string) string {
	b := []byte(nil)
	for i := 0; i+2 < len(s); i++ {
		if s[i] != '%' || !isHex(s[i+1]) || !isHex(s[i+2]) {
			continue
		}
		if s[i+1] >= 'a' || s[i+2] >= 'a' {
			if b == nil {
				b = []byte(s)
			}
			b[i+1], b[i+2] = upper(b[i+1]), upper(b[i+2])
		}
		i += 2
	}
	if b == nil {
		return s
	}
	return string(b)
}

func isHex(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}
