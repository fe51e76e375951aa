package state

import (
	"context"
	"fmt"
)

// fieldsSQL has the columns of all record tables that are a job's, in their order.
const fieldsSQL = `SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
	WHERE t.type = 'table' AND EXISTS (SELECT 1 FROM pragma_table_info(t.name) WHERE name = '_seq')
	AND c.name NOT IN ('_seq', '_task', '_pos', '_fetched_at') ORDER BY t.rowid, c.cid`

// FieldCounts returns what became of every field of every record table, in the order of the tables and their columns:
// of fields that the job no longer has too. Nil: the file is older than such counts.
func (s *Store) FieldCounts(ctx context.Context) ([]FieldCount, error) {
	var known bool
	row := s.q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'field_counts')`)
	if err := row.Scan(&known); err != nil {
		return nil, fmt.Errorf("read the counts of fields: %w", err)
	}
	if !known {
		return nil, nil
	}
	counts, err := fieldCounts(ctx, s.q)
	if err != nil {
		return nil, err
	}
	rows, err := s.q.QueryContext(ctx, fieldsSQL)
	if err != nil {
		return nil, fmt.Errorf("read the fields: %w", err)
	}
	defer rows.Close()
	fields := []FieldCount{}
	for rows.Next() {
		var c FieldCount
		if err := rows.Scan(&c.Table, &c.Field); err != nil {
			return nil, fmt.Errorf("read the fields: %w", err)
		}
		have := counts[fieldID(c.Table, c.Field)]
		c.add(&have)
		fields = append(fields, c)
	}
	return fields, rows.Err()
}

// RejectGroup is one reason for which records were rejected.
type RejectGroup struct {
	Table   string `json:"table"`
	Rejects int64  `json:"rejects"`
	Example string `json:"example"` // the field and the reason of one of them
}

// What stands between quotes in a reason is what the page said, and no part of what it is about.
const rejectsSQL = `SELECT "table", count(*) AS n, min(reason) FROM rejects
	GROUP BY "table", substr(reason, 1, instr(reason || '"', '"') - 1),
		substr(reason, length(rtrim(reason, replace(reason, '"', ''))) + 1)
	ORDER BY n DESC, 3 LIMIT ?`

// RejectGroups returns the most frequent n reasons for rejects, whatever the page said in each.
func (s *Store) RejectGroups(ctx context.Context, n int) ([]RejectGroup, error) {
	rows, err := s.q.QueryContext(ctx, rejectsSQL, n)
	if err != nil {
		return nil, fmt.Errorf("read rejects: %w", err)
	}
	defer rows.Close()
	groups := []RejectGroup{}
	for rows.Next() {
		var g RejectGroup
		if err := rows.Scan(&g.Table, &g.Rejects, &g.Example); err != nil {
			return nil, fmt.Errorf("read rejects: %w", err)
		}
		groups = append(groups, g)
	}
	return groups, rows.Err()
}
