package fetch

import "strings"

// denied returns the rule that keeps a crawler from a path with its query as they are sent ("/a?b=c"); nil when there
// is none. The rule with the longest pattern wins, Allow over Disallow of the same length (RFC 9309, 2.2.2).
func (f *robotsFile) denied(path string) *robotsRule {
	if path == "/robots.txt" {
		return nil
	}
	path = canonicalPath(path)
	var best *robotsRule
	for i := range f.rules {
		r := &f.rules[i]
		longer := best == nil || len(r.pattern) > len(best.pattern) || len(r.pattern) == len(best.pattern) && r.allow
		if longer && matchesRobots(r.pattern, path) {
			best = r
		}
	}
	if best == nil || best.allow {
		return nil
	}
	return best
}

// matchesRobots tells whether a path begins as the pattern says: * stands for any characters, $ at the end for the
// end of the path (RFC 9309, 2.2.3). Taking the first place where a piece fits is always right, so this takes no
// longer than reading the path once.
func matchesRobots(pattern, path string) bool {
	pattern, whole := strings.CutSuffix(pattern, "$")
	first, rest, more := strings.Cut(pattern, "*")
	path, ok := strings.CutPrefix(path, first)
	if !ok || !more {
		return ok && (!whole || path == "")
	}
	for {
		piece, left, more := strings.Cut(rest, "*")
		if !more && whole {
			return strings.HasSuffix(path, piece)
		}
		i := strings.Index(path, piece)
		if i < 0 || !more {
			return i >= 0
		}
		path, rest = path[i+len(piece):], left
	}
}

// canonicalPath writes a path and query so that equal ones have equal octets (RFC 9309, 2.2.2): what is unreserved
// stands for itself, what is no part of a URL is percent-encoded, escapes are in capitals. In a query : / ? and @
// mean the same with and without an escape. A * or $ of a URL is none of a rule (2.2.3), so it is escaped.
func canonicalPath(path string) string { return canonical(path, "*$") }

// canonicalRule does the same to the path of a rule, whose * stay, and a $ at its end.
func canonicalRule(path string) string {
	if path, ok := strings.CutSuffix(path, "$"); ok {
		return canonical(path, "$") + "$"
	}
	return canonical(path, "$")
}

// canonical also escapes the characters in escaped.
func canonical(path, escaped string) string {
	const (
		inPath  = "/!&'()*+,;=:@?$" // besides the unreserved
		inQuery = ":/?@"            // may stand there without an escape, and mean the same with one
	)
	var b strings.Builder
	b.Grow(len(path))
	query := false
	for i := 0; i < len(path); i++ {
		c, was := path[i], false // was: it was an escape
		if c == '%' && i+2 < len(path) && isHex(path[i+1]) && isHex(path[i+2]) {
			c, was = unhex(path[i+1])<<4|unhex(path[i+2]), true
			i += 2
		}
		switch {
		case unreserved(c), query && strings.IndexByte(inQuery, c) >= 0, c == '%' && !was:
			b.WriteByte(c)
		case !was && strings.IndexByte(inPath, c) >= 0 && strings.IndexByte(escaped, c) < 0:
			b.WriteByte(c)
			query = query || c == '?'
		default:
			const digits = "0123456789ABCDEF"
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	return b.String()
}

// unreserved: RFC 3986, 2.3.
func unreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// productToken is the name by which a robots.txt knows a crawler with this User-Agent: that of its first product, or
// for "Mozilla/5.0 (compatible; ExampleBot/0.1; …)", which is how crawlers dress as browsers, that of the bot.
func productToken(userAgent string) string {
	token := firstProduct(userAgent)
	if !strings.EqualFold(token, "mozilla") {
		return token
	}
	if _, rest, ok := strings.Cut(userAgent, "(compatible;"); ok {
		if bot := firstProduct(rest); bot != "" {
			return bot
		}
	}
	return token
}

func firstProduct(text string) string {
	text = strings.TrimSpace(text)
	if i := strings.IndexAny(text, "/ \t;,()"); i >= 0 {
		text = text[:i]
	}
	return text
}
