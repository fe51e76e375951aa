package job

import "math"

// follow reads which links of a page become tasks: a selector, or a map with more to it.
func (l *loader) follow(n *node) (Follow, bool) {
	f := Follow{Within: WithinHost}
	if n.kind != dict {
		source, ok := l.short(n, "follow")
		f.Source, f.Page = source, l.pageRef(nil, n, "follow")
		l.someElement(f.Source, n)
		return f, ok
	}
	m, source := l.long(&followKeys, n, n, []string{"css", "json"})
	f.Source = source
	if n := m["each"]; n != nil {
		f.Each = l.each(n)
	} else {
		l.someElement(f.Source, m["css"])
	}
	l.fits(&f.Source, f.Each, "follow", n)
	f.Page = l.pageRef(m["as"], n, "follow")
	if n := m["carry"]; n != nil {
		f.Carry = l.carry(n, f.Each)
	}
	if n := m["match"]; n != nil {
		f.Match = l.expression(n, "match")
	}
	if n := m["within"]; n != nil {
		f.Within, _ = l.choice(n, "within", WithinHost, WithinDomain, WithinAny)
	}
	if n := m["depth"]; n != nil {
		v, _ := l.integer(n, "depth", 0, math.MaxInt32)
		f.Depth = int(v)
	}
	return f, true
}

// someElement refuses an attribute of nothing: without each, links have no element that they stand in.
func (l *loader) someElement(s Source, n *node) {
	if s.CSS == "" && s.Attr != "" && s.JSON == "" {
		l.at(n, "%s is an attribute of no element: write a@%s for the links of a page, or each: beside it", n.quote(), shorten(s.Attr))
	}
}
