package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"dogear/schema"
)

// rereadOwnersSQL makes the table that says which records with a key are from which task's page, as it was at the
// beginning: the record tables have no index for that, which every insert would pay for.
const rereadOwnersSQL = `CREATE TEMP TABLE reread_owners
	(place INTEGER, task INTEGER, seq INTEGER, PRIMARY KEY (place, task, seq)) WITHOUT ROWID, STRICT`

// rereadTable is a record table whose rows are replaced.
type rereadTable struct {
	*schema.Table
	key []int // the fields of the key; none: a record is its task and position

	ofTask *sql.Stmt // what the task's page brought
	byKey  *sql.Stmt // whose a record is; nil without a key
	put    *sql.Stmt
	hand   *sql.Stmt // over to another task, without a new _seq
	drop   *sql.Stmt
}

func newRereadTable(ctx context.Context, conn *sql.Conn, t *schema.Table, place int) (*rereadTable, error) {
	w := &rereadTable{Table: t}
	var names, where []string
	for i := range t.Fields {
		names = append(names, "r."+quote(t.Fields[i].Name))
	}
	for _, name := range t.Key {
		i, _ := t.Field(name)
		w.key = append(w.key, i)
		where = append(where, "r."+quote(name)+" = ?")
	}
	table := quote(t.Name)
	columns := `SELECT r._seq, r._task, r._pos, r._fetched_at, ` + strings.Join(names, ", ") + ` FROM `
	texts := []struct {
		stmt **sql.Stmt
		text string
	}{
		{&w.ofTask, columns + table + ` AS r WHERE r._task = ?`},
		{&w.put, t.UpsertSQL(1)},
		{&w.hand, `UPDATE ` + table + ` SET _task = ?, _pos = ?, _fetched_at = ? WHERE _seq = ?`},
		{&w.drop, `DELETE FROM ` + table + ` WHERE _seq = ?`},
	}
	if len(w.key) > 0 {
		texts[0].text = fmt.Sprintf(`%s reread_owners AS o CROSS JOIN %s AS r ON r._seq = o.seq
			WHERE o.place = %d AND o.task = ?1 AND r._task = ?1`, columns, table, place)
		texts = append(texts, struct {
			stmt **sql.Stmt
			text string
		}{&w.byKey, columns + table + ` AS r WHERE ` + strings.Join(where, " AND ")})
		// In the order of the index, so that it is written page by page.
		owners := fmt.Sprintf(`INSERT INTO reread_owners SELECT %d, _task, _seq FROM %s ORDER BY _task, _seq`,
			place, table)
		if _, err := conn.ExecContext(ctx, owners); err != nil {
			return nil, fmt.Errorf("remember whose the records of %s are: %w", t.Name, err)
		}
	}
	for _, p := range texts {
		var err error
		if *p.stmt, err = conn.PrepareContext(ctx, p.text); err != nil {
			return nil, errors.Join(fmt.Errorf("prepare %s: %w", p.text, err), w.close())
		}
	}
	return w, nil
}

func (t *rereadTable) stmts() []*sql.Stmt {
	return []*sql.Stmt{t.ofTask, t.byKey, t.put, t.hand, t.drop}
}

func (t *rereadTable) close() error {
	var errs []error
	for _, stmt := range t.stmts() {
		if stmt != nil {
			errs = append(errs, stmt.Close())
		}
	}
	return errors.Join(errs...)
}

// storedRow is a record as it is in the file.
type storedRow struct {
	seq, pos int64
	origin
	values []any
}

