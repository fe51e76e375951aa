package export

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"dogear/schema"
)

// MySQLStatements returns what an export to the target would create, each statement as it would be sent.
func MySQLStatements(target *MySQLTarget, tables []*schema.Table, states bool) []string {
	exports := schema.MySQLExportsTable()
	statements := []string{target.CreateSQL(), "USE " + schema.MySQLQuote(target.config.DBName), exports.CreateSQL()}
	for _, t := range tables {
		there := t.MySQL()
		statements = append(statements, there.CreateSQL())
	}
	if states {
		tasks, breakpoint := schema.MySQLOwnTables()
		statements = append(statements, tasks.CreateSQL(), breakpoint.CreateSQL())
	}
	return statements
}

// step is a statement that makes or extends a table.
type step struct {
	table, statement string
	creates          bool
}

var ownTables = []string{schema.MySQLExports, schema.MySQLTasks, schema.MySQLBreakpoint}

// prepare checks all tables before it makes or changes the first one.
func (m *MySQL) prepare(ctx context.Context, db *sql.DB) error {
	steps, err := m.look(ctx, db, &m.exports, nil)
	if err != nil {
		return err
	}
	for _, t := range m.tables {
		if slices.Contains(ownTables, strings.ToLower(t.Name)) {
			return fmt.Errorf("a record table can't be called %s on MySQL: an export has a table of that name", t.Name)
		}
		more, err := m.look(ctx, db, &t.there, t)
		if err != nil {
			return err
		}
		steps = append(steps, more...)
	}
	if m.o.States {
		tasks, breakpoint := schema.MySQLOwnTables()
		for _, w := range []*schema.MySQLTable{&tasks, &breakpoint} {
			more, err := m.look(ctx, db, w, nil)
			if err != nil {
				return err
			}
			steps = append(steps, more...)
		}
	}
	return m.take(ctx, db, steps)
}

// look returns what it takes to make a table as wanted. t is nil for a table that is not a record table.
func (m *MySQL) look(ctx context.Context, db *sql.DB, w *schema.MySQLTable, t *mysqlTable) ([]step, error) {
	found, err := describe(ctx, db, w.Name)
	if err != nil {
		return nil, err
	}
	if len(found.columns) == 0 {
		return []step{{w.Name, w.CreateSQL(), true}}, nil
	}
	if t != nil {
		t.adopt(found)
	}
	missing, err := found.check(w)
	if misfit, ok := errors.AsType[*schema.MySQLMisfit](err); ok && t != nil && found.pads(t) {
		misfit.Is += ", whose collation takes texts for one that differ (" + found.collations(t) + ")"
		misfit.Want += ", or that key with the collation utf8mb4_nopad_bin (MariaDB) or utf8mb4_0900_bin (MySQL)"
	}
	var steps []step
	for _, statement := range missing {
		steps = append(steps, step{w.Name, statement, false})
	}
	return steps, err
}

// take takes the steps. The watermark of a table that is absent goes first: it tells of rows that are no more.
func (m *MySQL) take(ctx context.Context, db *sql.DB, steps []step) error {
	for _, s := range steps {
		if s.creates && s.table != schema.MySQLExports {
			if _, err := db.ExecContext(ctx, `UPDATE dogear_exports SET seq = 0
				WHERE task_name = ? AND table_name = ?`, m.o.Job, s.table); err != nil {
				return fmt.Errorf("forget how far table %s was: %w", s.table, err)
			}
		}
		if _, err := db.ExecContext(ctx, s.statement); err != nil && !numbered(err, erDupField) {
			return fmt.Errorf("prepare %s: %w\n%s", m.o.Target, err, s.statement)
		}
	}
	return nil
}

// described is what is there of a table.
type described struct {
	columns []schema.MySQLFound
	unique  map[string][]string // the columns of each unique index, in lower case
}

// erDupField: another export has added the column meanwhile.
const erDupField = 1060

func describe(ctx context.Context, db *sql.DB, table string) (described, error) {
	d := described{unique: map[string][]string{}}
	rows, err := db.QueryContext(ctx, `SELECT column_name, lower(data_type), lower(column_type), coalesce(numeric_scale, 0),
		coalesce(datetime_precision, 0), coalesce(character_set_name, ''), coalesce(collation_name, '') FROM information_schema.columns
		WHERE table_schema = DATABASE() AND table_name = ? ORDER BY ordinal_position`, table)
	if err != nil {
		return d, fmt.Errorf("look at table %s: %w", table, err)
	}
	defer rows.Close()
	for rows.Next() {
		var f schema.MySQLFound
		err := rows.Scan(&f.Name, &f.DataType, &f.ColumnType, &f.Scale, &f.Fraction, &f.Charset, &f.Collation)
		if err != nil {
			return d, fmt.Errorf("look at table %s: %w", table, err)
		}
		d.columns = append(d.columns, f)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return d, fmt.Errorf("look at table %s: %w", table, err)
	}
	return d, d.readKeys(ctx, db, table)
}

