package state

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"dogear/schema"
)

// KeyError says that the records kept can't be told apart by the key that the job has now.
type KeyError struct {
	Table, Was, Is string
}

func (e *KeyError) Error() string {
	return fmt.Sprintf("table %s: its key was %s and is now %s in the job file: several of the records kept are "+
		"the same by that; put it back, use another table name, or start over with `dogear run --fresh`",
		e.Table, e.Was, e.Is)
}

// rekey gives a table another key, which is its unique index. Fields that are new have no value yet, so that no two are
// the same by them.
func (r *Run) rekey(ctx context.Context, t *schema.Table, have, want []string) error {
	if _, err := r.conn.ExecContext(ctx, `DROP INDEX `+quote(schema.KeyIndex(t.Name))); err != nil {
		return fmt.Errorf("drop the key of %s: %w", t.Name, err)
	}
	_, err := r.conn.ExecContext(ctx, t.IndexSQL())
	if e, ok := errors.AsType[*sqlite.Error](err); ok && e.Code()&0xff == sqlite3.SQLITE_CONSTRAINT {
		return &KeyError{Table: t.Name, Was: strings.Join(have, ", "), Is: strings.Join(want, ", ")}
	}
	if err != nil {
		return fmt.Errorf("index table %s: %w", t.Name, err)
	}
	return nil
}

// retype gives a field another type. Its values go, and come again from the pages: refused for a field of the key, or
// when one of the values is not from a kept page.
func (r *Run) retype(ctx context.Context, t *schema.Table, i int, was string) error {
	f := &t.Fields[i]
	refused := &ChangedError{Table: t.Name, What: "field " + f.Name, Was: was, Is: f.Type.Column()}
	if slices.Contains(t.Key, f.Name) {
		return refused
	}
	var lost bool
	row := r.conn.QueryRowContext(ctx, fmt.Sprintf(`SELECT EXISTS (SELECT 1 FROM %s AS r WHERE r.%s IS NOT NULL
		AND NOT EXISTS (SELECT 1 FROM page_bodies AS b JOIN tasks AS t ON t.id = b.task WHERE b.task = r._task
			AND b.at = r._fetched_at AND t.finished_at = b.at AND t.state IN ('done', 'failed')))`,
		quote(t.Name), quote(f.Name)))
	if err := row.Scan(&lost); err != nil {
		return fmt.Errorf("look for values of %s.%s: %w", t.Name, f.Name, err)
	}
	if lost {
		return refused
	}
	drop := fmt.Sprintf(`ALTER TABLE %s DROP COLUMN %s`, quote(t.Name), quote(f.Name))
	if _, err := r.conn.ExecContext(ctx, drop); err != nil {
		e, ok := errors.AsType[*sqlite.Error](err)
		if ok && e.Code() == sqlite3.SQLITE_ERROR { // it is in an index of the user's
			return refused
		}
		return fmt.Errorf("drop column %s.%s: %w", t.Name, f.Name, err)
	}
	if _, err := r.conn.ExecContext(ctx, t.AddColumnSQL(i)); err != nil {
		return fmt.Errorf("add column %s.%s: %w", t.Name, f.Name, err)
	}
	return nil
}

// createSQL makes a record table where the run writes to.
func (r *Run) createSQL(t *schema.Table) string {
	if r.reread.dry == nil {
		return t.CreateSQL()
	}
	return strings.Replace(t.CreateSQL(), "CREATE TABLE", "CREATE TEMP TABLE", 1)
}
