package schema

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// finding is what came of reading a text as a value.
type finding uint8

const (
	good       finding = iota // a value
	empty                     // nothing there
	unreadable                // not a value of the type
	ambiguous                 // two values could be meant: never guessed
	low                       // under the bounds of the field or of its type
	high                      // over them
	foreign                   // not one of the values allowed
)

// Clean turns what a page said, in the order of Fields (what is missing at the end counts as not found), into a row or
// into a reject that tells why; exactly one of the two is not nil. base is the page's base URL, for fields of type url.
// It never panics, whatever the texts are.
func (t *Table) Clean(raw []Raw, base string) (*Row, *Reject) {
	row := &Row{Table: t, Values: make([]any, len(t.Fields))}
	for i := range t.Fields {
		var r Raw
		if i < len(raw) {
			r = raw[i]
		}
		f := &t.Fields[i]
		text := f.cut(r)
		v, found := f.value(text, r.JSON, base)
		switch found {
		case good:
			row.Values[i] = v
			continue
		case empty, unreadable:
			if f.fallback != nil {
				row.Values[i], row.Defaulted = f.fallback, append(row.Defaulted, i)
				continue
			}
			if !f.Required && !f.key {
				continue
			}
		}
		return nil, t.reject(f, raw, text, found)
	}
	return row, nil
}

// cut applies Match and Remove, and trims.
func (f *Field) cut(r Raw) string {
	if !r.Found {
		return ""
	}
	s := r.Text
	if f.Match != nil {
		s = f.matched(s)
	}
	if f.Remove != nil && !f.removeProbe.rulesOut(s) {
		s = f.Remove.ReplaceAllLiteralString(s, "")
	}
	return trim(s)
}

func (f *Field) matched(s string) string {
	if f.matchProbe.rulesOut(s) {
		return ""
	}
	at := f.Match.FindStringSubmatchIndex(s)
	switch {
	case at == nil:
		return ""
	case len(at) == 2:
		return s[at[0]:at[1]]
	case at[2] < 0: // the group took no part in the match
		return ""
	}
	return s[at[2]:at[3]]
}

// trim takes white space off both ends; the common text has none.
func trim(s string) string {
	if n := len(s); n > 0 && s[0] > ' ' && s[0] < utf8.RuneSelf && s[n-1] > ' ' && s[n-1] < utf8.RuneSelf {
		return s
	}
	return strings.TrimSpace(s)
}

// value parses the text and holds it against the bounds and the values allowed. json: see Raw.JSON.
func (f *Field) value(text string, json bool, base string) (any, finding) {
	v, found := f.parse(text, json, base)
	if found == good {
		v, found = f.hold(v)
	}
	if found == low || found == high {
		v, found = f.clamp(found)
	}
	if found == good && f.in != nil && !slices.Contains(f.in, v) {
		return nil, foreign
	}
	return v, found
}

// hold compares with Min and Max. Max cuts a text.
func (f *Field) hold(v any) (any, finding) {
	if f.min == nil && f.max == nil {
		return v, good
	}
	if f.Type.Kind == Text {
		return f.holdText(v)
	}
	if f.min != nil && compare(v, f.min) < 0 {
		return v, low
	}
	if f.max != nil && compare(v, f.max) > 0 {
		return v, high
	}
	return v, good
}

func (f *Field) holdText(v any) (any, finding) {
	s := v.(string)
	if f.min != nil && int64(utf8.RuneCountInString(s)) < f.min.(int64) {
		return v, low
	}
	if f.max == nil || int64(len(s)) <= f.max.(int64) { // bytes are never fewer than characters
		return v, good
	}
	left := f.max.(int64)
	for i := range s {
		if left == 0 {
			return s[:i], good
		}
		left--
	}
	return v, good
}

// clamp decides what a value out of bounds becomes. A number that does not even fit the type is over the bound, too;
// where there is no bound on that side, it is only unreadable.
func (f *Field) clamp(found finding) (any, finding) {
	bound := f.max
	if found == low {
		bound = f.min
	}
	switch {
	case bound == nil:
		return nil, unreadable
	case f.Clamp && f.Type.Kind != Text:
		return bound, good
	}
	return nil, found
}
