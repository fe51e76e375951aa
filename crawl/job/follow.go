package job

import "math"

// follow reads which links of a page become tasks: a selector, or a map with more to it.
func (l *loader) follow(n *node) (Follow, bool) {
	f := Follow{Within: WithinHost}
	if n.kind != dict {
		source, ok := l.short(n, "follow")
		f.Source, f.Page = source, l.pageRef(nil, n, "follow")
		return f, ok
	}
	m, source := l.long(&followKeys, n, n, []string{"css", "json"})
	f.Source = source
	f.Page = l.pageRef(m["as"], n, "follow")
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
