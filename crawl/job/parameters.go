package job

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
)

// described is a parameter with its values, for the start's identity.
type described struct {
	name   string
	values series
	filled []string // the variables in them; none of those that stay as written
}

// parameters gives the URL's parameters their values and returns each one's canonical text, in the order of the URL.
func (l *loader) parameters(t *template, url *node, params []entry) []described {
	nodes := map[string]*node{}
	secret := t.privateParameters()
	for _, e := range params {
		if l.again(nodes, e) {
			continue
		}
		nodes[e.key.text] = e.value
		at := t.find(e.key.text)
		if at < 0 {
			l.strayParameter(t, url, e)
			continue
		}
		t.dims[at].values = l.values(e.value, e.key.text, secret[e.key.text])
	}
	var out []described
	for _, d := range t.dims {
		switch {
		case d.name == "":
		case slices.Contains(startWords, d.name):
			l.badValue(url, fmt.Errorf("{%s} in a URL can't be a parameter, because %s is a word of the start itself; choose another name", d.name, d.name))
		case nodes[d.name] == nil:
			name := shorten(d.name)
			l.badValue(url, fmt.Errorf("{%s} in the URL has no values: write them beside it, such as {url: \"https://host/{%s}\", %s: 1..100}", name, name, name))
		default:
			l.params[d.name] = true
			out = append(out, described{d.name, d.values, nodes[d.name].filledIn(secret[d.name])})
		}
	}
	return out
}

// strayParameter reports a key of a start that is no word of it and not in its URL.
func (l *loader) strayParameter(t *template, url *node, e entry) {
	name := e.key.text
	candidates := slices.Clone(startWords)
	if len(url.filled) == 0 {
		for _, d := range t.dims {
			if d.name != "" {
				candidates = append(candidates, d.name)
			}
		}
	}
	if near := nearest(name, candidates); near != "" {
		l.at(e.key, "unknown key %q, did you mean %q? (as a parameter it would stand in the URL as {%s})", shorten(name), near, shorten(name))
		return
	}
	where := "the URL has no"
	if len(t.body) > 0 {
		where = "neither the URL nor the body has"
	}
	l.at(e.key, "%s {%s}, so these values have no place", where, shorten(name))
}

// filledIn returns the variables that were filled in to a parameter's values; in a secret one only those in its ranges.
func (n *node) filledIn(secret bool) []string {
	if !secret {
		return n.variables()
	}
	var names []string
	for _, item := range append([]*node{n}, n.items...) {
		if _, err := parseRange(item.text); err == nil {
			names = append(names, item.filled...)
		}
	}
	return names
}

// values reads the values of a parameter: a range, a list, {from, to, step} or a single one. nil after a problem. Those of a
// secret parameter have their variables as written.
func (l *loader) values(n *node, name string, secret bool) series {
	switch n.kind {
	case list:
		return l.listed(n, name, secret)
	case dict:
		return l.fromTo(n)
	}
	if _, ok := l.text(n, name); !ok {
		return nil
	}
	if almostRange.MatchString(n.text) {
		l.at(n, "%s is neither a range (1..100) nor a list ([1, 2, 3]); write [%s] for this very text", n.quote(), n.quote())
		return nil
	}
	return l.value(n, secret)
}

// almostRange is what people write for a range or a list.
var almostRange = regexp.MustCompile(`^\s*-?\d+\s*(?:-|\.\.\.|:|~|\bto\b|,)\s*\d+(?:\s*,\s*\d+)*\s*$`)

// value reads one value: a range, or the text as it is.
func (l *loader) value(n *node, secret bool) series {
	values, err := parseRange(n.text)
	if errors.Is(err, errRange) {
		if secret && n.parts != nil {
			return words{list: []string{l.keepValue(n)}}.indexed()
		}
		return words{list: []string{n.text}}.indexed()
	}
	if err != nil {
		l.badValue(n, err)
		return nil
	}
	return values
}

// listed reads a list of values, of which any can be a range.
func (l *loader) listed(n *node, name string, secret bool) series {
	if len(n.items) == 0 {
		l.at(n, "%s has no values", name)
		return nil
	}
	var texts []string
	var parts []series
	for _, item := range n.items {
		if _, ok := l.text(item, name); !ok {
			return nil
		}
		part := l.value(item, secret)
		if part == nil {
			return nil
		}
		if w, single := part.(words); single {
			texts = append(texts, w.list...)
		}
		parts = append(parts, part)
	}
	if int64(len(texts)) == int64(len(parts)) {
		return words{list: texts}.indexed()
	}
	values, err := newChoice(parts)
	if err != nil {
		l.badValue(n, err)
		return nil
	}
	return values
}

// fromTo reads {from: 1, to: 99, step: 2}.
func (l *loader) fromTo(n *node) series {
	m := rangeKeys.read(l.report, n)
	texts := map[string]string{}
	for _, key := range rangeKeys.known {
		if m[key] != nil {
			var ok bool
			if texts[key], ok = l.text(m[key], key); !ok {
				return nil
			}
		} else if key != "step" {
			l.at(n, "this range has no %s", key)
			return nil
		}
	}
	values, err := newSpan(texts["from"], texts["to"], texts["step"])
	if err != nil {
		l.badValue(n, err, m["from"], m["to"], m["step"])
		return nil
	}
	return values
}
