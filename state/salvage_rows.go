package state

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"dogear/state/btree"
)

// target is a table of the new file.
type target struct {
	layout
	key   []string // the columns of the unique index of a record table
	stmts map[string]*sql.Stmt
	note  *sql.Stmt // remembers which rows came from pages that no tree leads to
}

func (t *target) close() error {
	var errs []error
	for _, stmt := range t.stmts {
		errs = append(errs, stmt.Close())
	}
	if t.note != nil {
		errs = append(errs, t.note.Close())
	}
	return errors.Join(errs...)
}

// keep writes one row of the damaged file into the table; what does not fit there is dropped and counted.
func (s *salvager) keep(t *target, l *layout, row btree.Row, orphan bool) error {
	if len(row.Values) > len(l.columns) {
		s.report.Dropped++
		return nil
	}
	names, args := t.values(l, row)
	if len(args) == 0 {
		return nil
	}
	stmt, err := s.statement(t, names, orphan)
	if err != nil {
		return err
	}
	result, err := stmt.ExecContext(s.ctx, args...)
	if unfit(err) {
		s.report.Dropped++
		return nil
	}
	if err != nil {
		return fmt.Errorf("keep a row of %s: %w", t.table, err)
	}
	n, err := result.RowsAffected()
	if n == 0 && !orphan {
		s.report.Dropped++
		s.lossy[t.table] = true
	}
	if n > 0 && t.note != nil && orphan {
		_, err = t.note.ExecContext(s.ctx, t.table, row.ID)
	}
	return err
}

// values returns the columns of t that a row has, and their values.
func (t *target) values(l *layout, row btree.Row) (names []string, args []any) {
	for i, v := range row.Values {
		c := &l.columns[i]
		if t.column(c.name) < 0 {
			continue
		}
		if c.key && v == nil {
			v = row.ID
		}
		if t.table == "tasks" && c.name == "state" && v == InFlight {
			v = Pending // whoever had it is dead
		}
		names, args = append(names, quote(c.name)), append(args, v)
	}
	return names, args
}

// unfit reports an error that says no more than that the row breaks a rule of the table.
func unfit(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && (e.Code()&0xff == sqlite3.SQLITE_CONSTRAINT || e.Code()&0xff == sqlite3.SQLITE_MISMATCH)
}

// statement returns the one that writes these columns, prepared on first use.
func (s *salvager) statement(t *target, names []string, orphan bool) (*sql.Stmt, error) {
	columns := strings.Join(names, ", ")
	id := fmt.Sprint(orphan, columns)
	if stmt := t.stmts[id]; stmt != nil {
		return stmt, nil
	}
	text := fmt.Sprintf(`INTO %s (%s) VALUES (?%s)`, quote(t.table), columns, strings.Repeat(", ?", len(names)-1))
	if after := t.overOrphan(names); orphan && after != "" {
		text = `INSERT ` + text + after
	} else {
		text = `INSERT OR IGNORE ` + text
	}
	stmt, err := s.conn.PrepareContext(s.ctx, text)
	if err != nil {
		return nil, fmt.Errorf("prepare %s: %w", text, err)
	}
	t.stmts[id] = stmt
	return stmt, nil
}

const (
	rank     = `CASE %s.state WHEN 'done' THEN 3 WHEN 'failed' THEN 2 ELSE 1 END`
	orphaned = `EXISTS (SELECT 1 FROM temp.orphan WHERE "table" = '%s' AND id = %s)`
)

// overOrphan is what ends an INSERT of a row that no tree leads to, and that may be stale: it never takes the place of
// one that a tree leads to, and of two such ones the further wins.
func (t *target) overOrphan(names []string) string {
	var set []string
	for _, name := range names {
		set = append(set, name+` = excluded.`+name)
	}
	name := quote(t.table)
	switch {
	case t.table == "tasks":
		return fmt.Sprintf(` ON CONFLICT (id) DO UPDATE SET %s WHERE `+orphaned+`
			AND (`+rank+`, coalesce(excluded.finished_at, 0)) > (`+rank+`, coalesce(tasks.finished_at, 0))`,
			strings.Join(set, ", "), t.table, "tasks.id", "excluded", "tasks")
	case t.table == "page_bodies":
		return fmt.Sprintf(` ON CONFLICT (task) DO UPDATE SET %s WHERE excluded.at > page_bodies.at`, strings.Join(set, ", "))
	case t.records && len(t.key) > 0:
		return fmt.Sprintf(` ON CONFLICT (_seq) DO NOTHING
			ON CONFLICT (%s) DO UPDATE SET %s WHERE `+orphaned+` AND excluded._seq > %s._seq`,
			strings.Join(t.key, ", "), strings.Join(set, ", "), strings.ReplaceAll(t.table, "'", "''"), name+"._seq", name)
	}
	return ""
}

// walk keeps what the trees of the tables lead to.
func (s *salvager) walk() error {
	for _, t := range s.inOrder() {
		e := s.entry(t.table)
		if e == nil {
			s.lossy[t.table] = s.lossy[t.table] || s.torn
			continue
		}
		l, ok := layoutOf(s.ctx, e.sql)
		if !ok {
			l = s.layouts[slices.IndexFunc(s.layouts, func(l layout) bool { return l.table == t.table })]
		}
		var err error
		whole := s.source.Walk(e.root, func(row btree.Row) bool {
			err = s.keep(t, &l, row, false)
			return err == nil
		})
		if err != nil {
			return err
		}
		if !whole {
			s.lossy[t.table] = true
		}
	}
	return nil
}

// orphans keeps what no tree leads to, if one is torn.
func (s *salvager) orphans() (err error) {
	if d := s.source.Damage(); d.Pages+d.Cells == 0 {
		return nil
	}
	s.source.Orphans(func(_ uint32, rows []btree.Row) bool {
		l := belong(rows, s.layouts)
		if l == nil {
			if !ofSchema(rows) && !s.spent(rows) {
				s.report.Dropped += int64(len(rows))
			}
			return true
		}
		t := s.targets[l.table]
		for i := 0; t != nil && i < len(rows) && err == nil; i++ {
			err = s.keep(t, l, rows[i], true)
		}
		return err == nil
	})
	return err
}

// spent reports rows of a table that is not salvaged: what it held is counted or made anew.
func (s *salvager) spent(rows []btree.Row) bool {
	for i := range s.layouts {
		if l := &s.layouts[i]; s.targets[l.table] == nil && belong(rows, s.layouts[i:i+1]) != nil {
			return true
		}
	}
	return false
}
