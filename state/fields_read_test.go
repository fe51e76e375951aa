package state_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dogear/schema"
	"dogear/state"
)

func TestAFileOlderThanTheCountsIsReadWithoutThem(t *testing.T) {
	f := newFile(t)
	b, err := os.ReadFile(filepath.Join("..", "testdata", "state", "v2.db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	if counts, err := f.store().FieldCounts(context.Background()); counts != nil || err != nil {
		t.Errorf("it says %v, %v", counts, err)
	}
}

// What a page said in each record is no reason of its own.
func TestRejectsAreGroupedByTheirReasons(t *testing.T) {
	f, run, _, _, tasks := twoTables(t, 1)
	five, three := "5", "3"
	cut := compiled(t, &schema.Table{Name: "notes", Fields: []schema.Field{
		{Name: "n", Type: schema.Type{Kind: schema.Int}, Max: &five, Required: true}, {Name: "text", Min: &three},
		{Name: "date", Type: schema.Type{Kind: schema.Date}},
	}})
	o := done(tasks[0])
	for _, texts := range [][3]string{
		{"7", "abc"}, {"8", "abc"}, {`9"`, "abc"}, {"9", `a "quoted" text`}, {"-", "abc"}, {"-", "abc"},
		{"2", "a"}, {"2", `"`}, {"2", `b"`}, {"x", "abc"}, {"2", "abc", "03/04/2025"},
	} {
		raw := make([]schema.Raw, 3)
		for i, text := range texts {
			raw[i] = schema.Raw{Text: text, Found: text != "-" && text != ""}
		}
		_, reject := cut.Clean(raw, "")
		o.Rejects = append(o.Rejects, *reject)
	}
	f.commit(run, 0, o)
	groups, err := f.store().RejectGroups(f.ctx, 5)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]state.RejectGroup{
		{Table: "notes", Rejects: 3, Example: `n: "7" is over max 5`},
		{Table: "notes", Rejects: 3, Example: `text: "\"" is under min 3`},
		{Table: "notes", Rejects: 2, Example: `n: required, but "9\"" is not a int`},
		{Table: "notes", Rejects: 2, Example: `n: required, but there is no value`},
		{Table: "notes", Rejects: 1, Example: `date: "03/04/2025" can be read as more than one date` +
			`; say how it is written with layout: "02/01/2006" or layout: "%d/%m/%Y"`},
	}, groups); diff != "" {
		t.Error(diff)
	}
}
