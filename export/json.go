package export

import (
	"bytes"
	"encoding/json"
	"fmt"

	"dogear/schema"
	"dogear/state"
)

// jsonEncoder writes one object a line, its members in the order of the fields.
type jsonEncoder struct {
	table *schema.Table
	names [][]byte // `"name":`
	buf   bytes.Buffer
	json  *json.Encoder
}

func newJSON(t *schema.Table) *jsonEncoder {
	e := &jsonEncoder{table: t}
	e.json = json.NewEncoder(&e.buf)
	e.json.SetEscapeHTML(false)
	for i := range t.Fields {
		name, _ := e.quoted(t.Fields[i].Name) // a name is plain text
		e.names = append(e.names, append(bytes.Clone(name), ':'))
	}
	return e
}

func (e *jsonEncoder) header(b []byte) []byte { return b }

func (e *jsonEncoder) record(b []byte, r *state.Record) ([]byte, error) {
	b = append(b, '{')
	for i, v := range r.Values {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, e.names[i]...)
		text, err := e.value(i, v)
		if err != nil {
			return b, fmt.Errorf("field %s: %w", e.table.Fields[i].Name, err)
		}
		b = append(b, text...)
	}
	return append(b, "}\n"...), nil
}

// value is a field's value as JSON: numbers with every digit, json as it is, all else as text.
func (e *jsonEncoder) value(i int, v any) ([]byte, error) {
	if v == nil {
		return []byte("null"), nil
	}
	text := e.table.Text(i, v)
	switch e.table.Fields[i].Type.Kind {
	case schema.Int, schema.Decimal, schema.Real, schema.Bool, schema.JSON:
		return []byte(text), nil
	}
	return e.quoted(text)
}

func (e *jsonEncoder) quoted(s string) ([]byte, error) {
	e.buf.Reset()
	if err := e.json.Encode(s); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(e.buf.Bytes(), []byte("\n")), nil
}
