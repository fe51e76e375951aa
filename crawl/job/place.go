package job

import "strings"

// stretch is a piece of a URL: a text, or a hole where something is put in.
type stretch struct {
	text string // of a hole: what fills it when it is not in a private place
	hole bool
}

// private says of each stretch whether it is a hole in a part of the URL that carries secrets: the userinfo, and all behind
// the first ? or #. Scheme, host, port and path are not. It takes one walk, however many holes there are.
func private(url []stretch) []bool {
	found := make([]bool, len(url))
	named := userinfo(url)
	var at place
	for i, s := range url {
		found[i] = s.hole && (at.part == behind || at.part == authority && named[i])
		if !found[i] {
			at.pass(s.text)
		}
	}
	return found
}

// userinfo says of each stretch whether the first delimiter in the texts after it is an @.
func userinfo(url []stretch) []bool {
	named := make([]bool, len(url))
	next := false
	for i := len(url) - 1; i >= 0; i-- {
		named[i] = next
		if s := url[i]; !s.hole {
			if k := strings.IndexAny(s.text, `@/\?#`); k >= 0 {
				next = s.text[k] == '@'
			}
		}
	}
	return named
}

// The parts of a URL that matter here, in their order.
const (
	scheme = iota
	authority
	path
	behind // the first ? or #
)

// place is where in a URL one is.
type place struct {
	part int
	tail string // what was last read of the scheme: "://" may come in pieces
}

// pass goes on behind a text.
func (p *place) pass(text string) {
	if p.part == scheme {
		_, rest, whole := strings.Cut(p.tail+text, "://")
		if !whole {
			if strings.ContainsAny(text, "?#") {
				p.part = behind
			}
			p.tail = (p.tail + text)[max(0, len(p.tail+text)-2):]
			return
		}
		p.part, text = authority, rest
	}
	if p.part == authority && strings.ContainsAny(text, `/\`) {
		p.part = path
	}
	if strings.ContainsAny(text, "?#") {
		p.part = behind
	}
}
