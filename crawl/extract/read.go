package extract

import (
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"dogear/schema"
)

// read returns the raw text of one field.
func (s *source) read(v *view, e element) schema.Raw {
	switch {
	case s.value != nil:
		return schema.Raw{Text: *s.value, Found: true}
	case s.meta != "":
		return v.meta(s.meta)
	}
	for range s.up {
		e = *e.up
	}
	if s.join != nil {
		return s.joined(v, e)
	}
	if found, ok := s.first(v, e); ok {
		return s.raw(v, found)
	}
	return schema.Raw{}
}

// first returns what the source selects first in an element.
func (s *source) first(v *view, e element) (element, bool) {
	switch {
	case s.sel == nil:
		return e, e.doc != nil || e.node != nil
	case s.sel.script:
		return s.firstInScripts(v, e)
	case s.sel.path != nil:
		i := s.sel.path.first(e.doc, e.token)
		return element{doc: e.doc, token: i}, i >= 0
	}
	n := cascadia.Query(e.node, v.matcher(s.sel.css))
	return element{node: n}, n != nil
}

// firstInScripts is first for JSON in elements; its closure would make all others slower.
func (s *source) firstInScripts(v *view, e element) (found element, ok bool) {
	_ = v.scripts(v.elements(e.node, s.sel), s.sel, func(in element) bool { found, ok = in, true; return false })
	return found, ok // where there is no JSON, there is nothing
}

// all calls yield with everything that the source selects in an element, until it says false.
func (s *source) all(v *view, e element, yield func(element) bool) {
	switch {
	case s.sel == nil:
		yield(e)
	case s.sel.script:
		_ = v.scripts(v.elements(e.node, s.sel), s.sel, yield) // where there is no JSON, there is nothing
	case s.sel.path != nil:
		s.sel.path.all(e.doc, e.token, func(i int) bool { return yield(element{doc: e.doc, token: i}) })
	default:
		for _, n := range v.elements(e.node, s.sel) {
			if !yield(element{node: n}) {
				return
			}
		}
	}
}

// joined is the text of all that the source selects.
func (s *source) joined(v *view, e element) schema.Raw {
	var b strings.Builder
	raw := schema.Raw{JSON: true}
	s.all(v, e, func(found element) bool {
		one := s.raw(v, found)
		raw.Found = raw.Found || one.Found
		text := strings.TrimSpace(one.Text)
		if text == "" {
			return true
		}
		if b.Len() > 0 {
			b.WriteString(*s.join)
		}
		b.WriteString(text)
		raw.JSON = raw.JSON && one.JSON
		return b.Len() <= v.text // no more than that is taken, so it is given up with the page
	})
	raw.Text, raw.JSON = b.String(), raw.JSON && b.Len() > 0
	return raw
}

// raw returns the text of something that was found.
func (s *source) raw(v *view, found element) schema.Raw {
	if found.doc != nil {
		return s.fromJSON(found)
	}
	return s.fromHTML(v, found.node)
}

func (s *source) fromHTML(v *view, n *html.Node) schema.Raw {
	if s.attr == "" {
		text, found := s.taken(n)
		return schema.Raw{Text: text, Found: found}
	}
	text, found := attribute(n, s.attr)
	if s.link {
		text = v.sent(text)
	}
	return schema.Raw{Text: text, Found: found}
}

func (s *source) fromJSON(e element) schema.Raw {
	kind := e.doc.tokens[e.token].kind
	if kind == 'n' {
		return schema.Raw{}
	}
	if s.whole {
		return schema.Raw{Text: e.doc.compact(e.token), Found: true, JSON: true}
	}
	// A number in a string has the point that programs write, unless the job knows better.
	machine := !s.comma || kind != '"'
	return schema.Raw{Text: e.doc.scalar(e.token), Found: true, JSON: machine}
}
