package schema

import (
	"errors"
	"fmt"
	"strings"
)

// Table is one record table of a job. Compile must have succeeded before any other method is called; after that a
// Table is only read, so any number of goroutines may use it.
type Table struct {
	Name   string
	Key    []string // names of the fields that identify a record; empty: a record is its task and position
	Fields []Field
}

// maxFields keeps a table within the columns that InnoDB can hold (1017) and SQLite's 2000.
const maxFields = 1000

// FieldError says what is wrong with a table's declaration. Field is "" when it is the table itself; What is the
// offending property in the words of the job file: "table", "fields", "name", "type", "key", "decimal", "layout",
// "default", "min", "max", "in".
type FieldError struct {
	Table, Field, What string
	Err                error
}

func (e *FieldError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("table %q: %s: %v", e.Table, e.What, e.Err)
	}
	return fmt.Sprintf("table %q: field %q: %s: %v", e.Table, e.Field, e.What, e.Err)
}

// Unwrap returns what is wrong, without the place.
func (e *FieldError) Unwrap() error { return e.Err }

// Compile checks the declaration and parses the bounds and defaults of its fields. It reports the first fault, as a
// *FieldError.
func (t *Table) Compile() error {
	if err := checkTableName(t.Name); err != nil {
		return t.wrong("", "table", err)
	}
	if len(t.Fields) == 0 || len(t.Fields) > maxFields {
		return t.wrong("", "fields", fmt.Errorf("a table has 1 to %d fields, not %d", maxFields, len(t.Fields)))
	}
	if err := t.checkFieldNames(); err != nil {
		return err
	}
	if err := t.markKey(); err != nil {
		return err
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		if what, err := f.compile(); err != nil {
			return t.wrong(f.Name, what, err)
		}
	}
	return nil
}

// checkFieldNames compares without regard to case, as SQLite and MySQL do for columns.
func (t *Table) checkFieldNames() error {
	seen := make(map[string]string, len(t.Fields))
	for _, f := range t.Fields {
		if err := checkColumnName(f.Name); err != nil {
			return t.wrong(f.Name, "name", err)
		}
		lower := strings.ToLower(f.Name)
		if other, ok := seen[lower]; ok {
			return t.wrong(f.Name, "name", fmt.Errorf("there is a field %q already (case does not count in column names)", other))
		}
		seen[lower] = f.Name
	}
	return nil
}

func (t *Table) markKey() error {
	for i := range t.Fields {
		t.Fields[i].key = false
	}
	for _, name := range t.Key {
		i, ok := t.Field(name)
		if !ok {
			return t.wrong("", "key", fmt.Errorf("there is no field %q", name))
		}
		if t.Fields[i].key {
			return t.wrong(name, "key", errors.New("named twice"))
		}
		t.Fields[i].key = true
	}
	return nil
}

func (t *Table) wrong(field, what string, err error) error {
	return &FieldError{Table: t.Name, Field: field, What: what, Err: err}
}

// Field returns the place of the field of that name in Fields. Field names are case-sensitive here, as in the job file.
func (t *Table) Field(name string) (int, bool) {
	for i := range t.Fields {
		if t.Fields[i].Name == name {
			return i, true
		}
	}
	return 0, false
}
