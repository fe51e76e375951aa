package state

import (
	"context"
	"fmt"
)

// blank knows the same fields, and nothing of them.
func (c *fieldCounter) blank() fieldCounter {
	n := fieldCounter{
		landed: make([]FieldFill, len(c.landed)), fresh: make([]freshFill, len(c.landed)), first: c.first,
	}
	for i := range c.landed {
		n.landed[i].Table, n.landed[i].Field = c.landed[i].Table, c.landed[i].Field
	}
	return n
}

// countFields counts what the fields of a page come to now. Of one that was counted before nothing is counted again.
func (w *Rereader) countFields(p *Reread) {
	if w.run.reread.dry != nil || p.Kept.counted {
		return
	}
	for i := range p.Outcome.Rows {
		w.fields.row(&p.Outcome.Rows[i], p.Kept.Task.ID)
	}
	for i := range p.Outcome.Rejects {
		w.fields.reject(&p.Outcome.Rejects[i], p.Kept.Task.ID)
	}
}

// keepFields writes what was counted: in the place of what was, for a table that is all of kept pages; on top of it for
// one that has records of others, which nobody has read again.
func (w *Rereader) keepFields(ctx context.Context) error {
	for place, t := range w.tables {
		others, err := w.number(ctx, `SELECT EXISTS (SELECT 1 FROM `+quote(t.Name)+` AS r
			WHERE NOT EXISTS (SELECT 1 FROM page_bodies AS b WHERE b.task = r._task))`)
		if err != nil {
			return err
		}
		first := w.fields.first[t.Name]
		fills := w.fields.landed[first : first+len(t.Fields)]
		if others == 0 && (seen(fills) || w.changes.Tables[place].Before > 0) { // else kept pages have none of it
			const drop = `DELETE FROM field_counts WHERE lower("table") = lower(?)`
			if _, err := w.run.conn.ExecContext(ctx, drop, t.Name); err != nil {
				return fmt.Errorf("count the fields of %s anew: %w", t.Name, err)
			}
		}
		for i := range fills {
			f := &fills[i]
			if f.FieldCount == (FieldCount{Table: f.Table, Field: f.Field}) {
				continue
			}
			_, err := w.run.conn.ExecContext(ctx, fieldSQL, f.Table, f.Field, f.Filled, f.Defaulted, f.Empty, f.Rejected)
			if err != nil {
				return fmt.Errorf("count the fields of %s: %w", t.Name, err)
			}
		}
	}
	return nil
}

// seen reports whether there was a record of the table, be it a rejected one.
func seen(fills []FieldFill) bool {
	for i := range fills {
		if fills[i].Read()+fills[i].Rejected > 0 {
			return true
		}
	}
	return false
}
