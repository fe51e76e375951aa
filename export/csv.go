package export

import (
	"bytes"
	"encoding/csv"

	"dogear/schema"
	"dogear/state"
)

// csvEncoder writes RFC 4180: lines end with CRLF, while a line break inside a field stays what it is, which is why
// csv.Writer.UseCRLF, which changes those too, is not used.
type csvEncoder struct {
	table *schema.Table
	cells []string
	buf   bytes.Buffer
	csv   *csv.Writer
}

func newCSV(t *schema.Table) *csvEncoder {
	e := &csvEncoder{table: t, cells: make([]string, len(t.Fields))}
	e.csv = csv.NewWriter(&e.buf)
	return e
}

func (e *csvEncoder) header(b []byte) []byte {
	for i := range e.table.Fields {
		e.cells[i] = e.table.Fields[i].Name
	}
	b, _ = e.line(b) // a buffer takes everything
	return b
}

func (e *csvEncoder) record(b []byte, r *state.Record) ([]byte, error) {
	for i, v := range r.Values {
		e.cells[i] = e.table.Text(i, v)
	}
	return e.line(b)
}

func (e *csvEncoder) line(b []byte) ([]byte, error) {
	e.buf.Reset()
	if err := e.csv.Write(e.cells); err != nil {
		return b, err
	}
	e.csv.Flush()
	b = append(b, bytes.TrimSuffix(e.buf.Bytes(), []byte("\n"))...)
	return append(b, "\r\n"...), e.csv.Error()
}
