package extract

import (
	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

// element is what a record is read from: an element of HTML, a token of JSON, or, when a record has no source in
// the page's text, neither.
type element struct {
	node  *html.Node
	doc   *document
	token int
	up    *element // what it was found in: the match of the selector before, or the page
}

// every calls one with each match of the last of several selectors, of which each selects within the matches of the one
// before.
func (v *view) every(each []*selector, one func(element)) error {
	page, err := v.whole(each[0])
	if err != nil {
		return err
	}
	w := walker{view: v, one: one}
	return w.below(&page, nil, each)
}

// whole returns the page as what a selector selects in.
func (v *view) whole(s *selector) (element, error) {
	if s.ofJSON() {
		d, err := v.asJSON(s.text)
		return element{doc: d}, err
	}
	doc, err := v.asHTML(s.text)
	if err != nil {
		return element{}, err
	}
	return element{node: doc.Nodes[0]}, nil
}

// elements returns what a selector's CSS selects within a node; without CSS that is the node.
func (v *view) elements(n *html.Node, s *selector) []*html.Node {
	if s.css == nil {
		return []*html.Node{n}
	}
	return cascadia.QueryAll(n, v.matcher(s.css))
}

// walker goes through the matches of selectors within each other.
type walker struct {
	*view
	one func(element)
}

// below goes through what the rest of the selectors select within outer. peers is what was selected with it.
func (w *walker) below(outer *element, peers peers, rest []*selector) error {
	s := rest[0]
	if s.ofJSON() || outer.doc != nil {
		var err error
		s.path.all(outer.doc, outer.token, func(i int) bool {
			err = w.match(element{doc: outer.doc, token: i, up: outer}, nil, rest)
			return err == nil
		})
		return err
	}
	nodes := peers.nearest(outer.node, w.elements(outer.node, s))
	if s.script {
		var err error
		none := w.scripts(nodes, s, func(e element) bool {
			e.up = outer
			err = w.match(e, nil, rest)
			return err == nil
		})
		if none != nil {
			return none
		}
		return err
	}
	among := newPeers(nodes, rest)
	for _, n := range nodes {
		if !w.step() {
			break // what is there by now is given up: see Rules.extract
		}
		if err := w.match(element{node: n, up: outer}, among, rest); err != nil {
			return err
		}
	}
	return nil
}

// match goes on with a match of the first of the selectors.
func (w *walker) match(e element, peers peers, rest []*selector) error {
	if len(rest) == 1 {
		w.one(e)
		return nil
	}
	outer := e // e itself would have to be kept, for every record
	return w.below(&outer, peers, rest[1:])
}

// peers are the matches of one selector. An element that stands within several of them, which stand within each other,
// belongs to the nearest: so it is one record, however the outer ones are nested. nil: there is only one.
type peers map[*html.Node]bool

func newPeers(nodes []*html.Node, rest []*selector) peers {
	if len(nodes) < 2 || len(rest) == 1 {
		return nil
	}
	p := make(peers, len(nodes))
	for _, n := range nodes {
		p[n] = true
	}
	return p
}

// nearest leaves out the nodes that stand nearer to another one of the peers than to outer.
func (p peers) nearest(outer *html.Node, nodes []*html.Node) []*html.Node {
	if p == nil {
		return nodes
	}
	own := nodes[:0]
	for _, n := range nodes {
		at := n.Parent
		for at != nil && at != outer && !p[at] {
			at = at.Parent
		}
		if at == outer || n == outer {
			own = append(own, n)
		}
	}
	return own
}
