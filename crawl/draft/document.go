package draft

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"dogear/schema"
)

// document is an HTML page.
type document struct {
	root *html.Node
	url  string // it came from
	base string // its links are relative to
}

// readHTML reads a page as package extract does: as a browser without scripts.
func readHTML(p Page) (*document, error) {
	root, err := html.ParseWithOptions(bytes.NewReader(p.Body), html.ParseOptionEnableScripting(false))
	if err != nil {
		return nil, fmt.Errorf("parse html: %w", err)
	}
	d := &document{root: root, url: p.Final, base: p.Final}
	if n := first(root, "base[href]"); n != nil {
		if base, err := schema.Resolve(p.Final, attribute(n, "href")); err == nil {
			d.base = base
		}
	}
	return d, nil
}

// link returns what a reference of the page leads to; "" when that is nothing to fetch, or this page.
func (d *document) link(ref string) string {
	if ref == "" || strings.HasPrefix(ref, "#") {
		return ""
	}
	url, err := schema.Resolve(d.base, ref)
	if err != nil {
		return ""
	}
	return url
}

// sameHost says whether two URLs lead to the same host and port.
func sameHost(a, b string) bool { return host(a) == host(b) }

func host(url string) string {
	_, rest, _ := strings.Cut(schema.KeyURL(url), "://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return rest[strings.LastIndexByte(rest, '@')+1:]
}

// first returns the first match of a selector below n, as package extract finds it; nil when there is none.
func first(n *html.Node, selector string) *html.Node {
	css, err := cascadia.Parse(selector)
	if err != nil {
		return nil
	}
	return cascadia.Query(n, css)
}

// every returns all matches of a selector, but at most one more than limit.
func every(n *html.Node, selector string, limit int) []*html.Node {
	css, err := cascadia.ParseGroup(selector)
	if err != nil {
		return nil
	}
	var found []*html.Node
	for c := range n.Descendants() {
		if len(found) > limit {
			break
		}
		if c.Type == html.ElementNode && css.Match(c) {
			found = append(found, c)
		}
	}
	return found
}

// only says whether a selector matches these elements, in this order, and nothing else.
func only(root *html.Node, selector string, nodes []*html.Node) bool {
	css, err := cascadia.Parse(selector)
	if err != nil {
		return false
	}
	at := 0
	for c := range root.Descendants() {
		if c.Type != html.ElementNode || !css.Match(c) {
			continue
		}
		if at == len(nodes) || nodes[at] != c {
			return false
		}
		at++
	}
	return at == len(nodes)
}

func attribute(n *html.Node, name string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == name {
			return strings.TrimSpace(n.Attr[i].Val)
		}
	}
	return ""
}

// mostClasses is how many classes of an element are looked at.
const mostClasses = 12

func classes(n *html.Node) []string {
	all := strings.Fields(attribute(n, "class"))
	return all[:min(len(all), mostClasses)]
}

// hidden are the elements that have no text for readers, and no parts.
var hidden = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Template: true, atom.Head: true, atom.Svg: true, atom.Select: true,
	atom.Noscript: true, atom.Iframe: true, atom.Object: true, atom.Math: true,
}

// unread are those whose text is left out of the text around them, as package extract leaves it out.
var unread = map[atom.Atom]bool{atom.Script: true, atom.Style: true, atom.Template: true}

// tagName is what a selector can name as it is. Others, such as <time”x>, are passed over with all that is in them.
var tagName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// partial says whether an element may be a part of something: its text, or what is in it.
func partial(n *html.Node) bool {
	return n.Type == html.ElementNode && !hidden[n.DataAtom] && (n.DataAtom != 0 || tagName.MatchString(n.Data))
}

// longestText is how much of an element's text is read, in bytes; as examples, and to see what varies.
const longestText = 500

// textOf is the text of an element, white space collapsed, cut at longestText.
func textOf(n *html.Node) string {
	var b strings.Builder
	gap := false
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		for c := n.FirstChild; c != nil && b.Len() < longestText; c = c.NextSibling {
			switch {
			case c.Type == html.TextNode:
				gap = collapse(&b, c.Data, gap)
			case c.Type == html.ElementNode && !unread[c.DataAtom]:
				apart := !inline[c.DataAtom]
				gap = gap || apart
				walk(c)
				gap = gap || apart
			}
		}
	}
	walk(n)
	return b.String()
}

// collapse appends a text; gap says whether white space came before it, and what it returns, after it.
func collapse(b *strings.Builder, s string, gap bool) bool {
	for _, r := range s {
		if unicode.IsSpace(r) {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
		}
		gap = false
		b.WriteRune(r)
	}
	return gap
}

// inline are the elements that do not stand apart from the text around them.
var inline = map[atom.Atom]bool{
	atom.A: true, atom.Abbr: true, atom.B: true, atom.Bdi: true, atom.Bdo: true, atom.Cite: true, atom.Code: true,
	atom.Data: true, atom.Del: true, atom.Em: true, atom.Font: true, atom.I: true, atom.Ins: true, atom.Kbd: true,
	atom.Label: true, atom.Mark: true, atom.Q: true, atom.S: true, atom.Samp: true, atom.Small: true, atom.Span: true,
	atom.Strong: true, atom.Sub: true, atom.Sup: true, atom.Time: true, atom.Tt: true, atom.U: true, atom.Var: true,
	atom.Img: true, atom.Button: true, atom.Input: true, atom.Wbr: true, 0: true,
}

// ownText is the text that stands in the element itself, not in those within it.
func ownText(n *html.Node) string {
	var b strings.Builder
	for c := n.FirstChild; c != nil && b.Len() < longestText; c = c.NextSibling {
		if c.Type == html.TextNode {
			collapse(&b, c.Data, true)
		}
	}
	return b.String()
}
