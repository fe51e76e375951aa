package extract

import (
	"errors"
	"fmt"
	"strings"

	"github.com/andybalholm/cascadia"
)

// selector is a Selector made ready.
type selector struct {
	text   string
	css    cascadia.Selector // nil: it is a JSONPath of the page, or a script in the element itself
	path   *path             // nil: what it selects are elements
	script bool              // path is for JSON in an element's text, or in its attribute attr
	attr   string
}

// String returns the selector as a job file might have it.
func (s Selector) String() string {
	text := s.CSS
	if s.Attr != "" {
		text += "@" + s.Attr
	}
	if text != "" && s.JSON != "" {
		text += " "
	}
	return text + s.JSON
}

// parseSelector reads CSS or, with $ first, a JSONPath.
func parseSelector(text string) (*selector, error) {
	if strings.HasPrefix(text, "$") {
		return compileSelector(Selector{JSON: text})
	}
	return compileSelector(Selector{CSS: text})
}

func compileSelector(s Selector) (*selector, error) {
	c := &selector{text: s.String(), attr: strings.ToLower(s.Attr)}
	c.script = s.JSON != "" && (s.CSS != "" || s.Attr != "")
	var err error
	switch {
	case s == Selector{}:
		return nil, errors.New("an empty selector")
	case strings.HasPrefix(s.CSS, "$"):
		return nil, fmt.Errorf("css %q: this is a JSONPath", s.CSS)
	case s.JSON != "" && !strings.HasPrefix(s.JSON, "$"):
		return nil, fmt.Errorf("json %q: a JSONPath starts with $", s.JSON)
	case s.JSON != "":
		c.path, err = compilePath(s.JSON)
	}
	if s.CSS != "" && err == nil {
		if c.css, err = cascadia.Compile(s.CSS); err != nil {
			err = fmt.Errorf("css %q: %w", s.CSS, err)
		}
	}
	return c, err
}

// ofJSON says whether it selects in JSON that the page itself is.
func (s *selector) ofJSON() bool { return s.path != nil && !s.script }

// compileEach prepares selectors of which each selects within the matches of the one before.
func compileEach(each []Selector) ([]*selector, error) {
	var path []*selector
	for _, one := range each {
		s, err := compileSelector(one)
		if err == nil && one.JSON == "" && one.Attr != "" {
			err = fmt.Errorf("%q: nothing can stand in an attribute, unless json says what", s.text)
		}
		if err == nil && len(path) > 0 {
			err = fitsIn(path[len(path)-1], s)
		}
		if err != nil {
			return nil, fmt.Errorf("each: %w", err)
		}
		path = append(path, s)
	}
	return path, nil
}

// fitsIn refuses a selector that can find nothing within what another one selects.
func fitsIn(outer, s *selector) error {
	switch {
	case outer.path == nil && s.ofJSON():
		return fmt.Errorf("json %q: each is the CSS selector %q, and there is no JSON in an element (unless css says where)",
			s.text, outer.text)
	case outer.path != nil && s.path == nil:
		return fmt.Errorf("css %q: each is the JSONPath %q, and there are no elements in JSON", s.text, outer.text)
	case outer.path != nil && s.script:
		return fmt.Errorf("json %q: each is the JSONPath %q, and there are no elements in JSON", s.text, outer.text)
	}
	return nil
}
