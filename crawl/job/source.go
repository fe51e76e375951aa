package job

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// attribute is what @href at the end of a CSS selector looks like. An @ inside quotes or brackets is none: what follows
// it is no name to the end.
var attribute = regexp.MustCompile(`^(.*)@([\p{L}_][\p{L}\p{N}_:.-]*)$`)

// metas are the facts about a request that a field can have for its source.
var metas = []string{"url", "final_url", "status", "fetched_at"}

// sourceKeys are the keys of a long-form source, of which there is exactly one.
var sourceKeys = []string{"css", "json", "meta", "value"}

// short reads the short form of a source: JSONPath when it begins with $, else CSS.
func (l *loader) short(n *node, what string) (s Source, ok bool) {
	text, ok := l.selectorText(n, what)
	if !ok {
		return s, false
	}
	if isJSON(text) {
		return Source{JSON: text}, l.check(n, what, text, checkJSONPath)
	}
	return l.css(n, what, text)
}

// long reads a map that has a source among other keys: {css: …}, {json: …}, {meta: …} or {value: …}.
func (l *loader) long(k *keys, of, at *node, allowed []string) (m map[string]*node, s Source) {
	mark := l.mark()
	m = k.read(l.report, of)
	sound := l.quietSince(mark)
	var found []string
	for _, key := range allowed {
		if m[key] != nil {
			found = append(found, key)
		}
	}
	if len(found) == 0 && !sound {
		return m, s
	}
	if len(found) != 1 {
		problem := "needs"
		if len(found) > 1 {
			problem = "has " + strings.Join(found, " and ") + ", but takes"
		}
		l.at(at, "this %s exactly one of %s", problem, strings.Join(allowed, ", "))
		return m, s
	}
	s, _ = l.source(found[0], m[found[0]])
	return m, s
}

func (l *loader) source(key string, n *node) (Source, bool) {
	switch key {
	case "meta":
		return l.meta(n)
	case "value":
		text, ok := l.text(n, key)
		return Source{Value: &text}, ok
	}
	text, ok := l.selectorText(n, key)
	switch {
	case !ok:
		return Source{}, false
	case key == "json":
		return Source{JSON: text}, l.check(n, key, text, checkJSONPath)
	}
	return l.css(n, key, text)
}

// css splits a.name@href into selector and attribute.
func (l *loader) css(n *node, what, text string) (Source, bool) {
	s := Source{CSS: text}
	if m := attribute.FindStringSubmatch(text); m != nil {
		s.CSS, s.Attr = strings.TrimSpace(m[1]), m[2]
	}
	if s.CSS == "" {
		return s, true
	}
	return s, l.check(n, what, s.CSS, checkCSS)
}

// meta reads the name of a fact about the request. param.NAME must be a parameter of a start.
func (l *loader) meta(n *node) (Source, bool) {
	text, ok := l.text(n, "meta")
	if !ok {
		return Source{}, false
	}
	if slices.Contains(metas, text) || strings.HasPrefix(text, "param.") && l.params[text[len("param."):]] {
		return Source{Meta: text}, true
	}
	known := slices.Clone(metas)
	for _, name := range slices.Sorted(maps.Keys(l.params)) {
		if known = append(known, "param."+name); len(known) == 20 {
			break
		}
	}
	l.at(n, "meta is one of %s, not %s%s (param.NAME is a {NAME} in the URL of a start)", strings.Join(known, ", "), n.quote(), meant(n, known))
	return Source{}, false
}
