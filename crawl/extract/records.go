package extract

import (
	"golang.org/x/net/html"

	"dogear/schema"
)

// element is what a record is read from: an element of HTML, a token of JSON, or, when a record has no source in
// the page's text, neither.
type element struct {
	node  *html.Node
	doc   *document
	token int
}

// read adds the records of one table to res. The error is why the page cannot be read.
func (r *records) read(v *view, res *Result) error {
	raw := make([]schema.Raw, len(r.sources))
	if r.each != nil {
		return v.every(r.each, func(e element) { r.record(v, e, raw, res) })
	}
	e, err := r.whole(v)
	if err == nil {
		r.record(v, e, raw, res)
	}
	return err
}

// record reads one record, its raw texts into raw, and adds it to res.
func (r *records) record(v *view, e element, raw []schema.Raw, res *Result) {
	for i := range r.sources {
		raw[i] = r.sources[i].read(v, e)
		v.take(len(raw[i].Text))
	}
	row, reject := r.table.Clean(raw, v.base)
	if row != nil {
		res.Rows = append(res.Rows, *row)
	} else {
		res.Rejects = append(res.Rejects, *reject)
	}
}

// whole returns the element of a record that is the page.
func (r *records) whole(v *view) (element, error) {
	for i := range r.sources {
		s := &r.sources[i]
		switch {
		case s.meta != "" || s.value != nil:
		case s.sel != nil && s.sel.path != nil:
			d, err := v.asJSON(s.sel.text)
			return element{doc: d}, err
		default:
			doc, err := v.asHTML(s.String())
			if err != nil {
				return element{}, err
			}
			return element{node: doc.Nodes[0]}, nil
		}
	}
	return element{}, nil
}

// every calls one with each match of a selector.
func (v *view) every(s *selector, one func(element)) error {
	if s.path != nil {
		d, err := v.asJSON(s.text)
		if err == nil {
			s.path.all(d, 0, func(i int) bool { one(element{doc: d, token: i}); return true })
		}
		return err
	}
	doc, err := v.asHTML(s.text)
	if err != nil {
		return err
	}
	for _, n := range doc.FindMatcher(v.matcher(s.css)).Nodes {
		if !v.step() {
			break // what is there by now is given up: see Rules.extract
		}
		one(element{node: n})
	}
	return nil
}
