package extract

import (
	"errors"
	"fmt"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"dogear/schema"
)

// selector is CSS or a JSONPath, whichever is not nil.
type selector struct {
	text string
	css  cascadia.Selector
	path *path
}

// source is a Source made ready; sel is nil when it is the element itself, or no matter of the document.
type source struct {
	sel   *selector
	attr  string
	meta  string
	value *string
	link  bool // the field is of type url: an attribute is a link
	whole bool // the field is of type json: hand over the document, not a text
	comma bool // the field's decimal sign is a comma, in JSON strings too
}

func compileSelector(text string) (*selector, error) {
	if strings.HasPrefix(text, "$") {
		p, err := compilePath(text)
		return &selector{text: text, path: p}, err
	}
	css, err := cascadia.Compile(text)
	if err != nil {
		return nil, fmt.Errorf("css %q: %w", text, err)
	}
	return &selector{text: text, css: css}, nil
}

func compileSource(s Source) (source, error) {
	c := source{attr: strings.ToLower(s.Attr), meta: s.Meta, value: s.Value}
	kinds := 0
	for _, set := range []bool{s.CSS != "" || s.Attr != "", s.JSON != "", s.Meta != "", s.Value != nil} {
		if set {
			kinds++
		}
	}
	if kinds > 1 {
		return c, errors.New("more than one of css, json, meta and value")
	}
	var err error
	switch {
	case s.CSS != "":
		if strings.HasPrefix(s.CSS, "$") {
			return c, fmt.Errorf("css %q: this is a JSONPath", s.CSS)
		}
		c.sel, err = compileSelector(s.CSS)
	case s.JSON != "":
		if !strings.HasPrefix(s.JSON, "$") {
			return c, fmt.Errorf("json %q: a JSONPath starts with $", s.JSON)
		}
		c.sel, err = compileSelector(s.JSON)
	case s.Meta != "":
		err = checkMeta(s.Meta)
	}
	return c, err
}

// needs returns what the source selects; for one that is the element itself, that is each, or else all of the HTML.
func (s *source) needs(each *selector) *selector {
	switch {
	case s.sel != nil || s.meta != "" || s.value != nil:
		return s.sel
	case each != nil:
		return each
	}
	return &selector{text: s.String()}
}

// String returns the source as a job file has it.
func (s *source) String() string {
	text := ""
	if s.sel != nil {
		text = s.sel.text
	}
	if s.attr != "" {
		text += "@" + s.attr
	}
	return text
}

// read returns the raw text of one field.
func (s *source) read(v *view, e element) schema.Raw {
	switch {
	case s.value != nil:
		return schema.Raw{Text: *s.value, Found: true}
	case s.meta != "":
		return v.meta(s.meta)
	case e.doc != nil:
		return s.fromJSON(e)
	case e.node != nil:
		return s.fromHTML(v, e.node)
	}
	return schema.Raw{}
}

func (s *source) fromHTML(v *view, n *html.Node) schema.Raw {
	if s.sel != nil {
		if n = v.query(n, s.sel); n == nil {
			return schema.Raw{}
		}
	}
	if s.attr == "" {
		return schema.Raw{Text: textOf(n, s.whole), Found: true}
	}
	text, found := attribute(n, s.attr)
	if s.link {
		text = v.sent(text)
	}
	return schema.Raw{Text: text, Found: found}
}

func (s *source) fromJSON(e element) schema.Raw {
	i := e.token
	if s.sel != nil {
		i = s.sel.path.first(e.doc, i)
	}
	if i < 0 || e.doc.tokens[i].kind == 'n' {
		return schema.Raw{}
	}
	if s.whole {
		return schema.Raw{Text: e.doc.compact(i), Found: true, JSON: true}
	}
	// A number in a string has the point that programs write, unless the job knows better.
	machine := !s.comma || e.doc.tokens[i].kind != '"'
	return schema.Raw{Text: e.doc.scalar(i), Found: true, JSON: machine}
}
