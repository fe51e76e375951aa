package job

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// asking is what the requests of a start are like beside their URL: request: of the job, or of the start itself.
type asking struct {
	method string // "": GET
	body   *body  // nil: none
}

// body is what is sent with the requests of a start, as written.
type body struct {
	node   *node
	form   bool // else JSON
	pieces []bodyPart
}

// bodyPart is a piece of a body: text that is encoded already, a {NAME} that may be a parameter, or a ${NAME} that
// stays.
type bodyPart struct {
	text  string
	name  string // of the parameter
	whole bool   // of JSON: the {NAME} is all of its value, so it stands there without quotes
	node  *node
}

var methodWord = regexp.MustCompile(`^[A-Z][A-Z0-9_-]*$`)

// asking reads method, json and form.
func (l *loader) asking(m map[string]*node) asking {
	var a asking
	switch {
	case m["json"] != nil && m["form"] != nil:
		l.at(m["form"], "a request has json or form, not both")
	case m["json"] != nil:
		a.body = l.jsonBody(m["json"])
	case m["form"] != nil:
		a.body = l.formBody(m["form"])
	}
	if a.body != nil {
		a.method = "POST"
	}
	if n := m["method"]; n != nil {
		if text, ok := l.text(n, "method"); ok {
			a.method = text
			if !methodWord.MatchString(text) || !httpguts.ValidHeaderFieldName(text) || text == "CONNECT" || text == "TRACE" {
				l.at(n, "method is GET, POST, PUT or another method of HTTP in capitals, not %s%s", n.quote(),
					meant(n, []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"}))
			}
		}
	}
	if a.method == "GET" && a.body == nil {
		a.method = ""
	}
	return a
}

// jsonBody reads a map or a list, whose order of keys and digits of numbers it keeps.
func (l *loader) jsonBody(n *node) *body {
	b := &body{node: n}
	if n.kind != dict && n.kind != list {
		if n.kind != broken {
			l.at(n, "json is a map or a list, not %s", n.what())
		}
		return nil
	}
	l.jsonValue(b, n)
	return b
}

func (l *loader) jsonValue(b *body, n *node) {
	switch n.kind {
	case null:
		if hashInLine.MatchString(l.line(n.line)) {
			l.nothing(n, "this")
		}
		b.add("null")
	case list:
		b.add("[")
		for i, item := range n.items {
			b.comma(i)
			l.jsonValue(b, item)
		}
		b.add("]")
	case dict:
		l.jsonMap(b, n)
	case scalar:
		l.jsonScalar(b, n)
	}
}

func (l *loader) jsonMap(b *body, n *node) {
	if n.flow && len(n.entries) == 1 && n.entries[0].value.kind == null &&
		parameterName.MatchString(n.entries[0].key.text) {
		name := shorten(n.entries[0].key.text)
		l.at(n.entries[0].key, "{%s} without quotes is a map to YAML; a parameter is written in quotes: \"{%s}\"", name, name)
	}
	b.add("{")
	seen := map[string]*node{}
	for i, e := range n.entries {
		l.again(seen, e)
		seen[e.key.text] = e.value
		b.comma(i)
		b.add(`"` + jsonEscape(e.key.text) + `":`)
		l.jsonValue(b, e.value)
	}
	b.add("}")
}

// jsonNumber is a number as JSON has it: RFC 8259, section 6.
var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// jsonScalar writes numbers as they stand in the job file; what YAML does not take for a number, true or false is a
// string.
func (l *loader) jsonScalar(b *body, n *node) {
	switch {
	case n.typed == "true or false":
		b.add(strings.ToLower(n.raw))
	case n.plain && n.parts == nil && jsonNumber.MatchString(n.raw):
		b.add(n.raw)
	case n.typed == "a number":
		l.at(n, "JSON has no number like %s; put it in quotes for this very text", n.raw)
	case n.parts == nil && wholeName.MatchString(n.text):
		b.pieces = append(b.pieces, bodyPart{name: n.text[1 : len(n.text)-1], whole: true, node: n})
	default:
		b.add(`"`)
		l.bodyText(b, n)
		b.add(`"`)
	}
}

// formBody reads names and values; a list is a name that comes several times.
func (l *loader) formBody(n *node) *body {
	if n.kind != dict {
		if n.kind != broken {
			l.at(n, "form is a map of names and values, not %s", n.what())
		}
		return nil
	}
	b := &body{node: n, form: true}
	seen := map[string]*node{}
	for _, e := range n.entries {
		l.again(seen, e)
		seen[e.key.text] = e.value
		for _, value := range listed(e.value) {
			if len(b.pieces) > 0 {
				b.add("&")
			}
			b.add(url.QueryEscape(e.key.text) + "=")
			if value.kind == null && !hashInLine.MatchString(l.line(value.line)) {
				continue
			}
			if _, ok := l.text(value, e.key.text); ok {
				l.bodyText(b, value)
			}
		}
	}
	return b
}

func (b *body) add(text string) {
	if last := len(b.pieces) - 1; last >= 0 && b.pieces[last].name == "" {
		b.pieces[last].text += text
		return
	}
	b.pieces = append(b.pieces, bodyPart{text: text})
}

func (b *body) comma(i int) {
	if i > 0 {
		b.add(",")
	}
}

func (b *body) encoding() encoding {
	if b.form {
		return inForm
	}
	return inJSON
}

var (
	someName  = regexp.MustCompile(`\{[\p{L}_][\p{L}\p{N}_]*\}`)
	wholeName = regexp.MustCompile(`^\{[\p{L}_][\p{L}\p{N}_]*\}$`)
)

// bodyText writes a scalar. Its ${NAME}s stay as written: a body is stored, and what is in it may be secret.
func (l *loader) bodyText(b *body, n *node) {
	parts := n.parts
	if parts == nil {
		parts = []part{{text: n.text}}
	}
	for _, p := range parts {
		if p.ref != "" {
			b.add(b.encoding().reference(p.ref))
			l.bodySecrets[p.ref] = p
			continue
		}
		rest := p.text
		for _, at := range someName.FindAllStringIndex(p.text, -1) {
			from := at[0] - (len(p.text) - len(rest))
			b.add(b.encoding().encode(rest[:from]))
			b.pieces = append(b.pieces, bodyPart{name: p.text[at[0]+1 : at[1]-1], node: n})
			rest = p.text[at[1]:]
		}
		b.add(b.encoding().encode(rest))
	}
}

// String is the body as written, on one line.
func (b *body) String() string {
	var out strings.Builder
	for _, w := range b.pieces {
		out.WriteString(w.text)
		if w.name != "" {
			out.WriteString("{" + w.name + "}")
		}
	}
	return out.String()
}

// jsonEscape is the inside of a JSON string.
func jsonEscape(text string) string {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string always can be
	return strings.TrimSuffix(strings.TrimPrefix(out.String(), `"`), "\"\n")
}
