package schema

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
)

// parse reads a trimmed text as the field's type; literal is Raw.JSON. It answers low or high for a number that the type can't hold.
func (f *Field) parse(text string, literal bool, base string) (any, finding) {
	if text == "" {
		return nil, empty
	}
	switch f.Type.Kind {
	case Int:
		return f.parseInt(text, literal)
	case Decimal:
		return boxed(f.parseDecimal(text, literal))
	case Real:
		return f.parseReal(text, literal)
	case Bool:
		return parseBool(text)
	case Date:
		return f.parseDate(text)
	case Datetime:
		return f.parseDatetime(text)
	case URL:
		return parseURL(text, base)
	case JSON:
		return parseJSON(text)
	}
	return boxed(parseText(text))
}

func boxed(s string, found finding) (any, finding) {
	if found != good {
		return nil, found
	}
	return s, good
}

// parseText keeps what SQLite, MySQL and JSON can all hold: valid UTF-8 without NUL.
func parseText(s string) (string, finding) {
	s = strings.ToValidUTF8(s, "�")
	if strings.IndexByte(s, 0) >= 0 {
		s = trim(strings.ReplaceAll(s, "\x00", ""))
	}
	if s == "" {
		return "", empty
	}
	return s, good
}

func parseBool(s string) (any, finding) {
	switch strings.ToLower(s) {
	case "true", "1", "yes", "y", "on", "是":
		return int64(1), good
	case "false", "0", "no", "n", "off", "否":
		return int64(0), good
	}
	return nil, unreadable
}

func parseURL(s, base string) (any, finding) {
	u, err := Resolve(base, s)
	if err != nil {
		return nil, unreadable
	}
	return u, good
}

// parseJSON compacts the document and keeps its digits: it is never decoded into floats.
func parseJSON(s string) (any, finding) {
	s = strings.ToValidUTF8(s, "�")
	if s == "null" {
		return nil, empty
	}
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(s)); err != nil {
		return nil, unreadable
	}
	return b.String(), good
}

// compare orders two values of one field. Strings are decimals of one scale, or dates: those carry no sign, and of
// one length they are in the order of their bytes.
func compare(a, b any) int {
	switch a := a.(type) {
	case int64:
		return cmp.Compare(a, b.(int64))
	case float64:
		return cmp.Compare(a, b.(float64))
	}
	return compareDecimals(a.(string), b.(string))
}
