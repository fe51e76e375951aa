package job

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/cespare/xxhash/v2"

	"dogear/schema"
)

// ListReader reads the requests of a list, one after the other, in memory that does not grow with it.
type ListReader struct {
	list    *List
	lines   *lines
	records listRecords
	make    *maker
	columns []string // of a CSV
}

// bareError leaves out of a file's error its path, which may hold a secret.
func bareError(err error) error {
	if pathErr := (*fs.PathError)(nil); errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}

// Read reads a list from its beginning, such as the standard input: it waits for the header of a CSV. An *Error is
// about a column that is not in it.
func (l *List) Read(r io.Reader) (*ListReader, error) {
	lr := &ListReader{list: l, lines: newLines(r, xxhash.New(), 0, 0)}
	return lr, lr.begin()
}

// begin reads the header, if there is to be one.
func (r *ListReader) begin() (err error) {
	l := r.list
	if !l.csv {
		r.records = &plainRecords{lines: r.lines, name: l.Name()}
		r.make, err = l.bind([]string{l.line})
		return err
	}
	header, comma, err := r.header()
	var bad *LineError
	switch {
	case errors.As(err, &bad):
		return l.Fault("the header of %s can't be read: line %d: %s", l.Name(), bad.Line, bad.Why)
	case err != nil && err != io.EOF: // an empty file lacks every column
		return r.at(err)
	}
	r.columns, r.records = header, newCSV(r.lines, l.Name(), comma, len(header))
	r.make, err = l.bind(header)
	return err
}

func (r *ListReader) header() ([]string, rune, error) {
	first, err := r.lines.passBlank(r.list.Name())
	if err != nil {
		return nil, ',', err
	}
	comma := r.list.comma
	if comma == 0 {
		comma = commaOf(first)
	}
	header, err := newCSV(r.lines, r.list.Name(), comma, 0).next()
	return slices.Clone(header), comma, err
}

// Fault is a problem with what the start is read from, told where from: stands.
func (l *List) Fault(format string, args ...any) *Error {
	p := l.spot
	p.Message = fmt.Sprintf(format, args...)
	return &Error{Path: l.job.Path, Problems: []Problem{p}}
}

// Next returns the next request. A *LineError is a line that was passed over; io.EOF is the end; any other error says
// that nothing more can be read.
func (r *ListReader) Next() (schema.Request, error) {
	fields, err := r.records.next()
	if err != nil {
		return schema.Request{}, r.at(err)
	}
	q, why := r.make.request(fields)
	if why != "" {
		return q, &LineError{r.list.Name(), r.records.first(), why}
	}
	return q, nil
}

// goOn reads on from elsewhere in the list.
func (r *ListReader) goOn(from *lines) {
	r.lines = from
	if header, ok := r.records.(*csvRecords); ok {
		r.records = newCSV(from, r.list.Name(), header.csv.Comma, header.csv.FieldsPerRecord)
	} else {
		r.records = &plainRecords{lines: from, name: r.list.Name()}
	}
}

// at says of what is neither a bad line nor the end where it happened.
func (r *ListReader) at(err error) error {
	var bad *LineError
	if err == io.EOF || errors.As(err, &bad) {
		return err
	}
	return fmt.Errorf("read %s, byte %d: %w", r.list.Name(), r.lines.place, bareError(err))
}

// Place is how many bytes of the list were read for what Next gave, and Print their xxHash64 in hex.
func (r *ListReader) Place() int64  { return r.lines.place }
func (r *ListReader) Print() string { return r.lines.sum() }
