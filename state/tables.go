package state

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"dogear/schema"
)

// ChangedError says that the job now declares a record table in a way that the rows in the file do not fit.
type ChangedError struct {
	Table, What string
	Was, Is     string // Was is "" when the file does not have it yet
}

func (e *ChangedError) Error() string {
	if e.Was == "" {
		return fmt.Sprintf("table %s: %s is new in the job file: `dogear run` adds it", e.Table, e.What)
	}
	return fmt.Sprintf("table %s: its %s was %s and is now %s in the job file: the records kept do not fit; put it back, "+
		"use another table name, or start over with `dogear reset`", e.Table, e.What, e.Was, e.Is)
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// keepTables makes the job's record tables, adds the columns that are new, and refuses a changed key or column type.
func (r *Run) keepTables(ctx context.Context) error {
	for _, t := range r.tables {
		if _, err := r.conn.ExecContext(ctx, r.createSQL(t)); err != nil {
			return fmt.Errorf("make table %s: %w", t.Name, err)
		}
		if err := r.keepColumns(ctx, t); err != nil {
			return err
		}
		if err := r.checkKey(ctx, t); err != nil {
			return err
		}
		if _, err := r.conn.ExecContext(ctx, t.IndexSQL()); err != nil {
			return fmt.Errorf("index table %s: %w", t.Name, err)
		}
	}
	return nil
}

func (r *Run) keepColumns(ctx context.Context, t *schema.Table) error {
	have, err := columns(ctx, r.conn, t.Name)
	if err != nil {
		return err
	}
	for i, f := range t.Fields {
		typ, ok := have[strings.ToLower(f.Name)]
		switch {
		case !ok:
			if _, err := r.conn.ExecContext(ctx, t.AddColumnSQL(i)); err != nil {
				return fmt.Errorf("add column %s.%s: %w", t.Name, f.Name, err)
			}
		case typ == f.Type.Column():
		case r.reread.on:
			if err := r.retype(ctx, t, i, typ); err != nil {
				return err
			}
		default:
			return &ChangedError{Table: t.Name, What: "field " + f.Name, Was: typ, Is: f.Type.Column()}
		}
	}
	return nil
}

// fits reports a table that is declared otherwise than it is in the file.
func (s *Store) fits(ctx context.Context, t *schema.Table) error {
	have, err := columns(ctx, s.q, t.Name)
	if err != nil {
		return err
	}
	for _, f := range t.Fields {
		if typ := have[strings.ToLower(f.Name)]; typ != f.Type.Column() {
			return &ChangedError{Table: t.Name, What: "field " + f.Name, Was: typ, Is: f.Type.Column()}
		}
	}
	return nil
}

// columns returns the declared type of each column by its name in lower case.
func columns(ctx context.Context, q querier, table string) (map[string]string, error) {
	rows, err := q.QueryContext(ctx, `SELECT lower(name), type FROM pragma_table_info(?)`, table)
	if err != nil {
		return nil, fmt.Errorf("read columns of %s: %w", table, err)
	}
	defer rows.Close()
	have := map[string]string{}
	for rows.Next() {
		var name, typ string
		if err := rows.Scan(&name, &typ); err != nil {
			return nil, fmt.Errorf("read columns of %s: %w", table, err)
		}
		have[name] = typ
	}
	return have, rows.Err()
}

// checkKey compares the unique index that is there, if any, with the declared key.
func (r *Run) checkKey(ctx context.Context, t *schema.Table) error {
	have, err := keyOf(ctx, r.conn, t.Name)
	if err != nil {
		return err
	}
	want := t.Key
	if len(want) == 0 {
		want = []string{"_task", "_pos"}
	}
	if len(have) > 0 && !slices.EqualFunc(have, want, strings.EqualFold) {
		if r.reread.on {
			return r.rekey(ctx, t, have, want)
		}
		return &ChangedError{Table: t.Name, What: "key", Was: strings.Join(have, ", "), Is: strings.Join(want, ", ")}
	}
	return nil
}

// keyOf returns the columns of the unique index of a record table; none when it has no such index.
func keyOf(ctx context.Context, q querier, table string) ([]string, error) {
	rows, err := q.QueryContext(ctx, `SELECT name FROM pragma_index_info(?) ORDER BY seqno`, schema.KeyIndex(table))
	if err != nil {
		return nil, fmt.Errorf("read key of %s: %w", table, err)
	}
	defer rows.Close()
	var key []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, fmt.Errorf("read key of %s: %w", table, err)
		}
		key = append(key, name)
	}
	return key, rows.Err()
}
