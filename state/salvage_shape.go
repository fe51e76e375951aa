package state

import (
	"context"
	"slices"

	"dogear/state/btree"
)

// fits reports whether a row can be one of the table, by the number of its values and their types. One may be short:
// of a record table to which columns were added later.
func (l *layout) fits(row btree.Row) bool {
	n := len(row.Values)
	if n > len(l.columns) || n < len(l.columns) && (!l.records || n <= len(ownColumns)) {
		return false
	}
	for i, v := range row.Values {
		if !l.columns[i].takes(v) {
			return false
		}
	}
	return l.means(row)
}

func (c *column) takes(v any) bool {
	switch v.(type) {
	case nil:
		return c.key || !c.notNull
	case int64:
		return !c.key && (c.typ == "INTEGER" || c.typ == "REAL")
	case float64:
		return c.typ == "REAL"
	case string:
		return c.typ == "TEXT"
	}
	return c.typ == "BLOB"
}

// means looks at what the values say, where types alone might belong to another table.
func (l *layout) means(row btree.Row) bool {
	if l.records {
		task, pos, at := row.Values[1].(int64), row.Values[2].(int64), row.Values[3].(int64)
		return row.ID > 0 && task >= 0 && pos >= 0 && at > 0
	}
	switch l.table {
	case "tasks":
		return slices.Contains([]string{Pending, InFlight, Done, Failed}, row.Values[l.column("state")].(string))
	case "attempts":
		return slices.Contains(failureKinds, row.Values[l.column("kind")].(string))
	}
	return true
}

// failureKinds are the words in attempts.kind.
var failureKinds = []string{
	"network", "timeout", "server", "throttled", "blocked", "client", "too_large", "robots", "parse", "invalid",
}

// belong returns the layout that all rows of a page have; nil when there is none, or those of two tables would do as
// well.
func belong(rows []btree.Row, layouts []layout) *layout {
	var found *layout
	var best int
	var tie bool
	for i := range layouts {
		l := &layouts[i]
		if slices.ContainsFunc(rows, func(r btree.Row) bool { return !l.fits(r) }) {
			continue
		}
		switch like := l.likeness(rows); {
		case found == nil || like > best:
			found, best, tie = l, like, false
		case like == best && found.table != l.table:
			tie = true
		}
	}
	if tie {
		return nil
	}
	return found
}

// likeness is greater for a table that leaves fewer columns unsaid, and then for one of dogear's own, which have more
// to tell them by.
func (l *layout) likeness(rows []btree.Row) int {
	unsaid := 0
	for _, r := range rows {
		unsaid = max(unsaid, len(l.columns)-len(r.Values))
	}
	if l.records {
		return -2*unsaid - 1
	}
	return -2 * unsaid
}

// ofSchema reports rows of sqlite_schema.
func ofSchema(rows []btree.Row) bool {
	return !slices.ContainsFunc(rows, func(r btree.Row) bool { _, ok := entryOf(r); return !ok })
}

// likeOurs reports whether there are tables or rows in the file that only dogear makes.
func (s *source) likeOurs(ctx context.Context) (bool, error) {
	known, err := knownLayouts(ctx)
	if err != nil {
		return false, err
	}
	tasks := slices.DeleteFunc(known, func(l layout) bool { return l.table != "tasks" })
	found := false
	for _, t := range s.entries() {
		if l, ok := layoutOf(ctx, t.sql); ok && t.table && t.name == "tasks" && l.column("key_given") >= 0 {
			found = true
		}
	}
	if !found {
		s.Orphans(func(_ uint32, rows []btree.Row) bool {
			found = belong(rows, tasks) != nil
			return !found
		})
	}
	return found, nil
}
