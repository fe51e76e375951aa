package extract

import (
	"bytes"
	"errors"
	"fmt"

	"golang.org/x/net/html"
)

// scriptsPerPage is how much more JSON than the page has bytes its elements may hold: those within others hold the same
// text again. In bytes.
const scriptsPerPage = 1 << 20

var errScripts = errors.New("the elements of the page hold far more JSON than the page")

// script is JSON that stands in an element: what came of reading it.
type script struct {
	doc *document // nil: it is none
	err error     // why
}

// scriptKey is where it stands: in the text, or in an attribute.
type scriptKey struct {
	node *html.Node
	attr string
}

// scripts calls yield with what a path selects in the JSON of the first of the elements in which it finds something,
// until it says false. The error is for elements of which none holds any JSON.
func (v *view) scripts(nodes []*html.Node, s *selector, yield func(element) bool) error {
	var failure error
	read := false
	for _, n := range nodes {
		if !v.step() {
			return nil
		}
		in := v.script(scriptKey{n, s.attr})
		if in.doc == nil {
			failure = in.err
			continue
		}
		read = true
		if !s.path.finds(in.doc) {
			continue
		}
		s.path.all(in.doc, 0, func(i int) bool { return yield(element{doc: in.doc, token: i}) })
		return nil
	}
	if failure == nil || read {
		return nil
	}
	return fmt.Errorf("the rule %q needs JSON, and there is none in what it selects: %w", s.text, failure)
}

// finds says whether a path selects anything but null in a document.
func (p *path) finds(d *document) bool {
	found := false
	if p.singular {
		i := p.first(d, 0)
		return i >= 0 && d.tokens[i].kind != 'n'
	}
	p.all(d, 0, func(i int) bool { found = d.tokens[i].kind != 'n'; return !found })
	return found
}

// script returns the JSON in an element, which is read once however many rules ask for it.
func (v *view) script(at scriptKey) script {
	if s, known := v.read[at]; known {
		return s
	}
	var s script
	if text, found := scriptText(at); found {
		d := documents.Get().(*document)
		d.budget = &v.budget
		if s.err = d.readScript(text); s.err == nil {
			s.doc = d
			v.hold(len(text))
		} else {
			d.recycle()
		}
	} else {
		s.err = fmt.Errorf("no attribute %q", at.attr)
	}
	if v.read == nil {
		v.read = make(map[scriptKey]script)
	}
	v.read[at] = s
	return s
}

func scriptText(at scriptKey) (text []byte, found bool) {
	if at.attr != "" {
		text, found := attribute(at.node, at.attr)
		return []byte(text), found
	}
	if c := at.node.FirstChild; c != nil && c.NextSibling == nil && c.Type == html.TextNode {
		return []byte(c.Data), true
	}
	return []byte(textOf(at.node, true)), true
}

// readScript reads the text of an element: a JSON document, or a script that assigns one to something. Of a script it is
// what begins with the first { or [ behind a =, and the next = is tried where that is no JSON, as in
// if (a == b) { x = {…} }.
func (d *document) readScript(text []byte) error {
	text = uncommented(text)
	err := d.read(text)
	if err == nil {
		return nil
	}
	for d.budget == nil || d.budget.look() {
		_, behind, found := bytes.Cut(text, []byte("="))
		at := bytes.IndexAny(behind, "{[")
		if !found || at < 0 {
			break
		}
		if text = behind[at:]; d.begin(text) == nil {
			return nil
		}
	}
	return err
}

// uncommented leaves out <!-- and --> around a script, which hid it from the browsers of 1995, and still do.
func uncommented(text []byte) []byte {
	text = bytes.TrimSpace(trimMark(text))
	text = bytes.TrimPrefix(text, []byte("<!--"))
	return bytes.TrimSpace(bytes.TrimSuffix(text, []byte("-->")))
}
