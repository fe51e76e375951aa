package state

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"dogear/schema"
)

// Record is one row of a record table, with its values in the order of the table's fields.
type Record struct {
	Seq       int64
	Task, Pos int64 // where it came from: the record at this position, from 0, of the task's records in this table
	FetchedAt int64 // Unix ms
	Values    []any // nil, int64, float64 or string
}

// recordsSQL reads the records that changed after a _seq: a range of the table itself, since _seq is its rowid.
func recordsSQL(t *schema.Table) string {
	names := make([]string, len(t.Fields))
	for i := range t.Fields {
		// Qualified: a quoted name that is no column is a string to SQLite.
		names[i] = quote(t.Name) + "." + quote(t.Fields[i].Name)
	}
	return fmt.Sprintf(`SELECT _seq, _task, _pos, _fetched_at, %s FROM %s WHERE _seq > ? ORDER BY _seq`, strings.Join(names, ", "), quote(t.Name))
}

// Each calls f for every record of t whose _seq is above after, oldest change first, streamed from one snapshot. The
// record is reused: f keeps nothing of it. An error of f ends it and is returned. *ChangedError says that t is not (or not
// yet) what the file holds.
func (s *Store) Each(ctx context.Context, t *schema.Table, after int64, f func(*Record) error) error {
	if err := s.fits(ctx, t); err != nil {
		return err
	}
	rows, err := s.q.QueryContext(ctx, recordsSQL(t), after)
	if err != nil {
		return fmt.Errorf("read records of %s: %w", t.Name, err)
	}
	defer rows.Close()
	return eachRecord(rows, t, f)
}

func eachRecord(rows *sql.Rows, t *schema.Table, f func(*Record) error) error {
	rec := Record{Values: make([]any, len(t.Fields))}
	into := []any{&rec.Seq, &rec.Task, &rec.Pos, &rec.FetchedAt}
	for i := range rec.Values {
		into = append(into, &rec.Values[i])
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return fmt.Errorf("read records of %s: %w", t.Name, err)
		}
		if err := f(&rec); err != nil {
			return err
		}
	}
	return rows.Err()
}

// TableCount is how many records a table has.
type TableCount struct {
	Table   string `json:"table"`
	Records int64  `json:"records"`
}

// RecordCounts returns the number of records of every record table, and that of rejected records.
func (s *Store) RecordCounts(ctx context.Context) (tables []TableCount, rejects int64, err error) {
	rows, err := s.q.QueryContext(ctx, `SELECT t.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
		WHERE t.type = 'table' AND c.name = '_seq' ORDER BY t.rowid`)
	if err != nil {
		return nil, 0, fmt.Errorf("look for record tables: %w", err)
	}
	defer rows.Close()
	tables = []TableCount{}
	for rows.Next() {
		var t TableCount
		if err := rows.Scan(&t.Table); err != nil {
			return nil, 0, fmt.Errorf("look for record tables: %w", err)
		}
		tables = append(tables, t)
	}
	if err := rows.Err(); err != nil {
		return nil, 0, fmt.Errorf("look for record tables: %w", err)
	}
	for i := range tables {
		if err := s.q.QueryRowContext(ctx, `SELECT count(*) FROM `+quote(tables[i].Table)).Scan(&tables[i].Records); err != nil {
			return nil, 0, fmt.Errorf("count records of %s: %w", tables[i].Table, err)
		}
	}
	err = s.q.QueryRowContext(ctx, `SELECT count(*) FROM rejects`).Scan(&rejects)
	return tables, rejects, err
}
