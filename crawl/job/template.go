package job

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Limits of a URL with braces. Its parser calls itself for braces inside braces.
const (
	maxTemplate = 100_000 // bytes
	maxBraces   = 20      // inside each other
)

// template is a start's URL, with texts, braces and parameters, and what its requests bring along.
type template struct {
	pieces []piece
	method string
	body   []piece
	dims   []dim // what varies, in the order of URL and body: a parameter that stands there twice counts once
}

// piece is a text or a dimension of the template.
type piece struct {
	text string
	dim  int // index into dims; -1: text

	// Of a dimension in a body, or one that is read: how it stands there. Of one in a body: its values like that.
	encoding encoding
	values   series
	whole    bool // it is all of a value of JSON
}

// dim is one thing that varies: braces, or a {NAME} whose values stand beside the URL.
type dim struct {
	name   string // "" for braces
	values series // nil until the values of {NAME} are known
}

var parameterName = regexp.MustCompile(`^[\p{L}_][\p{L}\p{N}_]*$`)

// parseTemplate reads a URL, in which braces that are masked are text. Errors are for people and may quote it.
func parseTemplate(url string) (*template, error) {
	if len(url) > maxTemplate {
		return nil, fmt.Errorf("the URL is longer than %d characters", maxTemplate)
	}
	t := &template{}
	err := scanBraces(url, func(text string) {
		t.pieces = append(t.pieces, piece{text: unmask(text), dim: -1})
	}, func(inside string) error {
		if parameterName.MatchString(inside) {
			t.parameter(inside)
			return nil
		}
		values, err := parseBraces(inside, 1)
		if err != nil {
			return err
		}
		t.pieces = append(t.pieces, piece{dim: len(t.dims)})
		t.dims = append(t.dims, dim{values: values})
		return nil
	})
	return t, err
}

func (t *template) parameter(name string) {
	at := t.find(name)
	if at < 0 {
		at = len(t.dims)
		t.dims = append(t.dims, dim{name: name})
	}
	t.pieces = append(t.pieces, piece{dim: at})
}

// find returns the dimension of a parameter; -1 when the URL has no {name}.
func (t *template) find(name string) int {
	for i, d := range t.dims {
		if d.name == name {
			return i
		}
	}
	return -1
}

// total multiplies all dimensions.
func (t *template) total() (int64, error) {
	n := int64(1)
	for _, d := range t.dims {
		var ok bool
		if n, ok = times(n, d.values.count()); !ok {
			return 0, errTooMany
		}
	}
	return n, nil
}

// scanBraces splits s at its outermost braces.
func scanBraces(s string, text func(string), braces func(inside string) error) error {
	for s != "" {
		open := strings.IndexAny(s, "{}")
		if open < 0 {
			text(s)
			return nil
		}
		if s[open] == '}' {
			return errors.New("a } without its { in the URL; write %7D for the character itself")
		}
		if open > 0 {
			text(s[:open])
		}
		end := closing(s[open:])
		if end < 0 {
			return errors.New("a { without its } in the URL; write %7B for the character itself")
		}
		if err := braces(s[open+1 : open+end]); err != nil {
			return err
		}
		s = s[open+end+1:]
	}
	return nil
}

// closing returns where the brace closes that s begins with; -1 when nowhere.
func closing(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// parseBraces reads what stands between braces: a range or alternatives, which may have braces of their own.
func parseBraces(inside string, depth int) (series, error) {
	if depth > maxBraces {
		return nil, fmt.Errorf("more than %d braces inside each other", maxBraces)
	}
	if values, err := parseRange(inside); !errors.Is(err, errRange) {
		return values, err
	}
	alternatives := splitCommas(inside)
	switch {
	case strings.ContainsAny(inside, " \t\n"):
		return nil, fmt.Errorf("{%s}: no spaces inside braces", shorten(inside))
	case len(alternatives) == 1 && parameterName.MatchString(inside):
		return nil, fmt.Errorf("{%s}: a parameter can't stand inside other braces", shorten(inside))
	case len(alternatives) == 1:
		return nil, fmt.Errorf("{%s} is no range {1..20}, no alternatives {a,b} and no parameter {name}; write %%7B and %%7D for braces themselves", shorten(inside))
	}
	if !strings.Contains(inside, "{") && !strings.Contains(inside, "}") {
		for i, a := range alternatives {
			alternatives[i] = unmask(a)
		}
		return words{list: alternatives}.indexed(), nil
	}
	var parts []series
	for _, a := range alternatives {
		part, err := parseAlternative(a, depth)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return newChoice(parts)
}

// parseAlternative reads one of the alternatives, such as b{1..3}.
func parseAlternative(s string, depth int) (series, error) {
	var parts []series
	err := scanBraces(s, func(text string) {
		parts = append(parts, words{list: []string{unmask(text)}}.indexed())
	}, func(inside string) error {
		part, err := parseBraces(inside, depth+1)
		parts = append(parts, part)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(parts) == 0 {
		return words{list: []string{""}}.indexed(), nil
	}
	return newProduct(parts)
}

// splitCommas splits at the commas that are not inside braces.
func splitCommas(s string) []string {
	var parts []string
	depth, from := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, s[from:i])
				from = i + 1
			}
		}
	}
	return append(parts, s[from:])
}
