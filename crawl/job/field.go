package job

import (
	"regexp"
	"slices"
	"strings"

	"dogear/schema"
)

// field reads one field, short (a selector) or long (a map). It returns the nodes of its properties, with its name's
// as "name", for messages about what they mean together.
func (l *loader) field(f *schema.Field, e entry) (Source, map[string]*node) {
	name := "the field " + shorten(e.key.text)
	if e.value.kind != dict {
		source, _ := l.short(e.value, name)
		return source, map[string]*node{"name": e.key}
	}
	if l.selectorAsMap(e) {
		return Source{}, nil
	}
	m, source := l.long(&fieldKeys, e.value, e.key, sourceKeys)
	l.cleaning(f, m)
	if f.Type.Kind == schema.JSON && source.Join != nil {
		l.at(m["join"], "join makes one text of several, which is no JSON: leave it out, or the type")
	}
	m["name"] = e.key
	return source, m
}

// selectorAsMap reports title: {a: b} and its likes: a map of which no key is meant to be one.
func (l *loader) selectorAsMap(e entry) bool {
	for _, pair := range e.value.entries {
		key := pair.key.text
		if slices.Contains(fieldKeys.known, key) || nearest(key, fieldKeys.known) != "" {
			return false
		}
	}
	l.at(e.value, "YAML took the value of %s for a map; a selector with a colon or a brace needs quotes (a map here has css, json, meta or value)", shorten(e.key.text))
	return true
}

// cleaning reads what a long-form field says besides its source.
func (l *loader) cleaning(f *schema.Field, m map[string]*node) {
	if n := m["type"]; n != nil {
		if text, ok := l.text(n, "type"); ok {
			t, err := schema.ParseType(text)
			if err != nil {
				l.badValue(n, err)
			}
			f.Type = t
		}
	}
	for what, flag := range map[string]*bool{"required": &f.Required, "clamp": &f.Clamp} {
		if n := m[what]; n != nil {
			*flag = l.boolean(n, what)
		}
	}
	for what, re := range map[string]**regexp.Regexp{"match": &f.Match, "remove": &f.Remove} {
		if n := m[what]; n != nil {
			*re = l.expression(n, what)
		}
	}
	for what, value := range map[string]**string{"min": &f.Min, "max": &f.Max, "default": &f.Default} {
		if n := m[what]; n != nil {
			if text, ok := l.text(n, what); ok {
				*value = &text
			}
		}
	}
	if n := m["in"]; n != nil {
		for _, item := range l.many(n, "in") {
			if text, ok := l.text(item, "in"); ok {
				f.In = append(f.In, text)
			}
		}
	}
	if n := m["decimal"]; n != nil {
		f.Decimal, _ = l.choice(n, "decimal", ",", ".")
	}
	if n := m["layout"]; n != nil {
		if f.Layout, _ = l.text(n, "layout"); n.kind == scalar && strings.TrimSpace(f.Layout) == "" {
			l.nothing(n, "layout")
		}
	}
}
