package job

import "slices"

// each reads what records or links stand in: a selector, {css: …, json: …}, or a list of those, outer to inner.
func (l *loader) each(n *node) []Selector {
	var path []Selector
	for _, item := range l.many(n, "each") {
		s, ok := l.eachOf(item)
		if !ok {
			return nil
		}
		if len(path) > 0 && !l.within(path[len(path)-1], s, item.quote(), "the one before", item) {
			return nil
		}
		path = append(path, s)
	}
	return path
}

func (l *loader) eachOf(n *node) (Selector, bool) {
	if n.kind != dict || !slices.ContainsFunc(n.entries, isEachKey) {
		text, ok := l.selector(n, "each") // which knows what YAML made of a selector
		if isJSON(text) {
			return Selector{JSON: text}, ok
		}
		return Selector{CSS: text}, ok
	}
	mark := l.mark()
	_, s := l.long(&eachKeys, n, n, eachKeys.known)
	if s.Attr != "" && s.JSON == "" && l.quietSince(mark) {
		l.at(n.value("css"), "nothing stands in an attribute, unless json says what of the JSON in it is meant")
	}
	return Selector{s.CSS, s.Attr, s.JSON}, l.quietSince(mark)
}

// isEachKey says whether a key of a map is meant to be one of each.
func isEachKey(e entry) bool { return nearest(e.key.text, eachKeys.known) != "" }

// within holds a selector against what it selects in: there are no elements in JSON, and JSON in an element only where
// css says so. what and in name the two for the message.
func (l *loader) within(outer, s Selector, what, in string, at *node) bool {
	switch inElement := s.CSS != "" || s.Attr != ""; {
	case outer.json() && inElement:
		l.at(at, "%s is a CSS selector, but %s is JSONPath, and there are no elements in JSON", what, in)
	case !outer.json() && s.json() && !inElement:
		l.at(at, "%s is JSONPath, but %s is a CSS selector, and there is no JSON in an element "+
			"(unless css beside json says in which, as in {css: script, json: $.name})", what, in)
	default:
		return true
	}
	return false
}

// fits holds a source against each. n is its map, or its short form.
func (l *loader) fits(s *Source, each []Selector, name string, n *node) {
	if s.CSS == "" && s.Attr == "" && s.JSON == "" {
		return
	}
	if s.Up > 0 && s.Up >= len(each) {
		if len(each) < 2 {
			l.at(n.value("up"), "up is for an each of several selectors: with each: [.order, .line] up: 1 reads from the .order")
		} else {
			l.at(n.value("up"), "up: %d is too far out: each has %d selectors, so up is at most %d", s.Up, len(each), len(each)-1)
		}
		return
	}
	if len(each) > 0 {
		l.within(each[len(each)-1-s.Up], Selector{s.CSS, s.Attr, s.JSON}, shorten(name), "each", n)
	}
}
