package extract

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"

	"github.com/PuerkitoBio/goquery"
	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"dogear/schema"
)

func trimMark(body []byte) []byte { return bytes.TrimPrefix(body, []byte("\uFEFF")) }

// parseHTML reads HTML as a browser without scripts does. It fails where x/net/html gives up: beyond 512 open
// elements (golang/go #76279).
func parseHTML(body []byte, b *budget) (*goquery.Document, error) {
	r := timedReader{bytes.NewReader(trimMark(body)), b}
	root, err := html.ParseWithOptions(r, html.ParseOptionEnableScripting(false))
	if err != nil {
		return nil, fmt.Errorf("parse html: %w", err)
	}
	return goquery.NewDocumentFromNode(root), nil
}

// baseOf returns what the links of a document are relative to: the first <base> that has a href, itself relative to
// the final URL; one that leads nowhere is as good as none (HTML standard, "set the frozen base URL").
func baseOf(doc *goquery.Document, final string, b *budget) string {
	n := cascadia.Query(doc.Nodes[0], matcher{baseHref, b})
	if n == nil {
		return final
	}
	href, _ := attribute(n, "href")
	base, err := schema.Resolve(final, href)
	if err != nil {
		return final
	}
	return base
}

var baseHref = cascadia.MustCompile("base[href]")

// attribute returns an element's attribute, white space around it removed. For the document it is that of <html>.
func attribute(n *html.Node, name string) (string, bool) {
	if n.Type == html.DocumentNode {
		for n = n.FirstChild; n != nil && n.Type != html.ElementNode; {
			n = n.NextSibling
		}
		if n == nil {
			return "", false
		}
	}
	for i := range n.Attr {
		if a := &n.Attr[i]; strings.EqualFold(a.Key, name) {
			return strings.TrimSpace(a.Val), true
		}
	}
	return "", false
}

// textOf returns what a reader sees of an element, white space collapsed. With verbatim, and for a script or style
// that was itself selected, nothing but the white space around it is removed: in there it may mean something.
func textOf(n *html.Node, verbatim bool) string {
	if c := n.FirstChild; c != nil && c.NextSibling == nil && c.Type == html.TextNode && collapsed(c.Data) {
		return c.Data
	}
	t := textWriter{verbatim: verbatim || unread(n)}
	t.children(n)
	return strings.TrimSpace(t.String())
}

// textWriter gathers text. With a gap the next character has white space before it.
type textWriter struct {
	strings.Builder
	verbatim, gap bool
	own           bool // what stands in the elements within is left out
}

func (t *textWriter) children(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			t.text(c.Data)
		case c.Type == html.ElementNode && !unread(c):
			apart := blocks[c.DataAtom]
			t.gap = t.gap || apart
			if !t.own {
				t.children(c)
			}
			t.gap = t.gap || apart
		}
	}
}

func (t *textWriter) text(s string) {
	if t.verbatim {
		t.WriteString(s)
		return
	}
	for _, r := range s {
		if unicode.IsSpace(r) {
			t.gap = true
			continue
		}
		if t.gap && t.Len() > 0 {
			t.WriteByte(' ')
		}
		t.gap = false
		t.WriteRune(r)
	}
}

// collapsed says whether a text is as textOf would return it, for the plain case of ASCII.
func collapsed(s string) bool {
	space := true
	for i := range len(s) {
		if s[i] >= 0x80 || s[i] < ' ' || s[i] == ' ' && space {
			return false
		}
		space = s[i] == ' '
	}
	return !space || s == ""
}

// unread says whether an element's text is not for readers.
func unread(n *html.Node) bool {
	return n.DataAtom == atom.Script || n.DataAtom == atom.Style || n.DataAtom == atom.Template
}

// blocks are the elements that stand apart from the text around them (HTML standard, section 15.3), and the line break.
var blocks = map[atom.Atom]bool{
	atom.Address: true, atom.Article: true, atom.Aside: true, atom.Blockquote: true, atom.Br: true, atom.Caption: true,
	atom.Center: true, atom.Dd: true, atom.Details: true, atom.Div: true, atom.Dl: true, atom.Dt: true,
	atom.Fieldset: true, atom.Figcaption: true, atom.Figure: true, atom.Footer: true, atom.Form: true,
	atom.H1: true, atom.H2: true, atom.H3: true, atom.H4: true, atom.H5: true, atom.H6: true, atom.Header: true,
	atom.Hr: true, atom.Legend: true, atom.Li: true, atom.Main: true, atom.Nav: true, atom.Ol: true,
	atom.Option: true, atom.P: true, atom.Pre: true, atom.Section: true, atom.Summary: true, atom.Table: true,
	atom.Tbody: true, atom.Td: true, atom.Tfoot: true, atom.Th: true, atom.Thead: true, atom.Title: true, atom.Tr: true,
	atom.Ul: true,
}
