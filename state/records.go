package state

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"dogear/schema"
)

// recordRows is how many records one statement upserts.
const recordRows = 16

// recordWriter upserts records, several to a statement. What is added is written at the latest by flush, in the
// transaction that is open.
type recordWriter struct {
	tables map[string]*tableWriter
}

// tableWriter holds the records of one table that wait for their statement.
type tableWriter struct {
	table     *schema.Table
	one, many *sql.Stmt
	args      []any
	rows      int

	task int64 // of the last record
	pos  int   // its position among the task's records of this table
}

func (w *recordWriter) prepare(ctx context.Context, conn *sql.Conn, tables []*schema.Table) error {
	w.tables = map[string]*tableWriter{}
	for _, t := range tables {
		tw := &tableWriter{table: t, args: make([]any, 0, recordRows*(4+len(t.Fields)))}
		w.tables[t.Name] = tw
		var err error
		if tw.one, err = conn.PrepareContext(ctx, t.UpsertSQL(1)); err != nil {
			return fmt.Errorf("prepare records of %s: %w", t.Name, err)
		}
		if tw.many, err = conn.PrepareContext(ctx, t.UpsertSQL(recordRows)); err != nil {
			return fmt.Errorf("prepare records of %s: %w", t.Name, err)
		}
	}
	return nil
}

func (w *recordWriter) stmts() []*sql.Stmt {
	var all []*sql.Stmt
	for _, t := range w.tables {
		all = append(all, t.one, t.many)
	}
	return all
}

func (w *recordWriter) add(ctx context.Context, row *schema.Row, seq, task, at int64) error {
	t := w.tables[row.Table.Name]
	if t == nil {
		return fmt.Errorf("no table %s in this job", row.Table.Name)
	}
	if len(row.Values) != len(t.table.Fields) {
		// In a statement of several records one value too few would be taken from the next.
		return fmt.Errorf("a record of %s has %d values for %d fields", t.table.Name, len(row.Values), len(t.table.Fields))
	}
	if t.task == task {
		t.pos++
	} else {
		t.task, t.pos = task, 0
	}
	t.args = append(t.args, seq, task, t.pos, at)
	t.args = append(t.args, row.Values...)
	if t.rows++; t.rows == recordRows {
		return t.write(ctx)
	}
	return nil
}

// write sends the waiting records: all in one statement, or one by one when they do not fill it.
func (t *tableWriter) write(ctx context.Context) error {
	stmt, width := t.one, 4+len(t.table.Fields)
	if t.rows == recordRows {
		stmt, width = t.many, len(t.args)
	}
	for part := range slices.Chunk(t.args, width) {
		if _, err := stmt.ExecContext(ctx, part...); err != nil {
			return fmt.Errorf("keep records of %s: %w", t.table.Name, err)
		}
	}
	t.clear()
	return nil
}

func (t *tableWriter) clear() {
	clear(t.args)
	t.args, t.rows = t.args[:0], 0
}

func (w *recordWriter) flush(ctx context.Context) error {
	for _, t := range w.tables {
		if err := t.write(ctx); err != nil {
			return err
		}
		t.task = 0
	}
	return nil
}

func (w *recordWriter) discard() {
	for _, t := range w.tables {
		t.clear()
		t.task = 0
	}
}
