package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// longestQuote is how many characters of a raw text a reason repeats; all of it is in Reject.Raw.
const longestQuote = 80

func (t *Table) reject(f *Field, raw []Raw, text string, found finding) *Reject {
	return &Reject{Table: t.Name, Field: f.Name, Reason: f.reason(text, found), Raw: t.rawJSON(raw)}
}

// reason is for people: what was seen, and what the job could say about it.
func (f *Field) reason(text string, found finding) string {
	seen := shorten(text)
	switch found {
	case empty:
		return "required, but there is no value"
	case unreadable:
		return fmt.Sprintf("required, but %q is not a %s", seen, f.Type)
	case ambiguous:
		if f.Type.Kind == Date || f.Type.Kind == Datetime {
			return fmt.Sprintf("%q can be read as more than one %s; %s", seen, f.Type, f.remedy(text))
		}
		return fmt.Sprintf(`%q can be read as more than one number; say decimal: "." or decimal: ","`, seen)
	case low:
		return fmt.Sprintf("%q is under min %s", seen, *f.Min)
	case high:
		return fmt.Sprintf("%q is over max %s", seen, *f.Max)
	}
	return fmt.Sprintf("%q is not one of %s", seen, shorten(strings.Join(f.In, ", ")))
}

// remedy says what settles an ambiguous date: for all but one zone the job can.
func (f *Field) remedy(text string) string {
	if f.layout != nil || strings.Contains(strings.ToUpper(text), "CST") {
		return "CST is a zone of America and one of China"
	}
	return `say how it is written with layout: "02/01/2006" or layout: "%d/%m/%Y"`
}

func shorten(s string) string {
	n := 0
	for i := range s {
		if n == longestQuote {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// rawJSON writes the raw texts in the order of the fields, so that people can read it beside the job file.
func (t *Table) rawJSON(raw []Raw) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	b.WriteByte('{')
	for i := range t.Fields {
		if i > 0 {
			b.WriteByte(',')
		}
		encodeText(&b, enc, t.Fields[i].Name)
		b.WriteByte(':')
		if i < len(raw) && raw[i].Found {
			encodeText(&b, enc, raw[i].Text)
		} else {
			b.WriteString("null")
		}
	}
	b.WriteByte('}')
	return b.String()
}

// encodeText can't fail for a string; the encoder ends each value with a line feed, which is taken off.
func encodeText(b *bytes.Buffer, enc *json.Encoder, s string) {
	if err := enc.Encode(s); err == nil {
		b.Truncate(b.Len() - 1)
	}
}
