package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// taken returns of an element what Take says; false when it can't be written as HTML.
func (s *source) taken(n *html.Node) (string, bool) {
	switch s.take {
	case TakeOwn:
		t := textWriter{verbatim: s.whole || unread(n), own: true}
		t.children(n)
		return strings.TrimSpace(t.String()), true
	case TakeHTML:
		return inner(n)
	case TakeOuter:
		var b strings.Builder
		err := html.Render(&b, n)
		return b.String(), err == nil
	}
	return textOf(n, s.whole), true
}

// inner returns the HTML within an element; false for what a browser's parser would not have made of any text, such as
// a <link> of SVG with elements within.
func inner(n *html.Node) (string, bool) {
	var b strings.Builder
	for c := range n.ChildNodes() {
		if c.Type == html.TextNode && literal[n.DataAtom] {
			b.WriteString(c.Data)
		} else if html.Render(&b, c) != nil {
			return "", false
		}
	}
	return b.String(), true
}

// literal are the elements whose text is written as it is (HTML standard, section 13.3).
var literal = map[atom.Atom]bool{
	atom.Iframe: true, atom.Noembed: true, atom.Noframes: true, atom.Plaintext: true, atom.Script: true,
	atom.Style: true, atom.Xmp: true,
}
