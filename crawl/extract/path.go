package extract

import (
	"fmt"

	"github.com/theory/jsonpath"
	"github.com/theory/jsonpath/spec"
)

// path is an RFC 9535 query.
type path struct {
	text     string
	steps    []step          // of a path that selects at most one node ($.a.b[0]): walked directly
	singular bool            // steps is all there is
	segments []*spec.Segment // of any path
}

// step is one child to go to: a member or, with an empty object, an element.
type step struct {
	name  string
	index int
	array bool
}

func compilePath(text string) (*path, error) {
	parsed, err := jsonpath.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("json path %q: %w", text, err)
	}
	p := &path{text: text, segments: parsed.Query().Segments()}
	p.singular = parsed.Query().Singular() != nil
	if !p.singular {
		return p, nil
	}
	for _, s := range p.segments {
		switch sel := s.Selectors()[0].(type) {
		case spec.Name:
			p.steps = append(p.steps, step{name: string(sel)})
		case spec.Index:
			p.steps = append(p.steps, step{index: int(sel), array: true})
		default:
			return nil, fmt.Errorf("json path %q: unknown selector %s", text, sel)
		}
	}
	return p, nil
}

// first returns the first node that the path selects from root, -1 when it selects none.
func (p *path) first(d *document, root int) int {
	if !p.singular {
		found := -1
		p.all(d, root, func(i int) bool { found = i; return false })
		return found
	}
	for _, s := range p.steps {
		if s.array {
			root = d.element(root, s.index)
		} else {
			root = d.member(root, s.name)
		}
		if root < 0 {
			return -1
		}
	}
	return root
}

// all calls yield with every node that the path selects from root, in the order of the document, until it says
// false. As in the RFC, a node may come more than once.
func (p *path) all(d *document, root int, yield func(node int) bool) {
	w := walk{doc: d, root: root, yield: yield}
	w.segments(root, p.segments)
}

// walk is one evaluation of a path. Its methods say false when the caller wants no more.
type walk struct {
	doc   *document
	root  int
	yield func(int) bool
}

// segments goes depth first, which gives the RFC's order without lists in between.
func (w *walk) segments(node int, rest []*spec.Segment) bool {
	if w.doc.budget != nil && !w.doc.budget.step() {
		return false
	}
	if len(rest) == 0 {
		return w.yield(node)
	}
	if !rest[0].IsDescendant() {
		return w.selectors(node, rest)
	}
	for i, end := node, int(w.doc.tokens[node].next); i < end; i++ {
		if !w.doc.tokens[i].name && !w.selectors(i, rest) {
			return false
		}
	}
	return true
}

func (w *walk) selectors(node int, rest []*spec.Segment) bool {
	for _, s := range rest[0].Selectors() {
		if !w.selector(node, s, rest[1:]) {
			return false
		}
	}
	return true
}

func (w *walk) selector(node int, s spec.Selector, rest []*spec.Segment) bool {
	switch s := s.(type) {
	case spec.Name:
		return w.child(w.doc.member(node, string(s)), rest)
	case spec.Index:
		return w.child(w.doc.element(node, int(s)), rest)
	case spec.WildcardSelector:
		return w.doc.children(node, func(c int) bool { return w.segments(c, rest) })
	case spec.SliceSelector:
		return w.slice(node, s, rest)
	case *spec.FilterSelector:
		values := w.doc.values()
		return w.doc.children(node, func(c int) bool {
			return !s.Eval(values[c], values[w.root]) || w.segments(c, rest)
		})
	}
	return true
}

func (w *walk) child(i int, rest []*spec.Segment) bool {
	return i < 0 || w.segments(i, rest)
}

func (w *walk) slice(node int, s spec.SliceSelector, rest []*spec.Segment) bool {
	if w.doc.tokens[node].kind != '[' {
		return true
	}
	var elements []int
	w.doc.children(node, func(c int) bool { elements = append(elements, c); return true })
	lower, upper := s.Bounds(len(elements))
	for i := lower; s.Step() > 0 && i < upper; i += s.Step() {
		if !w.segments(elements[i], rest) {
			return false
		}
	}
	for i := upper; s.Step() < 0 && lower < i; i += s.Step() {
		if !w.segments(elements[i], rest) {
			return false
		}
	}
	return true
}
