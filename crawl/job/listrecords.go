package job

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// LineError is a line of a list that says nothing that could be asked for. It is passed over.
type LineError struct {
	List string // as the job file writes it
	Line int64  // from 1
	Why  string
}

func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %s", e.List, e.Line, e.Why) }

const (
	whyLong = "longer than 64 KB"
	whyText = "not UTF-8"
)

// listRecords are the lines of a list, or the records of a CSV, one after the other. The fields are valid until the
// next call. Errors: *LineError, after which it goes on; io.EOF; or what reading came to.
type listRecords interface {
	next() ([]string, error)
	first() int64 // the line where the last one begins
}

// passBlank takes the lines that say nothing, and a byte order mark, and returns the line after them without taking it.
func (l *lines) passBlank(name string) ([]byte, error) {
	for {
		line, err := l.at(0)
		if errors.Is(err, errLongLine) {
			bad := &LineError{name, l.number + 1, whyLong}
			if err := l.skip(); err != nil {
				return nil, err
			}
			return nil, bad
		}
		if err != nil {
			return nil, err
		}
		if l.place == 0 && bytes.HasPrefix(line, []byte(bom)) {
			l.take(len(bom))
			continue
		}
		if len(bytes.TrimSpace(line)) > 0 {
			return line, nil
		}
		l.take(len(line))
	}
}

// plainRecords are lines, without the space around them and those that begin with #.
type plainRecords struct {
	*lines
	name string
	line [1]string
}

func (r *plainRecords) next() ([]string, error) {
	for {
		line, err := r.passBlank(r.name)
		if err != nil {
			return nil, err
		}
		text, comment := "", false
		good := utf8.Valid(line)
		if trimmed := bytes.TrimSpace(line); trimmed[0] == '#' {
			comment = true
		} else if good {
			text = string(trimmed)
		}
		r.take(len(line))
		switch {
		case comment:
		case !good:
			return nil, &LineError{r.name, r.number, whyText}
		default:
			r.line[0] = text
			return r.line[:], nil
		}
	}
}

func (r *plainRecords) first() int64 { return r.number }

// csvRecords are the records of a CSV (RFC 4180). It gives csv.Reader one line at a time, so that what that has read is
// the record and nothing behind it. A quote that is wrong costs its line only, not all up to the next quote.
type csvRecords struct {
	*lines
	name string
	csv  *csv.Reader
	fed  int   // bytes behind what was taken that csv has
	line int64 // see first
}

func newCSV(l *lines, name string, comma rune, fields int) *csvRecords {
	r := &csvRecords{lines: l, name: name}
	r.csv = csv.NewReader(r)
	r.csv.Comma, r.csv.FieldsPerRecord, r.csv.ReuseRecord = comma, fields, true
	return r
}

// Read is for csv alone.
func (r *csvRecords) Read(p []byte) (int, error) {
	line, err := r.at(r.fed)
	n := copy(p, line)
	r.fed += n
	return n, err
}

func (r *csvRecords) first() int64 { return r.line }

func (r *csvRecords) next() ([]string, error) {
	first, err := r.passBlank(r.name)
	if err != nil {
		return nil, err
	}
	length := len(first)
	r.fed, r.line = 0, r.number+1
	fields, err := r.csv.Read()
	why := ""
	switch raw, _ := r.in.Peek(r.fed); {
	case errors.Is(err, csv.ErrFieldCount):
		why = fmt.Sprintf("%d fields, and the header has %d", len(fields), r.csv.FieldsPerRecord)
	case errors.Is(err, errLongLine):
		r.fed, why = length, "a quote that is not closed within 64 KB"
	case errors.Is(err, csv.ErrQuote), errors.Is(err, csv.ErrBareQuote):
		r.fed, why = length, `a quote where none can be: write "…""…" for a value with quotes in it`
	case err == io.EOF:
		return nil, io.ErrUnexpectedEOF // never: there was a line
	case err != nil:
		return nil, err
	case !utf8.Valid(raw):
		why = whyText
	}
	r.take(r.fed)
	if why != "" {
		return nil, &LineError{r.name, r.line, why}
	}
	return fields, nil
}

// commaOf is what stands between the columns of a header: a comma, or what programs write in its place.
func commaOf(header []byte) rune {
	for _, c := range ",;\t" {
		if strings.ContainsRune(string(header), c) {
			return c
		}
	}
	return ','
}
