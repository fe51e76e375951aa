package state_test

import (
	"errors"
	"testing"

	"dogear/schema"
	"dogear/state"
)

func fields(names ...string) []schema.Field {
	var all []schema.Field
	for _, name := range names {
		all = append(all, schema.Field{Name: name})
	}
	return all
}

func TestATableOfAChangedJob(t *testing.T) {
	integer, decimal := schema.Type{Kind: schema.Int}, schema.Type{Kind: schema.Decimal, Precision: 10, Scale: 2}
	before := schema.Table{Name: "goods", Key: []string{"id"}, Fields: []schema.Field{{Name: "id"}, {Name: "price", Type: decimal}}}
	for _, c := range []struct {
		name    string
		after   schema.Table
		changed *state.ChangedError
		columns string // and the only row, when it is not refused
	}{
		{"that is as it was", before, nil, "_seq,_task,_pos,_fetched_at,id,price"},
		{"with a new field gets a column", schema.Table{Name: "goods", Key: []string{"id"}, Fields: append(fields("id", "名称"), schema.Field{Name: "price", Type: decimal})},
			nil, "_seq,_task,_pos,_fetched_at,id,price,名称"},
		{"with a field less keeps the column", schema.Table{Name: "goods", Key: []string{"id"}, Fields: fields("id")}, nil, "_seq,_task,_pos,_fetched_at,id,price"},
		{"with its fields in another order is the same", schema.Table{Name: "goods", Key: []string{"id"}, Fields: []schema.Field{{Name: "price", Type: decimal}, {Name: "id"}}},
			nil, "_seq,_task,_pos,_fetched_at,id,price"},
		{"with other letter case in its names is the same", schema.Table{Name: "Goods", Key: []string{"ID"}, Fields: []schema.Field{{Name: "ID"}, {Name: "Price", Type: decimal}}},
			nil, "_seq,_task,_pos,_fetched_at,id,price"},
		{"with another type of a field is refused", schema.Table{Name: "goods", Key: []string{"id"}, Fields: []schema.Field{{Name: "id"}, {Name: "price", Type: integer}}},
			&state.ChangedError{Table: "goods", What: "field price", Was: "TEXT", Is: "INTEGER"}, ""},
		{"with another key is refused", schema.Table{Name: "goods", Key: []string{"price"}, Fields: []schema.Field{{Name: "id"}, {Name: "price", Type: decimal}}},
			&state.ChangedError{Table: "goods", What: "key", Was: "id", Is: "price"}, ""},
		{"with a longer key is refused", schema.Table{Name: "goods", Key: []string{"id", "price"}, Fields: []schema.Field{{Name: "id"}, {Name: "price", Type: decimal}}},
			&state.ChangedError{Table: "goods", What: "key", Was: "id", Is: "id, price"}, ""},
		{"that has no key any more is refused", schema.Table{Name: "goods", Fields: []schema.Field{{Name: "id"}, {Name: "price", Type: decimal}}},
			&state.ChangedError{Table: "goods", What: "key", Was: "id", Is: "_task, _pos"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, first := newFile(t), before
			o := f.with(productStart(3))
			o.Tables = []*schema.Table{compiled(t, &first)}
			run := f.open(o)
			page := done(f.commit(run, 2)[0])
			page.Rows = []schema.Row{{Table: &first, Values: []any{"7", "1.50"}}}
			f.commit(run, 0, page)
			f.close(run, "") // a task is left in flight
			kept := f.dump()

			o.Text, o.Tables = []byte("name: changed"), []*schema.Table{compiled(t, &c.after), notesTable(t)}
			again, err := state.OpenRun(f.ctx, o, epoch)
			if c.changed != nil {
				var got *state.ChangedError
				if !errors.As(err, &got) || *got != *c.changed {
					t.Errorf("error is %v, want %v", err, c.changed)
				}
				if f.dump() != kept {
					t.Error("the refused job changed the file")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close(f.ctx, epoch, "")
			f.want(`SELECT group_concat(name) FROM pragma_table_info('goods')`, c.columns)
			f.want(`SELECT id, price FROM goods`, "7|1.50")
			task := f.commit(again, 1)[0]
			next := done(task)
			next.Rows = []schema.Row{{Table: &c.after, Values: make([]any, len(c.after.Fields))}}
			for i := range next.Rows[0].Values {
				next.Rows[0].Values[i] = "8"
			}
			f.commit(again, 0, next)
			f.want(`SELECT count(*) FROM goods WHERE id = '8'`, "1")
		})
	}
}

func TestATableWithoutAKeyThatGetsOneIsRefused(t *testing.T) {
	f := newFile(t)
	o := f.with()
	o.Tables = []*schema.Table{notesTable(t)}
	f.close(f.open(o), state.Finished)
	o.Tables = []*schema.Table{compiled(t, &schema.Table{Name: "notes", Key: []string{"text"}, Fields: fields("text")})}
	var changed *state.ChangedError
	if _, err := state.OpenRun(f.ctx, o, epoch); !errors.As(err, &changed) || changed.Was != "_task, _pos" || changed.Is != "text" {
		t.Errorf("error is %v", err)
	}
}

func TestNamesThatAreWordsOfSQLOrOfOtherTonguesAreJustNames(t *testing.T) {
	f := newFile(t)
	table := compiled(t, &schema.Table{Name: "select", Key: []string{"group", "价格"}, Fields: fields("group", "价格", "rowid", "order")})
	o := f.with(productStart(1))
	o.Tables = []*schema.Table{table}
	run := f.open(o)
	page := done(f.commit(run, 1)[0])
	page.Rows = []schema.Row{{Table: table, Values: []any{"g", "9", "r", "o"}}, {Table: table, Values: []any{"g", "9", "r2", "o2"}}}
	f.commit(run, 0, page)
	f.want(`SELECT "group", 价格, "rowid", "order" FROM "select"`, "g|9|r2|o2")
	var got []any
	err := f.store().Each(f.ctx, table, 0, func(r *state.Record) error {
		got = append(got, r.Seq, r.Values[2])
		return nil
	})
	if err != nil || len(got) != 2 || got[0] != int64(2) || got[1] != "r2" {
		t.Errorf("read %v, %v", got, err)
	}
}
