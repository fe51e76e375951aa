package state_test

import (
	"fmt"
	"testing"

	"dogear/schema"
	"dogear/state"
)

// How many pages say that a field is never filled must be known to the next run.
func TestTheNextRunKnowsOnHowManyPagesAFieldWasNeverFilled(t *testing.T) {
	several := func(n int) func(*schema.Table, state.Task) state.Outcome {
		return func(table *schema.Table, task state.Task) state.Outcome {
			o := done(task)
			for i := range n {
				rate(table, &o, fmt.Sprint(task.ID*100+int64(i)), "4", "-")
			}
			return o
		}
	}
	rejected := func(table *schema.Table, task state.Task) state.Outcome {
		o := done(task)
		rate(table, &o, "none", "4", "-")
		rate(table, &o, "none", "4", "-")
		return o
	}
	one := func(table *schema.Table, task state.Task) state.Outcome { return rating(table, task, "4", "-") }
	for _, c := range []struct {
		name      string
		page      func(*schema.Table, state.Task) state.Outcome
		pages     int
		id, brand int64 // pages that the next run knows of
		changed   bool
	}{
		{"with a record each", one, 7, 0, 7, false},
		{"with several records each", several(9), 7, 0, 7, false},
		{"more than needed", one, 130, 0, state.FillPages, false},
		{"of rejects by the field itself", rejected, 7, 7, 0, false},
		{"of another job text", one, 7, 0, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, table, o := ratedFile(t)
			run := f.open(o)
			var group []state.Outcome
			for _, task := range f.commit(run, c.pages) {
				group = append(group, c.page(table, task))
			}
			f.commit(run, 0, group...)
			f.close(run, state.Interrupted)
			if c.changed {
				o.Text = []byte("name: changed")
			}
			run = f.open(o)
			if id, brand := run.Fields()[0].Pages, run.Fields()[2].Pages; id != c.id || brand != c.brand {
				t.Errorf("it knows of %d pages for the key and %d for the brand, want %d and %d", id, brand, c.id, c.brand)
			}
		})
	}
}

// The pages that were read before a job had the field say nothing of it.
func TestTheNextRunKnowsOnlyThePagesThatAFieldWasLookedForOn(t *testing.T) {
	f, table, o := ratedFile(t)
	run := f.open(o)
	for range 3 {
		tasks := f.commit(run, 2)
		f.commit(run, 0, rating(table, tasks[0], "4", "-"), rating(table, tasks[1], "4", "-"))
	}
	f.close(run, state.Interrupted)
	table = rated(t, "color")
	o.Text, o.Tables = []byte("name: changed"), []*schema.Table{table}
	run = f.open(o)
	f.commit(run, 0, rating(table, f.commit(run, 1)[0], "4", "-", "-"))
	f.close(run, state.Interrupted)
	run = f.open(o)
	if brand, color := run.Fields()[2].Pages, run.Fields()[3].Pages; brand != 7 || color != 1 {
		t.Errorf("it knows of %d pages for the brand and %d for the color, want 7 and 1", brand, color)
	}
}
