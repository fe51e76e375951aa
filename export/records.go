package export

import (
	"bufio"
	"context"
	"errors"
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

// RecordsOptions say which records are written, and how.
type RecordsOptions struct {
	Format Format
	Since  int64 // only those that changed after this _seq; 0: all
	BOM    bool  // CSV begins with a byte order mark, without which Excel takes it for text in the system's code page
	Safe   bool  // in CSV no text can be taken for a formula, see harmless
}

// Written is what Records wrote.
type Written struct {
	Records int64
	Last    int64 // the highest _seq of them; Since when there were none
}

// ErrStartedOver says that the file has no change yet that is as new as RecordsOptions.Since: it is not the file of
// then.
var ErrStartedOver = errors.New("the state file was started over since")

// Records writes the records of t to w, in the order in which they last changed.
func Records(ctx context.Context, s *state.Store, t *schema.Table, o RecordsOptions, w io.Writer) (Written, error) {
	written := Written{Last: o.Since}
	err := s.Snapshot(ctx, func(s *state.Store) error {
		last, err := s.LastSeq(ctx)
		if err != nil {
			return err
		}
		if o.Since > last {
			return fmt.Errorf("%w: its last change is %d", ErrStartedOver, last)
		}
		return written.write(ctx, s, t, o, w)
	})
	if err != nil {
		return written, fmt.Errorf("export %s: %w", t.Name, err)
	}
	return written, nil
}

func (o RecordsOptions) encoder(t *schema.Table) encoder {
	if o.Format == JSONL {
		return newJSON(t)
	}
	return newCSV(t, o.BOM, o.Safe)
}

func (n *Written) write(ctx context.Context, s *state.Store, t *schema.Table, o RecordsOptions, w io.Writer) error {
	out, enc := bufio.NewWriterSize(w, 1<<16), o.encoder(t)
	if _, err := out.Write(enc.header(nil)); err != nil {
		return err
	}
	var line []byte
	err := s.Each(ctx, t, o.Since, func(r *state.Record) (err error) {
		if line, err = enc.record(line[:0], r); err != nil {
			return fmt.Errorf("record %d: %w", r.Seq, err)
		}
		n.Records++
		n.Last = r.Seq
		_, err = out.Write(line)
		return err
	})
	if err != nil {
		return err
	}
	return out.Flush()
}
