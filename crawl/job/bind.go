package job

import (
	"maps"
	"slices"
	"strings"
)

// bind puts a body into a start's template: {NAME}s that are its parameters become what varies, any other is text.
func (l *loader) bind(t *template, a asking, params []entry) {
	t.method = a.method
	if a.body == nil {
		return
	}
	values := map[string]*node{}
	for _, e := range params {
		values[e.key.text] = e.value
	}
	for _, w := range a.body.pieces {
		switch given := values[w.name]; {
		case w.name == "":
			t.text(w.text)
		case given == nil && w.whole:
			l.at(w.node,
				"%s in the body has no values: write them beside the URL of the start, such as {url: …, %s: 1..100}", w.node.quote(), shorten(w.name))
		case given == nil:
			t.text(t.apart(a.body.encoding().encode("{" + w.name + "}")))
		case w.whole && given.numbers():
			t.hole(w.name, asIs)
		case w.whole:
			t.text(`"`)
			t.hole(w.name, inJSON)
			t.text(`"`)
		default:
			t.hole(w.name, a.body.encoding())
		}
	}
}

// bindColumns puts a body into the template of a list: {NAME}s become what is read, those of names or, without names,
// all. Whether there is such a column is seen in the file.
func (l *loader) bindColumns(t *template, a asking, names []string) {
	t.method = a.method
	if a.body == nil {
		return
	}
	for _, w := range a.body.pieces {
		switch column := names == nil || slices.Contains(names, w.name); {
		case w.name == "":
			t.text(w.text)
		case !column && w.whole:
			l.at(w.node, "%s in the body has no values: the lines of the file are those of {%s}", w.node.quote(), names[0])
		case !column:
			t.text(t.apart(a.body.encoding().encode("{" + w.name + "}")))
		case w.whole: // text, even when it looks like a number: in a file there are no quotes to tell
			t.text(`"`)
			t.hole(w.name, inJSON)
			t.body[len(t.body)-1].whole = true
			t.text(`"`)
		default:
			t.hole(w.name, a.body.encoding())
		}
	}
}

// names are the {NAME}s of the body, each once.
func (a asking) names() (names []string) {
	if a.body == nil {
		return nil
	}
	for _, w := range a.body.pieces {
		if w.name != "" && !slices.Contains(names, w.name) {
			names = append(names, w.name)
		}
	}
	return names
}

func (t *template) text(s string) { t.body = append(t.body, piece{text: s, dim: -1}) }

// apart keeps a { from making a reference of the $ before it.
func (t *template) apart(s string) string {
	if n := len(t.body); n > 0 && strings.HasSuffix(t.body[n-1].text, "$") && s[0] == '{' {
		return `\u007b` + s[1:]
	}
	return s
}

func (t *template) hole(name string, e encoding) {
	at := t.find(name)
	if at < 0 {
		at = len(t.dims)
		t.dims = append(t.dims, dim{name: name})
	}
	t.body = append(t.body, piece{dim: at, encoding: e})
}

// keepOpen refuses ${NAME} in the values of parameters that a body has: they could not stay as written there.
func (l *loader) keepOpen(t *template, params []entry) {
	inBody := map[string]bool{}
	for _, p := range t.body {
		if p.dim >= 0 {
			inBody[t.dims[p.dim].name] = true
		}
	}
	for _, e := range params {
		if !inBody[e.key.text] {
			continue
		}
		for _, item := range listed(e.value) {
			if _, err := parseRange(item.text); err != nil && item.parts != nil {
				l.at(item,
					"the values of {%s} go into the body, where ${NAME} is kept out of the state file: write the ${NAME} in the body itself", shorten(e.key.text))
			}
		}
	}
}

// encode makes the values as they stand in the body, once the parameters have them.
func (t *template) encode() {
	for i := range t.body {
		if p := &t.body[i]; p.dim >= 0 && t.dims[p.dim].values != nil {
			p.values = p.encoding.series(t.dims[p.dim].values)
		}
	}
}

// numbers says whether the values of a parameter are whole numbers as JSON writes them: a range, or what stands
// without quotes.
func (n *node) numbers() bool {
	switch n.kind {
	case list:
		return len(n.items) > 0 && !slices.ContainsFunc(n.items, func(item *node) bool { return !item.numbers() })
	case dict:
		for _, key := range []string{"from", "to"} {
			if v := n.value(key); v == nil || zeros.MatchString(v.text) {
				return false
			}
		}
		return true
	case scalar:
		if values, err := parseRange(n.text); err == nil {
			s, whole := values.(span)
			return whole && s.width == 0
		}
		return n.plain && n.parts == nil && jsonNumber.MatchString(n.text)
	}
	return false
}

// fact is what a body adds to the identity of a start; "" for a plain GET.
func (a asking) fact() string {
	switch {
	case a.body == nil && a.method == "":
		return ""
	case a.body == nil:
		return a.method
	}
	kind, text := "json", a.body.String()
	if a.body.form {
		kind = "form"
	}
	if len(text) > maxFact {
		text = digest(text)
	}
	return a.method + " " + kind + "=" + text
}

// maxFact is the longest body that the identity of a start shows whole.
const maxFact = 300

// bodyNames are the parameters that stand in the body and not in the URL: they are private, like all of a body.
func (t *template) bodyNames(found map[string]bool) map[string]bool {
	for _, p := range t.body {
		if p.dim >= 0 {
			if _, inURL := found[t.dims[p.dim].name]; !inURL {
				found[t.dims[p.dim].name] = true
			}
		}
	}
	return maps.Clone(found)
}