func (t *rereadTable) read(ctx context.Context, stmt *sql.Stmt, args ...any) ([]storedRow, error) {
	rows, err := stmt.QueryContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []storedRow
	for rows.Next() {
		s := storedRow{values: make([]any, len(t.Fields))}
		into := []any{&s.seq, &s.task, &s.pos, &s.at}
		for i := range s.values {
			into = append(into, &s.values[i])
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, rows.Err()
}

// id is what tells records of the table apart, within one page: the key, or the position.
func (t *rereadTable) id(pos int64, values []any) string {
	if len(t.key) == 0 {
		return fmt.Sprint(pos)
	}
	var b strings.Builder
	for _, i := range t.key {
		text := fmt.Sprint(values[i])
		fmt.Fprintf(&b, "%T%d:%s", values[i], len(text), text)
	}
	return b.String()
}

func (t *rereadTable) keyValues(values []any) []any {
	var key []any
	for _, i := range t.key {
		key = append(key, values[i])
	}
	return key
}

// newRow is a record that a page comes to.
type newRow struct {
	id     string
	pos    int64
	values []any
}

// given are the page's records of the table. Of two with the same key the later counts, as in an upsert.
func (t *rereadTable) given(o *Outcome) (rows []newRow, err error) {
	at, pos := map[string]int{}, int64(-1)
	for i := range o.Rows {
		row := &o.Rows[i]
		if row.Table.Name != t.Name {
			continue
		}
		if len(row.Values) != len(t.Fields) {
			return nil, fmt.Errorf("a record has %d values for %d fields", len(row.Values), len(t.Fields))
		}
		pos++
		n := newRow{t.id(pos, row.Values), pos, row.Values}
		if k, twice := at[n.id]; twice {
			rows[k] = n
			continue
		}
		at[n.id] = len(rows)
		rows = append(rows, n)
	}
	return rows, nil
}

// rows puts what the page comes to into the place of what it came to. again: it is looked at once more, for records
// that belonged to another.
func (w *Rereader) rows(ctx context.Context, place int, p *Reread, again bool) error {
	t, me := w.tables[place], origin{p.Kept.Body.At.UnixMilli(), p.Kept.Task.ID}
	given, err := t.given(&p.Outcome)
	if err != nil {
		return err
	}
	before, err := t.read(ctx, t.ofTask, me.task)
	if err != nil {
		return err
	}
	mine := make(map[string]*storedRow, len(before))
	for i := range before {
		mine[t.id(before[i].pos, before[i].values)] = &before[i]
	}
	for i := range given {
		if err := w.place(ctx, place, &given[i], mine[given[i].id], me, again); err != nil {
			return err
		}
	}
	if again {
		return nil
	}
	return w.removeRest(ctx, place, p, before, given)
}

// place writes a record of me, unless it belongs to another, whose page was answered later. old is the one that me had,
// nil when it had none.
func (w *Rereader) place(ctx context.Context, place int, row *newRow, old *storedRow, me origin, again bool) error {
	t, c := w.tables[place], &w.changes.Tables[place]
	if old == nil && t.byKey != nil {
		there, err := t.read(ctx, t.byKey, t.keyValues(row.values)...)
		if err != nil {
			return err
		}
		if len(there) > 0 {
			old = &there[0]
		}
	}
	switch {
	case old == nil:
		c.Added++
		return w.put(ctx, t, row, me)
	case old.task != me.task && old.later(me):
		if id := fmt.Sprint(place, row.id); !again && (old.task > me.task || w.held[old.task]) && me.later(w.shadowed[id]) {
			w.shadowed[id] = me
		}
		return nil
	case c.differ(old.values, row.values):
		c.Changed++
		return w.put(ctx, t, row, me)
	}
	if !again {
		c.Unchanged++
	}
	if old.origin == me && old.pos == row.pos {
		return nil
	}
	_, err := t.hand.ExecContext(ctx, me.task, row.pos, me.at, old.seq)
	return err
}

func (w *Rereader) put(ctx context.Context, t *rereadTable, row *newRow, me origin) error {
	w.run.seq++
	w.run.tally.Records++
	args := append([]any{w.run.seq, me.task, row.pos, me.at}, row.values...)
	_, err := t.put.ExecContext(ctx, args...)
	return err
}

// removeRest removes what the page came to and does not come to any more.
func (w *Rereader) removeRest(ctx context.Context, place int, p *Reread, before []storedRow, given []newRow) error {
	t, c := w.tables[place], &w.changes.Tables[place]
	still := make(map[string]bool, len(given))
	for i := range given {
		still[given[i].id] = true
	}
	for i := range before {
		old := &before[i]
		older := old.at != p.Kept.Body.At.UnixMilli() && (len(t.key) > 0 || p.Outcome.State != Done)
		id := t.id(old.pos, old.values)
		if older || still[id] {
			continue
		}
		if _, err := t.drop.ExecContext(ctx, old.seq); err != nil {
			return err
		}
		c.Removed++
		if next, waits := w.shadowed[fmt.Sprint(place, id)]; waits {
			w.again[next.task] = true
		}
	}
	return nil
}
