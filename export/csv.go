package export

import (
	"bytes"
	"encoding/csv"
	"strings"
	"unicode/utf8"

	"dogear/schema"
	"dogear/state"
)

// csvEncoder writes RFC 4180: lines end with CRLF, while a line break inside a field stays what it is, which is why
// csv.Writer.UseCRLF, which changes those too, is not used.
type csvEncoder struct {
	table *schema.Table
	bom   bool
	safe  bool
	cells []string
	buf   bytes.Buffer
	csv   *csv.Writer
}

func newCSV(t *schema.Table, bom, safe bool) *csvEncoder {
	e := &csvEncoder{table: t, bom: bom, safe: safe, cells: make([]string, len(t.Fields))}
	e.csv = csv.NewWriter(&e.buf)
	return e
}

func (e *csvEncoder) header(b []byte) []byte {
	for i := range e.table.Fields {
		e.cells[i] = e.table.Fields[i].Name
	}
	if e.bom {
		b = append(b, "\ufeff"...)
	}
	b, _ = e.line(b) // a buffer takes everything
	return b
}

func (e *csvEncoder) record(b []byte, r *state.Record) ([]byte, error) {
	for i, v := range r.Values {
		e.cells[i] = e.table.Text(i, v)
		if kind := e.table.Fields[i].Type.Kind; e.safe && (kind == schema.Text || kind == schema.URL) {
			e.cells[i] = harmless(e.cells[i])
		}
	}
	return e.line(b)
}

// formulaStarts are what spreadsheets take a text for a formula by:
// https://owasp.org/www-community/attacks/CSV_Injection
const formulaStarts = "=+-@\t\r\n＝＋－＠"

// harmless puts an apostrophe in front of what a spreadsheet would take for a formula.
func harmless(text string) string {
	if first, _ := utf8.DecodeRuneInString(text); text != "" && strings.ContainsRune(formulaStarts, first) {
		return "'" + text
	}
	return text
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
