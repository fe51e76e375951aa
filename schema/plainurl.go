package schema

import "strings"

// Most URLs are plain: the URL parser would give them back as they are. plainURL knows them at a glance, and leaves
// all the others to the parser.

const (
	hostChars  = "abcdefghijklmnopqrstuvwxyz0123456789-."
	pathChars  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ" + hostChars + "_~!$&()*+,;=:@/"
	queryChars = pathChars + "?"
)

// charClass has, for each byte, a bit for each part of a URL in which it is plain.
var charClass = func() (class [256]uint8) {
	for bit, chars := range []string{hostChars, pathChars, queryChars} {
		for i := range len(chars) {
			class[chars[i]] |= 1 << bit
		}
	}
	return class
}()

const (
	inHost uint8 = 1 << iota
	inPath
	inQuery
)

// plainURL reports whether s is an absolute http or https URL that is normal already, and its length without a fragment.
func plainURL(s string) (length int, ok bool) {
	rest, defaultPort := "", ""
	switch {
	case strings.HasPrefix(s, "https://"):
		rest, defaultPort = s[len("https://"):], ":443"
	case strings.HasPrefix(s, "http://"):
		rest, defaultPort = s[len("http://"):], ":80"
	default:
		return 0, false
	}
	slash := strings.IndexByte(rest, '/')
	if slash < 1 || !plainAuthority(rest[:slash], defaultPort) {
		return 0, false
	}
	start := len(s) - len(rest) + slash
	n, ok := plainPath(s[start:])
	return start + n, ok
}

func plainAuthority(s, defaultPort string) bool {
	host := s
	if at := strings.IndexByte(s, ':'); at >= 0 {
		host = s[:at]
		if s[at:] == defaultPort || !plainPort(s[at+1:]) {
			return false
		}
	}
	for i := range len(host) {
		if charClass[host[i]]&inHost == 0 {
			return false
		}
	}
	// Labels in Punycode are checked by the parser, and so is what might be an IPv4 address in another notation.
	if host == "" || strings.Contains(host, "xn--") {
		return false
	}
	label := host[strings.LastIndexByte(host, '.')+1:]
	return label != "" && !isDigit(label[0]) || host == "127.0.0.1"
}

// plainPort takes a port number as it is normally written.
func plainPort(s string) bool {
	return len(s) >= 1 && len(s) <= 5 && s[0] != '0' && allDigits(s) && (len(s) < 5 || s <= "65535")
}

// plainPath checks path and query, up to the fragment, and returns their length. A dot at the start of a segment may be
// a dot segment, which is the parser's matter, and so may %2E.
func plainPath(s string) (length int, ok bool) {
	part := inPath
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '#':
			return i, true
		case c == '?':
			part = inQuery
		case c == '%':
			if i+2 >= len(s) || !upperHex(s[i+1]) || !upperHex(s[i+2]) || s[i+1:i+3] == "2E" && part == inPath {
				return 0, false
			}
			i += 2
		case charClass[c]&part == 0, c == '.' && part == inPath && s[i-1] == '/':
			return 0, false
		}
	}
	return len(s), true
}

func upperHex(c byte) bool { return isDigit(c) || 'A' <= c && c <= 'F' }
