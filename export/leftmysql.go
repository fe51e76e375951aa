package export

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-sql-driver/mysql"
)

const (
	breakpointTable = "crawl_breakpoint"

	leftRowsSQL  = `SELECT * FROM ` + breakpointTable + ` WHERE task_name = ?`
	leftNamesSQL = `SELECT DISTINCT task_name FROM ` + breakpointTable + ` ORDER BY 1 LIMIT 10`
	leftSizesSQL = `SELECT column_name, character_maximum_length, character_octet_length FROM information_schema.columns
		WHERE table_schema = DATABASE() AND table_name = '` + breakpointTable + `'
		AND character_maximum_length IS NOT NULL`

	noSuchTable = 1146 // https://mariadb.com/kb/en/e1146/
)

// LeftMySQL is a checkpoint that a script left in a MySQL: the row of a task_name in crawl_breakpoint, whose lists are
// JSON arrays or joined with commas.
type LeftMySQL struct {
	lists map[List][]column
	page  Page

	damages []Damage
}

// column is the text of a list.
type column struct {
	name, text string
	cut        bool // it fills all the room that the column has, so that more may have been cut off
}

// OpenLeftMySQL reads the row of a name. ErrNoCheckpoint when there is none.
func OpenLeftMySQL(ctx context.Context, c *mysql.Config, name string) (*LeftMySQL, error) {
	l := &LeftMySQL{lists: map[List][]column{}}
	connector, err := mysql.NewConnector(c)
	if err == nil {
		db := sql.OpenDB(connector)
		err = errors.Join(l.read(ctx, db, name), db.Close())
	}
	if err != nil {
		return nil, fmt.Errorf("read the checkpoint of %s from database %s of the MySQL at %s: %w", name, c.DBName,
			c.Addr, err)
	}
	return l, nil
}

func (l *LeftMySQL) read(ctx context.Context, db *sql.DB, name string) error {
	full, err := fullSizes(ctx, db)
	if err != nil {
		return err
	}
	rows, err := db.QueryContext(ctx, leftRowsSQL, name)
	if e, ok := errors.AsType[*mysql.MySQLError](err); ok && e.Number == noSuchTable {
		return fmt.Errorf("%w: there is no table %s", ErrNoCheckpoint, breakpointTable)
	}
	if err != nil {
		return err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	found := false
	for ; rows.Next(); found = true {
		values, into := make([]sql.NullString, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for i, v := range values {
			if v.Valid {
				l.keep(strings.ToLower(names[i]), v.String, full)
			}
		}
	}
	if err := rows.Err(); err != nil || found {
		return err
	}
	return noRow(ctx, db, name)
}

// noRow says which names there are instead.
func noRow(ctx context.Context, db *sql.DB, name string) error {
	rows, err := db.QueryContext(ctx, leftNamesSQL)
	if err != nil {
		return err
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var n string
		if err := rows.Scan(&n); err != nil {
			return err
		}
		names = append(names, fmt.Sprintf("%q", n))
	}
	err = fmt.Errorf("%w: %s has no task_name %q", ErrNoCheckpoint, breakpointTable, name)
	if len(names) > 0 {
		err = fmt.Errorf("%w, only %s; choose one with --name", err, strings.Join(names, ", "))
	}
	return errors.Join(err, rows.Err())
}

// size is how much text a column takes.
type size struct{ characters, bytes int64 }

// fullSizes reads how much the columns take: MySQL cuts what is longer when it is not strict, such as a TEXT at 65,535
// bytes.
func fullSizes(ctx context.Context, db *sql.DB) (map[string]size, error) {
	rows, err := db.QueryContext(ctx, leftSizesSQL)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	sizes := map[string]size{}
	for rows.Next() {
		var name string
		var s size
		if err := rows.Scan(&name, &s.characters, &s.bytes); err != nil {
			return nil, err
		}
		sizes[strings.ToLower(name)] = s
	}
	return sizes, rows.Err()
}

// fills reports whether no further character, of four bytes at most, has room.
func (s size) fills(text string) bool {
	return s.bytes > 0 && (int64(len(text)) > s.bytes-utf8.UTFMax ||
		int64(utf8.RuneCountInString(text)) >= s.characters)
}

// keep takes a value of the row.
func (l *LeftMySQL) keep(name, value string, full map[string]size) {
	if list, ok := listOf(name); ok {
		l.lists[list] = append(l.lists[list], column{name, value, full[name].fills(value)})
	}
	if name == pageName {
		pageOf(Place{Source: breakpointTable, Key: name, Index: -1}, value, &sink{
			other: func(d Damage) { l.damages = append(l.damages, d) }, page: func(p Page) { l.page = p },
		})
	}
}

// Each calls entry for each entry of a list, and damage for what stands there and is none.
func (l *LeftMySQL) Each(_ context.Context, list List, entry func(Entry) error, damage func(Damage)) error {
	out := only(list, entry, damage)
	for _, c := range l.lists[list] {
		if err := joined(c.text, Place{Source: breakpointTable, Key: c.name, Index: -1}, c.cut, out); err != nil {
			return err
		}
	}
	return nil
}

// Page is how far the script came.
func (l *LeftMySQL) Page() Page { return l.page }

// Damages are what is wrong with anything but the entries of the lists.
func (l *LeftMySQL) Damages() []Damage { return l.damages }

// Close does nothing: all of it was read.
func (l *LeftMySQL) Close() error { return nil }
