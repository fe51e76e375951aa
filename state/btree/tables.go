package btree

// Table is an ordinary table as sqlite_schema, section 2.6, has it.
type Table struct {
	Name, SQL string
	Root      uint32 // for Walk
}

// Tables returns the tables that can be read from sqlite_schema, whose tree begins on page 1, also when the header
// before it is garbage. Virtual tables and views have no rows of their own and are left out.
func (f *File) Tables() []Table {
	var tables []Table
	if f.limit == 0 {
		return nil
	}
	f.Walk(1, func(r Row) bool {
		if t, ok := tableOf(r); ok {
			tables = append(tables, t)
		}
		return true
	})
	return tables
}

// tableOf reads a row of sqlite_schema: type, name, tbl_name, rootpage, sql.
func tableOf(r Row) (Table, bool) {
	if len(r.Values) != 5 || r.Values[0] != "table" {
		return Table{}, false
	}
	name, named := r.Values[1].(string)
	root, rooted := r.Values[3].(int64)
	sql, written := r.Values[4].(string)
	ok := named && rooted && written && root > 0 && root < 1<<32
	return Table{Name: name, SQL: sql, Root: uint32(root)}, ok
}
