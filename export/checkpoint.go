package export

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"dogear/schema"
	"dogear/state"
)

// Checkpoint says of a job what its state file does not know. The rest of a checkpoint is read from the file: a task
// that is done is a finished URL, one that failed a fail URL.
type Checkpoint struct {
	Job string // its name
	// Page is the lowest number of the job's range that is not done; nil when it has no range.
	Page func(ctx context.Context, s *state.Store) (*int64, error)
	// Value is the number of the job's range that a task's URL stands for. It is nil for a job without a range.
	Value func(url string) (int64, bool)
}

// timeFormat is ISO 8601 in local time with its offset: datetime.fromisoformat reads it, and it means one moment
// wherever it is read.
const timeFormat = "2006-01-02T15:04:05-07:00"

// JSON writes {"current_page", "finished_urls", "fail_urls", "update_time"} to w, and with tables their records
// besides, as "records": {"TABLE": [{…}, …]}. It is streamed; within Store.Snapshot it is of one moment. Nothing is
// escaped that JSON lets stand: no Chinese, no & < >.
func (c *Checkpoint) JSON(
	ctx context.Context, s *state.Store, tables []*schema.Table, now time.Time, w io.Writer,
) error {
	out := &jsonDocument{w: bufio.NewWriterSize(w, 1<<16)}
	out.json = json.NewEncoder(out.w)
	out.json.SetEscapeHTML(false)
	err := c.json(ctx, s, tables, now, out)
	if err == nil {
		err = out.w.Flush()
	}
	if err != nil {
		return fmt.Errorf("export %s as JSON: %w", c.Job, err)
	}
	return nil
}

func (c *Checkpoint) json(
	ctx context.Context, s *state.Store, tables []*schema.Table, now time.Time, out *jsonDocument,
) error {
	page, err := c.Page(ctx, s)
	if err != nil {
		return err
	}
	out.text("{\n\"current_page\": ")
	out.value(page)
	out.text(",\"finished_urls\": [\n")
	if err := s.EachDone(ctx, out.item); err != nil {
		return err
	}
	out.text("],\n\"fail_urls\": [\n")
	out.items = 0
	failed := func(t state.FailedTask) error { return out.item(t.URL) }
	if err := s.EachFailed(ctx, state.Filter{}, failed); err != nil {
		return err
	}
	out.text("],\n\"update_time\": ")
	out.value(now.Local().Format(timeFormat))
	if len(tables) > 0 {
		if err := out.records(ctx, s, tables); err != nil {
			return err
		}
	}
	out.text("}\n")
	return out.err
}

// jsonDocument writes one JSON document in pieces. It remembers the first error.
type jsonDocument struct {
	w     *bufio.Writer
	json  *json.Encoder
	items int64 // of the list that is being written
	err   error
}

func (d *jsonDocument) text(s string) {
	if d.err == nil {
		_, d.err = d.w.WriteString(s)
	}
}

// value writes v and a line break.
func (d *jsonDocument) value(v any) {
	if d.err == nil {
		d.err = d.json.Encode(v)
	}
}

// item writes the next item of a list.
func (d *jsonDocument) item(v string) error {
	d.comma()
	d.value(v)
	return d.err
}

func (d *jsonDocument) comma() {
	if d.items++; d.items > 1 {
		d.text(",")
	}
}

func (d *jsonDocument) records(ctx context.Context, s *state.Store, tables []*schema.Table) error {
	d.text(",\"records\": {\n")
	for i, t := range tables {
		if i > 0 {
			d.text(",")
		}
		name, err := json.Marshal(t.Name)
		if err != nil {
			return err
		}
		d.text(string(name) + ": [\n")
		enc, line := newJSON(t), []byte(nil)
		d.items = 0
		err = s.Each(ctx, t, 0, func(r *state.Record) (err error) {
			if line, err = enc.record(line[:0], r); err != nil {
				return fmt.Errorf("record %d: %w", r.Seq, err)
			}
			d.comma()
			d.text(string(line))
			return d.err
		})
		if err != nil {
			return fmt.Errorf("records of %s: %w", t.Name, err)
		}
		d.text("]\n")
	}
	d.text("}\n")
	return d.err
}
