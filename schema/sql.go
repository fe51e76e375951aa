package schema

import "strings"

// ownColumns are the columns that every record table has before the declared ones.
//
// _seq is the INTEGER PRIMARY KEY, SQLite's rowid itself, on purpose. The state gives every insert AND every update the
// next number, so a row that changes moves to the end of the table, and "what changed since" (_seq > watermark) is a
// scan of the rowid's own range: no further index to keep, no page of unchanged rows read.
//
// _task and _pos say from which task, and as which record of its page, the row came; _fetched_at is in Unix ms UTC.
var ownColumns = []string{"_seq", "_task", "_pos", "_fetched_at"}

// CreateSQL returns the statement that creates the table if it is not there. Columns may be NULL even for a required
// field, so that a field which the job declares later can be added in the same form (AddColumnSQL).
func (t *Table) CreateSQL() string {
	var b strings.Builder
	b.WriteString("CREATE TABLE IF NOT EXISTS " + quote(t.Name) +
		" (_seq INTEGER PRIMARY KEY, _task INTEGER NOT NULL, _pos INTEGER NOT NULL, _fetched_at INTEGER NOT NULL")
	for i := range t.Fields {
		b.WriteString(", " + t.Fields[i].columnSQL())
	}
	b.WriteString(") STRICT")
	return b.String()
}

func (f *Field) columnSQL() string { return quote(f.Name) + " " + f.Type.Column() }

// AddColumnSQL returns the statement that adds the column of field i to a table that was created without it.
func (t *Table) AddColumnSQL(i int) string {
	return "ALTER TABLE " + quote(t.Name) + " ADD COLUMN " + t.Fields[i].columnSQL()
}

// KeyIndex returns the name of the unique index of a table: "products__key". Any other is the user's own.
func KeyIndex(table string) string { return table + keyIndexSuffix }

// IndexSQL returns the statement for the unique index that the upsert needs, named KeyIndex.
func (t *Table) IndexSQL() string {
	return "CREATE UNIQUE INDEX IF NOT EXISTS " + quote(KeyIndex(t.Name)) +
		" ON " + quote(t.Name) + " (" + t.keyColumns() + ")"
}

func (t *Table) keyColumns() string {
	if len(t.Key) == 0 {
		return "_task, _pos"
	}
	quoted := make([]string, len(t.Key))
	for i, name := range t.Key {
		quoted[i] = quote(name)
	}
	return strings.Join(quoted, ", ")
}

// UpsertSQL returns the statement that writes so many rows (1 or more), each over an older one of the same key. Its parameters are,
// row by row: _seq, _task, _pos, _fetched_at, then the fields in order. SQLite takes 32766 parameters a statement.
func (t *Table) UpsertSQL(rows int) string {
	names := append(make([]string, 0, len(ownColumns)+len(t.Fields)), ownColumns...)
	for i := range t.Fields {
		names = append(names, quote(t.Fields[i].Name))
	}
	values := "(" + strings.Repeat("?, ", len(names)-1) + "?)"
	updates := make([]string, len(names))
	for i, name := range names {
		updates[i] = name + " = excluded." + name
	}
	return "INSERT OR ROLLBACK INTO " + quote(t.Name) + " (" + strings.Join(names, ", ") + ") VALUES " +
		strings.Repeat(values+", ", rows-1) + values +
		" ON CONFLICT (" + t.keyColumns() + ") DO UPDATE SET " + strings.Join(updates, ", ")
}
