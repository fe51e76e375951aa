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
	Seq    int64
	Values []any // nil, int64, float64 or string
}

// HasTable reports whether the file has the record table.
func (s *Store) HasTable(ctx context.Context, name string) (bool, error) {
	var n int
	err := s.db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND lower(name) = lower(?)`, name).Scan(&n)
	if err != nil {
		return false, fmt.Errorf("look for table %s: %w", name, err)
	}
	return n == 1, nil
}

// Count returns how many records a table has.
func (s *Store) Count(ctx context.Context, t *schema.Table) (int64, error) {
	var n int64
	if err := s.db.QueryRowContext(ctx, `SELECT count(*) FROM `+quote(t.Name)).Scan(&n); err != nil {
		return 0, fmt.Errorf("count records of %s: %w", t.Name, err)
	}
	return n, nil
}

// recordsSQL reads the records that changed after a _seq: a range of the table itself, since _seq is its rowid.
func recordsSQL(t *schema.Table) string {
	names := make([]string, len(t.Fields))
	for i := range t.Fields {
		names[i] = quote(t.Fields[i].Name)
	}
	return fmt.Sprintf(`SELECT _seq, %s FROM %s WHERE _seq > ? ORDER BY _seq`, strings.Join(names, ", "), quote(t.Name))
}

// Each calls f for every record of t whose _seq is above after, oldest change first, streamed from one snapshot. The
// record is reused: f keeps nothing of it. An error of f ends it and is returned.
func (s *Store) Each(ctx context.Context, t *schema.Table, after int64, f func(*Record) error) error {
	rows, err := s.db.QueryContext(ctx, recordsSQL(t), after)
	if err != nil {
		return fmt.Errorf("read records of %s: %w", t.Name, err)
	}
	defer rows.Close()
	return eachRecord(rows, t, f)
}

func eachRecord(rows *sql.Rows, t *schema.Table, f func(*Record) error) error {
	rec := Record{Values: make([]any, len(t.Fields))}
	into := make([]any, 1+len(t.Fields))
	into[0] = &rec.Seq
	for i := range rec.Values {
		into[1+i] = &rec.Values[i]
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
	rows, err := s.db.QueryContext(ctx, `SELECT t.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
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
		if err := s.db.QueryRowContext(ctx, `SELECT count(*) FROM `+quote(tables[i].Table)).Scan(&tables[i].Records); err != nil {
			return nil, 0, fmt.Errorf("count records of %s: %w", tables[i].Table, err)
		}
	}
	err = s.db.QueryRowContext(ctx, `SELECT count(*) FROM rejects`).Scan(&rejects)
	return tables, rejects, err
}
