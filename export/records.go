package export

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"dogear/schema"
	"dogear/state"
)

// Format is how records are written.
type Format string

// The formats of records.
const (
	CSV   Format = "csv"   // RFC 4180, with a header
	JSONL Format = "jsonl" // one JSON object a line (https://jsonlines.org)
)

// encoder appends one record to a buffer.
type encoder interface {
	header(b []byte) []byte
	record(b []byte, r *state.Record) ([]byte, error)
}

// Records writes the records of t to w and returns how many there were.
func Records(ctx context.Context, s *state.Store, t *schema.Table, f Format, w io.Writer) (int64, error) {
	var enc encoder = newCSV(t)
	if f == JSONL {
		enc = newJSON(t)
	}
	out := bufio.NewWriterSize(w, 1<<16)
	if _, err := out.Write(enc.header(nil)); err != nil {
		return 0, fmt.Errorf("export %s: %w", t.Name, err)
	}
	var n int64
	var line []byte
	err := s.Each(ctx, t, 0, func(r *state.Record) (err error) {
		if line, err = enc.record(line[:0], r); err != nil {
			return fmt.Errorf("record %d: %w", r.Seq, err)
		}
		n++
		_, err = out.Write(line)
		return err
	})
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return n, fmt.Errorf("export %s: %w", t.Name, err)
	}
	return n, nil
}
