package state_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"dogear/schema"
	"dogear/state"
)

func TestRecentHasTheNewestFirstAndNoMoreThanAsked(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(productStart(10)))
	tasks := f.commit(run, 6)
	lost := failed(tasks[1], "client", 404)
	lost.Failures[0].Error = strings.Repeat("é", 2000)
	f.commit(run, 0, done(tasks[0]), lost)
	s := f.store()
	recent, err := s.Recent(f.ctx, 20)
	if err != nil || len(recent) != 2 {
		t.Fatalf("%+v, %v", recent, err)
	}
	i := slices.IndexFunc(recent, func(a state.RecentAttempt) bool { return a.Outcome == "client" })
	if i < 0 || *recent[i].Status != 404 || recent[i].Task != tasks[1].ID || recent[i].Error != strings.Repeat("é", 1000) {
		t.Errorf("the failed one: %+v", recent)
	}
	if other := recent[1-i]; other.Outcome != "done" || other.URL != tasks[0].URL || *other.TookMS != 2 {
		t.Errorf("the good one: %+v", other)
	}
	if one, err := s.Recent(f.ctx, 1); err != nil || len(one) != 1 {
		t.Errorf("one: %+v, %v", one, err)
	}
}

func TestLatestHasTheRecordsThatChangedLast(t *testing.T) {
	f, run, products, _, tasks := twoTables(t, 5)
	for _, task := range tasks[:4] {
		f.commit(run, 0, doneWithProduct(task, products, epoch))
	}
	again := doneWithProduct(tasks[4], products, epoch)
	again.Rows[0].Values[0] = int64(2) // a known key: this one changed last
	f.commit(run, 0, again)
	latest, err := f.store().Latest(f.ctx, products, 3)
	if err != nil {
		t.Fatal(err)
	}
	var ids []any
	for _, r := range latest {
		ids = append(ids, r.Values[0])
	}
	if !slices.Equal(ids, []any{int64(2), int64(4), int64(3)}) {
		t.Errorf("the latest: %v", ids)
	}
}

func TestLatestCutsTextsAndLeavesEverythingElse(t *testing.T) {
	f := newFile(t)
	table := compiled(t, &schema.Table{Name: "kinds", Fields: []schema.Field{
		{Name: "text"}, {Name: "int", Type: schema.Type{Kind: schema.Int}},
		{Name: "real", Type: schema.Type{Kind: schema.Real}}, {Name: "none"},
	}})
	o := f.with(productStart(1))
	o.Tables = []*schema.Table{table}
	run := f.open(o)
	page := done(f.commit(run, 1)[0])
	page.Rows = []schema.Row{{Table: table, Values: []any{strings.Repeat("é", 301), int64(9007199254740993), 2.5, nil}}}
	f.commit(run, 0, page)
	latest, err := f.store().Latest(f.ctx, table, 10)
	if err != nil || len(latest) != 1 {
		t.Fatalf("%+v, %v", latest, err)
	}
	if want := []any{strings.Repeat("é", 300), int64(9007199254740993), 2.5, nil}; !slices.Equal(latest[0].Values, want) {
		t.Errorf("read %v, want %v", latest[0].Values, want)
	}
}

func TestLatestRefusesATableThatTheFileDoesNotHave(t *testing.T) {
	f := newFile(t)
	f.open(f.with(productStart(1)))
	other := compiled(t, &schema.Table{Name: "other", Fields: []schema.Field{{Name: "a"}}})
	_, err := f.store().Latest(f.ctx, other, 10)
	if changed := (*state.ChangedError)(nil); !errors.As(err, &changed) {
		t.Errorf("got %v", err)
	}
}

func TestTheLatestRecordsAreReadFromTheEndOfTheirTable(t *testing.T) {
	f, table := newFile(t), productsTable(t)
	o := f.with()
	o.Tables = []*schema.Table{table}
	f.open(o)
	if plan := f.plan(state.Queries(table)["latest records"]); plan != "SCAN products" {
		t.Errorf("the plan, which sorts nothing and ends at its LIMIT, is now:\n%s", plan)
	}
}