func (d *described) readKeys(ctx context.Context, db *sql.DB, table string) error {
	rows, err := db.QueryContext(ctx, `SELECT index_name, lower(coalesce(column_name, '')), coalesce(sub_part, 0)
		FROM information_schema.statistics
		WHERE table_schema = DATABASE() AND table_name = ? AND non_unique = 0 ORDER BY index_name, seq_in_index`, table)
	if err != nil {
		return fmt.Errorf("look at the keys of table %s: %w", table, err)
	}
	defer rows.Close()
	for rows.Next() {
		var index, column string
		var part int
		if err := rows.Scan(&index, &column, &part); err != nil {
			return fmt.Errorf("look at the keys of table %s: %w", table, err)
		}
		if part > 0 {
			column += fmt.Sprintf("(%d)", part) // not the whole value
		}
		d.unique[index] = append(d.unique[index], column)
	}
	return rows.Err()
}

func (d *described) column(name string) (schema.MySQLFound, bool) {
	i := slices.IndexFunc(d.columns, func(f schema.MySQLFound) bool { return strings.EqualFold(f.Name, name) })
	if i < 0 {
		return schema.MySQLFound{}, false
	}
	return d.columns[i], true
}

// adopt takes the declared key itself for the unique one where somebody else made the table so and its text is told apart
// as SQLite does.
func (t *mysqlTable) adopt(d described) {
	if len(t.Key) == 0 {
		return
	}
	if _, ok := d.column("_key"); !ok && d.hasKey(t.Key) && d.collations(t) == "" {
		t.there = t.MySQLNatural()
	}
}

// collations returns those of the key's columns that take different texts for one.
func (d *described) collations(t *mysqlTable) string {
	var bad []string
	for _, name := range t.Key {
		if f, _ := d.column(name); f.Charset != "" && !schema.NoPadBinary(f.Collation) {
			bad = append(bad, f.Collation)
		}
	}
	return strings.Join(slices.Compact(bad), ", ")
}

// pads reports whether the table has the declared key as its unique key, and only the collation is wrong.
func (d *described) pads(t *mysqlTable) bool {
	return len(t.Key) > 0 && d.hasKey(t.Key) && d.collations(t) != ""
}

func (d *described) hasKey(columns []string) bool {
	want := lower(columns)
	slices.Sort(want)
	for _, have := range d.unique {
		have = slices.Clone(have)
		if slices.Sort(have); slices.Equal(have, want) {
			return true
		}
	}
	return false
}

// check returns the statements that add what is missing, or a *schema.MySQLMisfit.
func (d *described) check(w *schema.MySQLTable) (missing []string, err error) {
	for i := range w.Columns {
		c := &w.Columns[i]
		f, ok := d.column(c.Name)
		switch {
		case !ok && !slices.Contains(w.Key, c.Name):
			missing = append(missing, w.AddColumnSQL(i))
		case ok && !c.Fits(f):
			return nil, &schema.MySQLMisfit{Table: w.Name, What: "column " + f.Name, Is: f.String(), Want: c.Type}
		}
	}
	if !d.hasKey(w.Key) {
		return nil, &schema.MySQLMisfit{Table: w.Name, What: "its unique key", Is: d.keys(), Want: listed(w.Key)}
	}
	return missing, d.checkOthers(w)
}

// checkOthers refuses a second unique key on columns that are sent: a record would overwrite another by it.
func (d *described) checkOthers(w *schema.MySQLTable) error {
	for index, columns := range d.unique {
		sent := 0
		for _, c := range columns {
			name, _, _ := strings.Cut(c, "(")
			if w.Has(name) {
				sent++
			}
		}
		key := lower(w.Key)
		slices.Sort(key)
		if own := slices.Sorted(slices.Values(columns)); sent == len(columns) && !slices.Equal(own, key) {
			return &schema.MySQLMisfit{Table: w.Name, What: "its unique key " + index, Is: listed(columns),
				Want: "no second one beside " + listed(w.Key) + ", by which records would overwrite one another"}
		}
	}
	return nil
}

func (d *described) keys() string {
	var all []string
	for _, columns := range d.unique {
		all = append(all, listed(columns))
	}
	if len(all) == 0 {
		return "absent"
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func listed(names []string) string { return "(" + strings.Join(names, ", ") + ")" }

func lower(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = strings.ToLower(name)
	}
	return out
}
