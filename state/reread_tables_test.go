package state_test

import (
	"errors"
	"strings"
	"testing"

	"dogear/schema"
	"dogear/state"
)

// What a table was declared otherwise for is what pages are read again for: what can be made to fit, is.
func TestATableThatIsDeclaredOtherwiseIsMadeToFitBeforeItsPagesAreReadAgain(t *testing.T) {
	integer := schema.Type{Kind: schema.Int}
	id, name := schema.Field{Name: "id"}, schema.Field{Name: "name"}
	typed := schema.Table{Key: []string{"id"}, Fields: []schema.Field{id, {Name: "name", Type: integer}}}
	key := func(names ...string) schema.Table { return schema.Table{Key: names, Fields: []schema.Field{id, name}} }
	more := func(name string, key string) schema.Table {
		return schema.Table{Key: []string{key}, Fields: fields("id", "name", name)}
	}
	for _, c := range []struct {
		name  string
		spoil string // what is done to the file first
		after schema.Table
		key   string
		rows  string // before its pages are read
		err   error
	}{
		{"a new field is a new column", "", more("more", "id"), "id", "a|1|NULL\nb|1|NULL", nil},
		{"a type", "", typed, "id", "a|NULL\nb|NULL", nil},
		{"a type, and values of a page that is not kept", `DELETE FROM page_bodies`, schema.Table{Key: []string{"id"},
			Fields: []schema.Field{id, {Name: "name", Type: integer}}}, "", "",
			&state.ChangedError{Table: "goods", What: "field name", Was: "TEXT", Is: "INTEGER"}},
		{"a type, and one of a task that waits", `UPDATE tasks SET state = 'pending'`, schema.Table{Key: []string{"id"},
			Fields: []schema.Field{id, {Name: "name", Type: integer}}}, "", "",
			&state.ChangedError{Table: "goods", What: "field name", Was: "TEXT", Is: "INTEGER"}},
		{"a type, and an index of the user's", `CREATE INDEX mine ON goods (name)`, schema.Table{Key: []string{"id"},
			Fields: []schema.Field{id, {Name: "name", Type: integer}}}, "", "",
			&state.ChangedError{Table: "goods", What: "field name", Was: "TEXT", Is: "INTEGER"}},
		{"the type of the key", "", schema.Table{Key: []string{"id"},
			Fields: []schema.Field{{Name: "id", Type: integer}, name}}, "", "",
			&state.ChangedError{Table: "goods", What: "field id", Was: "TEXT", Is: "INTEGER"}},
		{"a longer key", "", key("id", "name"), "id,name", "a|1\nb|1", nil},
		{"a key that is new", "", more("sku", "sku"), "sku", "a|1|NULL\nb|1|NULL", nil},
		{"a key that they are not unique by", "", key("name"), "", "",
			&state.KeyError{Table: "goods", Was: "id", Is: "name"}},
		{"none any more", "", key(), "_task,_pos", "a|1\nb|1", nil},
	} {
		for _, dry := range []bool{true, false} {
			t.Run(c.name, func(t *testing.T) {
				s := newLarder(t, "a 1, b 1")
				if c.spoil != "" {
					raw(c.spoil)(t, s.path)
				}
				before := s.dump()
				after := c.after
				after.Name = "goods"
				o := s.options
				o.Text, o.Reread, o.Tables = []byte("name: changed"),
					true, []*schema.Table{compiled(t, &after), notesTable(t)}
				open := state.OpenRun
				if dry {
					open = state.OpenDry
				}
				run, err := open(s.ctx, o, epoch)
				if !same(err, c.err) {
					t.Fatalf("error is %v, want %v", err, c.err)
				}
				if err != nil {
					if s.dump() != before {
						t.Error("the refused job changed the file")
					}
					return
				}
				if dry {
					if err := run.CloseDry(); err != nil || s.dump() != before {
						t.Errorf("the dry run changed the file (%v)", err)
					}
					return
				}
				s.close(run, "")
				s.want(`SELECT group_concat(name) FROM pragma_index_info('goods__key')`, c.key)
				var columns []string
				for _, f := range after.Fields {
					columns = append(columns, f.Name)
				}
				s.want(`SELECT `+strings.Join(columns, ", ")+` FROM goods ORDER BY id`, c.rows)
				s.want(`SELECT text FROM job`, "name: job") // until all pages were read
			})
		}
	}
}

// same compares errors of the kinds that a table brings.
func same(got, want error) bool {
	var changed *state.ChangedError
	var key *state.KeyError
	switch want := want.(type) {
	case *state.ChangedError:
		return errors.As(got, &changed) && *changed == *want
	case *state.KeyError:
		return errors.As(got, &key) && *key == *want
	}
	return got == nil
}
