package state

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"dogear/schema"
)

// column is a column as a row has it.
type column struct {
	name, typ string
	notNull   bool
	key       bool // the INTEGER PRIMARY KEY: stored as nothing, since it is the row's id
}

// layout is what a stored row of a table is made of, in this order.
type layout struct {
	table   string // its name in the new file
	columns []column
	records bool // it is a record table
}

// ownColumns is how every record table begins.
var ownColumns = []string{"_seq", "_task", "_pos", "_fetched_at"}

// creates matches what SQLite keeps of the statement that made a table or an index; both read nothing but names.
var creates = regexp.MustCompile(
	`(?is)^CREATE\s+(TABLE|UNIQUE\s+INDEX|INDEX)\s+(IF\s+NOT\s+EXISTS\s+)?("([^"]|"")*"|\w+)\s*(\(|ON\s)`)

// single reports whether text is one CREATE statement and no more. It was read from a damaged file, so it may be
// anything.
func single(text string) bool {
	if !creates.MatchString(text) || strings.ContainsRune(text, 0) {
		return false
	}
	for rest := text; rest != ""; {
		end := 1
		switch {
		case rest[0] == ';':
			return false
		case strings.HasPrefix(rest, "--"):
			end = upTo(rest, 2, "\n")
		case strings.HasPrefix(rest, "/*"):
			end = upTo(rest, 2, "*/")
		case rest[0] == '[':
			end = upTo(rest, 1, "]")
		case strings.IndexByte("'\"`", rest[0]) >= 0:
			end = upTo(rest, 1, rest[:1]) // a doubled quote is two strings in a row
		}
		rest = rest[end:]
	}
	return true
}

// upTo is where what begins with so many bytes ends.
func upTo(text string, begin int, end string) int {
	if i := strings.Index(text[begin:], end); i >= 0 {
		return begin + i + len(end)
	}
	return len(text)
}

// inMemory calls f with an empty database that is gone afterwards.
func inMemory(f func(*sql.DB) error) error {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return fmt.Errorf("database in memory: %w", err)
	}
	db.SetMaxOpenConns(1)
	defer db.Close() // it held nothing
	return f(db)
}

// layoutOf reads the layout of the one table that a statement makes; ok is false when it makes none.
func layoutOf(ctx context.Context, create string) (l layout, ok bool) {
	if !single(create) {
		return l, false
	}
	err := inMemory(func(db *sql.DB) error {
		if _, err := db.ExecContext(ctx, create); err != nil {
			return err
		}
		all, err := layoutsIn(ctx, db)
		if ok = err == nil && len(all) == 1; ok {
			l = all[0]
		}
		return err
	})
	return l, ok && err == nil
}

// layoutsIn reads those of all tables of a database. Generated columns that are not stored are no part of them.
func layoutsIn(ctx context.Context, q querier) ([]layout, error) {
	rows, err := q.QueryContext(ctx, `SELECT t.name, c.name, c.type, c."notnull", c.pk = 1 AND upper(c.type) = 'INTEGER'
		FROM sqlite_schema AS t, pragma_table_xinfo(t.name) AS c
		WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\_%' ESCAPE '\' AND c.hidden <> 2 ORDER BY t.rowid, c.cid`)
	if err != nil {
		return nil, fmt.Errorf("read columns: %w", err)
	}
	defer rows.Close()
	var all []layout
	for rows.Next() {
		var table string
		var c column
		if err := rows.Scan(&table, &c.name, &c.typ, &c.notNull, &c.key); err != nil {
			return nil, fmt.Errorf("read columns: %w", err)
		}
		if len(all) == 0 || all[len(all)-1].table != table {
			all = append(all, layout{table: table})
		}
		l := &all[len(all)-1]
		l.columns = append(l.columns, c)
	}
	for i := range all {
		all[i].records = all[i].begins(ownColumns)
	}
	return all, rows.Err()
}

func (l *layout) begins(names []string) bool {
	named := func(c column, name string) bool { return c.name == name }
	return len(l.columns) > len(names) && slices.EqualFunc(l.columns[:len(names)], names, named)
}

// column returns the place of a column, -1 when there is none of that name.
func (l *layout) column(name string) int {
	return slices.IndexFunc(l.columns, func(c column) bool { return strings.EqualFold(c.name, name) })
}

// knownLayouts are those of dogear's own tables in every version of the schema, the newest first.
func knownLayouts(ctx context.Context) ([]layout, error) {
	texts := schema.Migrations()
	var all []layout
	for version := len(texts); version > 0; version-- {
		err := inMemory(func(db *sql.DB) error {
			if err := apply(ctx, db, 0, texts[:version]); err != nil {
				return err
			}
			some, err := layoutsIn(ctx, db)
			all = append(all, some...)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}
