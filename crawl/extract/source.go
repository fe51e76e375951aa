package extract

import (
	"errors"
	"fmt"
	"strings"
)

// source is a Source made ready; sel is nil when it is the element itself, or no matter of the document.
type source struct {
	sel   *selector
	attr  string // of an element; a script has its own
	meta  string
	value *string
	up    int
	take  string
	join  *string
	link  bool // the field is of type url: an attribute is a link
	whole bool // the field is of type json: hand over the document, not a text
	comma bool // the field's decimal sign is a comma, in JSON strings too
}

func compileSource(s Source) (source, error) {
	c := source{meta: s.Meta, value: s.Value, up: s.Up, take: s.Take, join: s.Join}
	place := Selector{s.CSS, s.Attr, s.JSON}
	kinds := 0
	for _, set := range []bool{place != Selector{}, s.Meta != "", s.Value != nil} {
		if set {
			kinds++
		}
	}
	if kinds > 1 {
		return c, errors.New("more than one of css, json, meta and value")
	}
	var err error
	switch {
	case s.Meta != "":
		err = checkMeta(s.Meta)
	case s.CSS != "" || s.JSON != "":
		c.sel, err = compileSelector(place)
	}
	if s.JSON == "" {
		c.attr = strings.ToLower(s.Attr)
	}
	if err == nil {
		err = c.consistent()
	}
	return c, err
}

// consistent refuses what says nothing about a source of this sort.
func (s *source) consistent() error {
	outside := s.meta != "" || s.value != nil
	switch s.take {
	case "", TakeText:
	case TakeOwn, TakeHTML, TakeOuter:
		if outside || s.attr != "" || s.sel != nil && s.sel.path != nil {
			return fmt.Errorf("take %q: it says what of an element is meant", s.take)
		}
	default:
		return fmt.Errorf("take %q: want text, own, html or outer", s.take)
	}
	if outside && (s.up != 0 || s.join != nil) {
		return errors.New("up and join are for what stands on the page")
	}
	return nil
}

// fits refuses a source that cannot be found within what Each selects.
func (s *source) fits(each []*selector) error {
	if s.meta != "" || s.value != nil {
		return nil
	}
	if s.up != 0 && (s.up < 0 || s.up >= len(each)) {
		return fmt.Errorf("up %d: each has %d selectors, so there is no match so far out", s.up, len(each))
	}
	if len(each) == 0 {
		return nil
	}
	outer := each[len(each)-1-s.up]
	switch {
	case s.attr != "" && outer.path != nil:
		return fmt.Errorf("attribute %q: each is the JSONPath %q, and JSON has no attributes", s.attr, outer.text)
	case s.sel != nil:
		return fitsIn(outer, s.sel)
	case s.take != "" && s.take != TakeText && outer.path != nil:
		return fmt.Errorf("take %q: each is the JSONPath %q, and there are no elements in JSON", s.take, outer.text)
	}
	return nil
}

// needs returns what the source selects in the page; for one that is the element itself, that is all of the HTML. What
// is within the matches of each, each answers for.
func (s *source) needs(each []*selector) *selector {
	switch {
	case len(each) > 0:
		return each[0]
	case s.sel != nil || s.meta != "" || s.value != nil:
		return s.sel
	}
	return &selector{text: s.String()}
}

// String returns the source as a job file has it.
func (s *source) String() string {
	text := ""
	if s.sel != nil {
		text = s.sel.text
	}
	if s.attr != "" && !strings.HasSuffix(text, "@"+s.attr) {
		text += "@" + s.attr
	}
	return text
}
