package state

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"dogear/schema"
)

// rereadMode is how a run reads kept pages again; its zero value is a run that fetches.
type rereadMode struct {
	on  bool
	dry *sql.DB // a reader of the file, see OpenDry; nil in a run that writes to it
}

// ErrOlder says that an older dogear made the file.
var ErrOlder = errors.New("an older dogear made the file: `dogear run` brings it up to date")

// OpenDry opens the file for a run that shows what Run.Reread would come to and writes nothing to it. SQLite has it
// open for reading only; what the run writes to is a copy of the tables in question, in temporary files that end with
// it. It returns *LockedError when another run holds the file. End it with CloseDry.
func OpenDry(ctx context.Context, o RunOptions, now time.Time) (_ *Run, err error) {
	store, err := Open(ctx, o.Path)
	if err != nil {
		return nil, err
	}
	r := &Run{path: o.Path, tables: o.Tables, pages: o.Pages, max: o.MaxTasks, reread: rereadMode{true, store.db}}
	if r.lock, err = lock(ctx, o.Path); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	if err := r.openDry(ctx, o); err != nil {
		return nil, r.explainClosed(errors.Join(err, r.CloseDry()))
	}
	r.clock = now.UnixMilli()
	return r, nil
}

func (r *Run) openDry(ctx context.Context, o RunOptions) (err error) {
	version, err := identify(ctx, r.reread.dry, o.Path)
	if err == nil && version < len(schema.Migrations()) {
		err = fmt.Errorf("%s: %w", o.Path, ErrOlder)
	}
	if err != nil {
		return err
	}
	if r.db, err = openDB(o.Path, "ro", []string{busyPragma, "temp_store(FILE)", "cache_size(-8192)"}); err != nil {
		return err
	}
	if r.conn, err = r.db.Conn(ctx); err != nil {
		return fmt.Errorf("open %s: %w", o.Path, err)
	}
	err = r.tx(ctx, func() error { return r.beginDry(ctx, o) })
	if err == nil {
		err = r.stmts.prepare(ctx, r.conn, o.Tables)
	}
	if err != nil {
		return fmt.Errorf("open %s: %w", o.Path, err)
	}
	r.file, err = os.Stat(o.Path)
	return err
}

// beginDry is Run.begin for the copies.
func (r *Run) beginDry(ctx context.Context, o RunOptions) error {
	if err := r.checkJob(ctx, o); err != nil {
		return err
	}
	if err := r.overlay(ctx); err != nil {
		return err
	}
	if err := r.keepTables(ctx); err != nil {
		return err
	}
	other, err := r.otherText(ctx, o)
	if err != nil {
		return err
	}
	if err := r.recover(ctx); err != nil || !other {
		return err
	}
	return r.checkPages(ctx)
}

// overlaid are dogear's own tables that reading pages again writes to.
var overlaid = []string{"job", "runs", "tasks", "rejects", "counters"}

// overlay copies them, and the record tables, into temporary tables of the same names, which SQLite takes for the ones
// that are meant from now on (https://www.sqlite.org/lang_naming.html).
func (r *Run) overlay(ctx context.Context) error {
	names := slices.Clone(overlaid)
	for _, t := range r.tables {
		names = append(names, strings.ToLower(t.Name))
	}
	list, err := json.Marshal(names)
	if err != nil {
		return err
	}
	var all []string
	for _, query := range []string{overlaidTables, overlaidRows, overlaidIndexes} {
		some, err := texts(ctx, r.conn, query, string(list))
		if err != nil {
			return err
		}
		all = append(all, some...)
	}
	for _, text := range all {
		if _, err := r.conn.ExecContext(ctx, text); err != nil {
			return fmt.Errorf("copy the tables: %s: %w", text, err)
		}
	}
	return nil
}

// The statements that copy the tables named in a JSON array. SQLite keeps those that made them with the first two
// words as here. An index goes to its table by itself.
const (
	overlaidNamed  = ` AND lower(t.tbl_name) IN (SELECT value FROM json_each(?))`
	overlaidTables = `SELECT 'CREATE TEMP TABLE' || substr(t.sql, 13) FROM main.sqlite_schema AS t
		WHERE t.type = 'table'` + overlaidNamed
	overlaidRows = `SELECT format('INSERT INTO temp."%w" (%s) SELECT %s FROM main."%w"', t.name, c.names, c.names, t.name)
		FROM main.sqlite_schema AS t JOIN (
			SELECT s.name, group_concat('"' || replace(x.name, '"', '""') || '"', ', ') AS names
			FROM main.sqlite_schema AS s JOIN pragma_table_xinfo(s.name, 'main') AS x ON x.hidden = 0
			WHERE s.type = 'table' GROUP BY s.name) AS c ON c.name = t.name
		WHERE t.type = 'table'` + overlaidNamed
	overlaidIndexes = `SELECT t.sql FROM main.sqlite_schema AS t
		WHERE t.type = 'index' AND t.sql IS NOT NULL` + overlaidNamed
)

// texts reads the one column of a query.
func texts(ctx context.Context, q querier, query string, args ...any) ([]string, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, fmt.Errorf("read the schema: %w", err)
		}
		all = append(all, text)
	}
	return all, rows.Err()
}

// CloseDry ends a run of OpenDry. Nothing of it is left.
func (r *Run) CloseDry() error {
	err := r.closeFile()
	// The reader last: what SQLite laid beside the file goes with it.
	return errors.Join(err, r.reread.dry.Close(), r.lock.Close())
}
