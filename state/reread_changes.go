package state

import "dogear/schema"

// Changes are what reading kept pages again came to.
type Changes struct {
	Pages      int64 // read
	Without    int64 // finished tasks that have no kept page: what they brought stays as it is
	Stale      int64 // finished tasks whose kept page is not their last answer: the same
	NowDone    int64 // failed tasks that are done by the new rules
	NowFailed  int64 // done tasks that fail by them
	Reasons    int64 // tasks that fail as before, or have rejects, for other reasons than before
	Links      int64 // new tasks, which wait to be fetched
	LeftOut    int64 // and those beyond RunOptions.MaxTasks
	WasRejects int64 // rows of rejects before
	Rejects    int64 // and after
	Tables     []TableChanges
}

// TableChanges are those of a record table.
type TableChanges struct {
	Table         *schema.Table
	Before, After int64 // rows
	Added         int64
	Changed       int64 // another value in at least one field
	Unchanged     int64 // read again, the same
	Removed       int64
	Fields        []FieldChanges // in the order of the table's fields, of the rows that changed
}

// FieldChanges are those of a field in rows that were there before and are after.
type FieldChanges struct {
	Changed int64 // from one value to another
	Filled  int64 // from NULL to a value
	Emptied int64 // from a value to NULL
}

// Any reports whether anything is another than before.
func (c *Changes) Any() bool {
	for i := range c.Tables {
		if t := &c.Tables[i]; t.Added+t.Changed+t.Removed > 0 {
			return true
		}
	}
	return c.NowDone+c.NowFailed+c.Reasons+c.Links > 0 || c.Rejects != c.WasRejects
}

// clone is a copy that does not change with the other.
func (c *Changes) clone() Changes {
	copied := *c
	copied.Tables = make([]TableChanges, len(c.Tables))
	for i, t := range c.Tables {
		t.Fields = append([]FieldChanges(nil), t.Fields...)
		copied.Tables[i] = t
	}
	return copied
}

// differ counts what differs between the values of a row before and after; false: nothing does.
func (t *TableChanges) differ(before, after []any) bool {
	any := false
	for i := range after {
		f := &t.Fields[i]
		switch {
		case before[i] == after[i]:
			continue
		case before[i] == nil:
			f.Filled++
		case after[i] == nil:
			f.Emptied++
		default:
			f.Changed++
		}
		any = true
	}
	return any
}
