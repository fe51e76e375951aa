package job

import (
	"maps"
	"math"
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

// long reads a map that has a source among other keys: {css: …}, {json: …}, both of them, {meta: …} or {value: …}.
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
	switch {
	case len(found) == 0 && !sound:
		return m, s
	case slices.Equal(found, []string{"css", "json"}):
		s, _ = l.source("css", m["css"])
		in, _ := l.source("json", m["json"])
		s.JSON = in.JSON
	case len(found) == 1:
		s, _ = l.source(found[0], m[found[0]])
	default:
		problem := "needs"
		if len(found) > 0 {
			problem = "has " + strings.Join(found, " and ") + ", but takes"
		}
		l.at(at, "this %s exactly one of %s", problem, strings.Join(allowed, ", "))
		return m, s
	}
	l.dressing(&s, m)
	return m, s
}

// dressing reads what else is said about a source: up, take and join.
func (l *loader) dressing(s *Source, m map[string]*node) {
	onPage := s.CSS != "" || s.Attr != "" || s.JSON != ""
	for _, key := range []string{"up", "take", "join"} {
		if n := m[key]; n != nil && !onPage && (s.Meta != "" || s.Value != nil) {
			l.at(n, "%s is for what stands on the page (css or json)", key)
			return
		}
	}
	if n := m["up"]; n != nil {
		v, _ := l.integer(n, "up", 1, math.MaxInt32)
		s.Up = int(v)
	}
	if n := m["take"]; n != nil {
		s.Take, _ = l.choice(n, "take", TakeText, TakeOwn, TakeHTML, TakeOuter)
		if s.Take != "" && s.Take != TakeText && (s.Attr != "" || s.JSON != "") {
			l.at(n, "take says what of an element is meant, and this is no element: it goes with a css without @attribute and json")
		}
	}
	if n := m["join"]; n != nil {
		if text, ok := l.text(n, "join"); ok {
			s.Join = &text
		}
	}
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

// meta reads the name of a fact about the request.
func (l *loader) meta(n *node) (Source, bool) {
	text, ok := l.text(n, "meta")
	if !ok {
		return Source{}, false
	}
	given := l.givenNames()
	if slices.Contains(metas, text) || given[text] {
		return Source{Meta: text}, true
	}
	if name, ok := strings.CutPrefix(text, paramPrefix); ok && l.columns && len(n.filled) == 0 {
		l.job.columns = append(l.job.columns, wanted{name, l.spot(n)})
		return Source{Meta: text}, true
	}
	known := slices.Clone(metas)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if known = append(known, name); len(known) == 20 {
			break
		}
	}
	hint := "param.NAME is a {NAME} in the URL of a start"
	if strings.HasPrefix(n.raw, carryPrefix) {
		hint = "carry.NAME is in the carry of a follow that leads to this kind of page"
	}
	l.at(n, "meta is one of %s, not %s%s (%s)", strings.Join(known, ", "), n.quote(), meant(n, known), hint)
	return Source{}, false
}

const (
	paramPrefix = "param."
	carryPrefix = "carry."
)

// givenNames are the facts that a page of this kind may have been given on the way: the parameters of the starts, and what
// links to it take along.
func (l *loader) givenNames() map[string]bool {
	names := map[string]bool{}
	for name := range l.params {
		names[paramPrefix+name] = true
	}
	for name := range l.given[l.kind] {
		names[carryPrefix+name] = true
	}
	if len(l.job.Sitemaps) > 0 {
		names[carryLastMod] = true
	}
	return names
}
