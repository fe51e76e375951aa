package schema

import (
	"fmt"
	"slices"
	"strings"
)

// MySQLColumn is a column of a table on a MySQL or MariaDB server.
type MySQLColumn struct {
	Name    string
	Type    string // as DDL has it, such as "DECIMAL(10,2)"
	NotNull bool
	Field   int // its place in Table.Fields, or one of the columns below

	holds Type
}

// The columns that a record table has on the server besides its fields.
const (
	MySQLKeyHash   = -1 // _key
	MySQLTask      = -2 // _task
	MySQLPos       = -3 // _pos
	MySQLFetchedAt = -4 // _fetched_at
	mysqlOther     = -5 // of a table that is not a record table
)

// MySQLTable is a table as an export makes it. Names of columns are unique without regard to case.
type MySQLTable struct {
	Name    string
	Columns []MySQLColumn
	Key     []string // names of the columns of its primary key
	indexes []string
}

// MySQL returns the table on the server that takes the records of t.
//
// It has the fields first, then our own columns. _task and _fetched_at say where a row comes from (crawl_tasks.id) and how
// old it is; in a table with a key they may be NULL, so that they can be added to a table that was there before.
//
// There is exactly one unique key, and it is the primary key: an upsert can hit no second row by another key (which is why
// statement-based replication calls two of them unsafe), and clusters want one. It is the declared key; without one _task
// and _pos. A key that has text in it, though, is identified by _key, the SHA-256 of its values (see [Table.MySQLKey]): the
// collations that both servers have ignore spaces at the end or the case, and an index takes 3072 bytes, while a URL is as
// long as it likes. SQLite compares bytes, and so does BINARY(32): what are two records here stay two there. The columns
// of such a key get an index of their own, for looking them up.
func (t *Table) MySQL() MySQLTable { return t.mysql(t.hashedKey()) }

// MySQLNatural is MySQL with the declared key itself as the unique key, whatever its types: for a table that was made by
// somebody else. It is only right where the collation of the key's columns is binary and pads nothing (NoPadBinary).
func (t *Table) MySQLNatural() MySQLTable { return t.mysql(false) }

func (t *Table) mysql(hashed bool) MySQLTable {
	m := MySQLTable{Name: t.Name, Key: t.Key}
	types := t.mysqlTypes()
	for i := range t.Fields {
		f := &t.Fields[i]
		m.Columns = append(m.Columns, MySQLColumn{f.Name, types[i], f.key, i, f.Type})
	}
	keyless := len(t.Key) == 0
	integer, moment := Type{Kind: Int}, Type{Kind: Datetime}
	m.Columns = append(m.Columns, MySQLColumn{"_task", "BIGINT", keyless, MySQLTask, integer})
	switch {
	case keyless:
		m.Columns = append(m.Columns, MySQLColumn{"_pos", "BIGINT", true, MySQLPos, integer})
		m.Key = []string{"_task", "_pos"}
	case hashed:
		m.Columns = append(m.Columns, MySQLColumn{"_key", mysqlHash, true, MySQLKeyHash, Type{}})
		m.Key = []string{"_key"}
		if index := t.mysqlKeyIndex(types); index != "" {
			m.indexes = []string{index}
		}
	}
	m.Columns = append(m.Columns, MySQLColumn{"_fetched_at", mysqlMoment, false, MySQLFetchedAt, moment})
	return m
}

// CreateSQL returns the statement that creates the table if it is not there.
func (m *MySQLTable) CreateSQL() string {
	var lines []string
	for i := range m.Columns {
		lines = append(lines, m.Columns[i].sql())
	}
	lines = append(lines, "PRIMARY KEY ("+mysqlNames(m.Key)+")")
	lines = append(lines, m.indexes...)
	return "CREATE TABLE IF NOT EXISTS " + MySQLQuote(m.Name) + " (\n  " + strings.Join(lines, ",\n  ") +
		"\n) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4"
}

func (c *MySQLColumn) sql() string {
	if c.NotNull {
		return MySQLQuote(c.Name) + " " + c.Type + " NOT NULL"
	}
	return MySQLQuote(c.Name) + " " + c.Type + " NULL"
}

// AddColumnSQL returns the statement that adds column i to a table that was created without it.
func (m *MySQLTable) AddColumnSQL(i int) string {
	return "ALTER TABLE " + MySQLQuote(m.Name) + " ADD COLUMN " + m.Columns[i].sql()
}

// UpsertSQL returns what stands before and behind the rows of a statement that writes each over an older one of the same
// key. A row is "(value, …)" in the order of Columns. VALUES() is what both MySQL and MariaDB understand.
func (m *MySQLTable) UpsertSQL() (before, behind string) {
	var names, updates []string
	for i := range m.Columns {
		name := MySQLQuote(m.Columns[i].Name)
		names = append(names, name)
		if !m.inKey(m.Columns[i].Name) {
			updates = append(updates, fmt.Sprintf("%s=VALUES(%[1]s)", name))
		}
	}
	return "INSERT INTO " + MySQLQuote(m.Name) + " (" + strings.Join(names, ",") + ") VALUES ",
		" ON DUPLICATE KEY UPDATE " + strings.Join(updates, ",")
}

func (m *MySQLTable) inKey(column string) bool {
	return slices.ContainsFunc(m.Key, func(k string) bool { return strings.EqualFold(k, column) })
}

// Has reports whether the table has a column of that name, whatever its case.
func (m *MySQLTable) Has(column string) bool {
	return slices.ContainsFunc(m.Columns, func(c MySQLColumn) bool { return strings.EqualFold(c.Name, column) })
}

// MySQLQuote writes an identifier for MySQL, whatever is in it.
func MySQLQuote(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

func mysqlNames(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = MySQLQuote(name)
	}
	return strings.Join(quoted, ", ")
}
