package job

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/andybalholm/cascadia"
	"github.com/theory/jsonpath"
)

// maxSelector keeps selectors, which their parsers read recursively, far from any limit of the stack. In bytes.
const maxSelector = 4000

var errLong = errors.New("too long")

// selector reads a CSS selector, or JSONPath when it begins with $.
func (l *loader) selector(n *node, what string) (string, bool) {
	text, ok := l.selectorText(n, what)
	if !ok {
		return "", false
	}
	if isJSON(text) {
		return text, l.check(n, what, text, checkJSONPath)
	}
	return text, l.check(n, what, text, checkCSS)
}

func isJSON(selector string) bool { return strings.HasPrefix(selector, "$") }

// selectorText reads a text that must be a selector, and knows what YAML makes of selectors without quotes.
func (l *loader) selectorText(n *node, what string) (string, bool) {
	switch n.kind {
	case dict:
		l.at(n, "%s is a selector, and YAML took it for a map because of a colon or a brace; put it in quotes", what)
		return "", false
	case list:
		l.at(n, "%s is a selector, and YAML took it for a list because of a bracket or a dash; put it in quotes, such as %q", what, "[data-id]")
		return "", false
	}
	text, ok := l.text(n, what)
	if !ok || l.cutByHash(n, what) {
		return "", false
	}
	text = strings.TrimSpace(text)
	if text == "" {
		l.at(n, "%s is an empty selector", what)
		return "", false
	}
	if word := strings.ToLower(text); n.plain && len(n.filled) == 0 && (n.typed != "" || word == "yes" || word == "no" || word == "on" || word == "off") {
		l.at(n, "%s is a selector such as h2, .price or $.price, not %s (for a constant write {value: %s})", what, n.quote(), shorten(n.raw))
		return "", false
	}
	return text, true
}

var hashAfter = regexp.MustCompile(`^\s+(#[^\s#]\S*)`)

// cutByHash reports title: div #price, of which YAML reads only div.
func (l *loader) cutByHash(n *node, what string) bool {
	line := []rune(l.line(n.line))
	if !n.plain || n.col > len(line) {
		return false
	}
	rest, found := strings.CutPrefix(string(line[n.col-1:]), n.raw)
	if !found {
		return false
	}
	at := hashAfter.FindStringSubmatch(rest)
	if at == nil {
		return false
	}
	l.at(n, "%s is only %q to YAML, because %s begins a comment; put the selector in quotes: %q (or a space after # if it is a comment)",
		what, shorten(n.raw), shorten(at[1]), shorten(n.raw+" "+at[1]))
	return true
}

// check runs one of the checks below and reports its error at the value.
func (l *loader) check(n *node, what, text string, check func(string) error) bool {
	err := errLong
	if len(text) <= maxSelector {
		err = check(text)
	}
	if err == nil {
		return true
	}
	if errors.Is(err, errLong) {
		err = fmt.Errorf("%w (more than %d characters)", errLong, maxSelector)
	}
	l.badValue(n, fmt.Errorf("%s: %w", what, err))
	return false
}

func checkCSS(text string) error {
	if _, err := cascadia.ParseGroup(text); err != nil {
		return fmt.Errorf("%q is not a CSS selector: %w", shorten(text), err)
	}
	return nil
}

func checkJSONPath(text string) error {
	if _, err := jsonpath.Parse(text); err != nil {
		return fmt.Errorf("%q is not JSONPath: %w", shorten(text), err)
	}
	return nil
}

// expression reads a regular expression of Go's syntax (RE2).
func (l *loader) expression(n *node, what string) *regexp.Regexp {
	if n.kind == list {
		l.at(n, "%s is a regular expression, and YAML took it for a list because of the brackets; put it in single quotes", what)
		return nil
	}
	text, ok := l.text(n, what)
	if !ok {
		return nil
	}
	var found *regexp.Regexp
	l.check(n, what, text, func(text string) (err error) {
		if found, err = regexp.Compile(text); err != nil {
			return fmt.Errorf("%q is not a regular expression (Go's syntax, RE2): %w", shorten(text), err)
		}
		return nil
	})
	return found
}
