package job

import (
	"errors"

	"dogear/schema"
)

// carried are the names that links take along, by the kind of page that they lead to.
type carried map[string]map[string]bool

// carriers finds out what links take along before any rule is read, because fields may ask for it. What is wrong with those
// rules is reported when they are read.
func (l *loader) carriers(kinds []pageKind) carried {
	found := carried{}
	for _, kind := range kinds {
		for _, follow := range listed(kind.rules["follow"]) {
			names := follow.value("carry")
			if names == nil {
				continue
			}
			page := kinds[0].name
			if as := follow.value("as"); as != nil {
				page = as.text
			}
			if found[page] == nil {
				found[page] = map[string]bool{}
			}
			for _, e := range names.entries {
				found[page][e.key.text] = true
			}
		}
	}
	return found
}

// carry reads what a link takes along: names, and where their texts are, like the fields of a record of text.
func (l *loader) carry(n *node, each []Selector) Carry {
	if n.kind != dict || len(n.entries) == 0 {
		if n.kind != broken {
			l.at(n, "carry is a map of names and selectors, such as carry: {category: .category}, not %s", n.what())
		}
		return Carry{}
	}
	c := Carry{Table: &schema.Table{Name: "carry"}}
	seen := map[string]*node{}
	for _, e := range n.entries {
		if l.again(seen, e) {
			continue
		}
		seen[e.key.text] = e.value
		f, source := l.carriedText(e)
		l.fits(&source, each, e.key.text, e.value)
		c.Table.Fields = append(c.Table.Fields, f)
		c.Sources = append(c.Sources, source)
	}
	if err := c.Table.Compile(); err != nil {
		l.carryProblem(n, err)
	}
	return c
}

func (l *loader) carriedText(e entry) (schema.Field, Source) {
	f := schema.Field{Name: e.key.text}
	if e.value.kind != dict {
		source, _ := l.short(e.value, shorten(e.key.text))
		return f, source
	}
	m, source := l.long(&carriedKeys, e.value, e.key, sourceKeys)
	if n := m["match"]; n != nil {
		f.Match = l.expression(n, "match")
	}
	if n := m["remove"]; n != nil {
		f.Remove = l.expression(n, "remove")
	}
	return f, source
}

// carryProblem reports an error of schema at the name that it is about.
func (l *loader) carryProblem(n *node, err error) {
	at := n
	if wrong, ok := errors.AsType[*schema.FieldError](err); ok {
		at, err = n.keyOf(wrong.Field), wrong.Err
	}
	l.badValue(at, err)
}
