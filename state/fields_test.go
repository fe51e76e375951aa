package state_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dogear/schema"
	"dogear/state"
)

const countedSQL = `SELECT "table", field, filled, defaulted, empty, rejected FROM field_counts ORDER BY 1, rowid`

// rated is a table whose fields come to all ends there are.
func rated(tb testing.TB, more ...string) *schema.Table {
	zero := "0"
	t := &schema.Table{Name: "rated", Key: []string{"id"}, Fields: []schema.Field{
		{Name: "id", Type: schema.Type{Kind: schema.Int}},
		{Name: "rating", Type: schema.Type{Kind: schema.Int}, Default: &zero}, {Name: "brand"},
	}}
	t.Fields = append(t.Fields, fields(more...)...)
	return compiled(tb, t)
}

// rating is a page with one record, cleaned from what it says; "-" is nothing.
func rating(t *schema.Table, task state.Task, texts ...string) state.Outcome {
	o := done(task)
	rate(t, &o, fmt.Sprint(task.ID), texts...)
	return o
}

func rate(t *schema.Table, o *state.Outcome, id string, texts ...string) {
	raw := []schema.Raw{{Text: id, Found: true}}
	for _, text := range texts {
		raw = append(raw, schema.Raw{Text: text, Found: text != "-"})
	}
	if row, reject := t.Clean(raw, ""); row != nil {
		o.Rows = append(o.Rows, *row)
	} else {
		o.Rejects = append(o.Rejects, *reject)
	}
}

func ratedFile(t *testing.T) (*file, *schema.Table, state.RunOptions) {
	f, table := newFile(t), rated(t)
	o := f.with(productStart(400))
	o.Tables = []*schema.Table{table}
	return f, table, o
}

// said are the counts that a run has of its fields, with their pages.
func said(run *state.Run) string {
	var lines []string
	for _, c := range run.Fields() {
		lines = append(lines, fmt.Sprintf("%s|%s|%d|%d|%d|%d pages %d",
			c.Table, c.Field, c.Filled, c.Defaulted, c.Empty, c.Rejected, c.Pages))
	}
	return strings.Join(lines, "\n")
}

func TestWhatBecomesOfEachFieldIsCountedWithTheCommit(t *testing.T) {
	f, table, o := ratedFile(t)
	run := f.open(o)
	tasks := f.commit(run, 5)
	f.want(countedSQL, "")
	f.commit(run, 0, rating(table, tasks[0], "4", "Moka"), rating(table, tasks[1], "-", "-"))
	f.want(countedSQL, "rated|id|2|0|0|0\nrated|rating|1|1|0|0\nrated|brand|1|0|1|0")
	bad := rating(table, tasks[2], "many", "-")
	rate(table, &bad, "three", "4", "Moka") // whose key can't be read
	rate(table, &bad, "four", "4", "Moka")
	f.commit(run, 0, bad, putOff(tasks[3], epoch))
	f.want(countedSQL, "rated|id|3|0|0|2\nrated|rating|1|2|0|0\nrated|brand|1|0|2|0")
	f.commit(run, 0)
	want := "rated|id|3|0|0|2 pages 3\nrated|rating|1|2|0|0 pages 3\nrated|brand|1|0|2|0 pages 3"
	if got := said(run); got != want {
		t.Errorf("the run says\n%s\nwant\n%s", got, want)
	}
}

// A read record counts whether or not the table had it before: so the sum is what was read, not what is kept.
func TestARecordThatIsReadAgainCountsAgain(t *testing.T) {
	f, run, products, notes, task := fetchAgain(t, state.Done)
	f.want(`SELECT filled, defaulted, empty, rejected FROM field_counts WHERE "table" = 'notes'`, "5|0|0|2")
	o := doneWithProduct(task, products, epoch)
	o.Rows = append(o.Rows, note(notes, nil))
	f.commit(run, 0, o)
	f.want(`SELECT filled, defaulted, empty, rejected FROM field_counts WHERE "table" = 'notes'`, "5|0|1|2")
	f.want(`SELECT DISTINCT filled + defaulted + empty FROM field_counts WHERE "table" = 'products'`, "2")
	f.want(`SELECT count(*) FROM products`, "1")
}

func TestACommitThatFailsTakesItsCountsBack(t *testing.T) {
	f, table, o := ratedFile(t)
	run := f.open(o)
	tasks := f.commit(run, 3)
	f.commit(run, 0, rating(table, tasks[0], "4", "-"))
	db := openRaw(t, f.path)
	const full = `CREATE TRIGGER full BEFORE UPDATE ON counters BEGIN SELECT RAISE(ABORT, 'disk full'); END`
	if _, err := db.Exec(full); err != nil {
		t.Fatal(err)
	}
	before, counted := said(run), f.ask(countedSQL)
	group := []state.Outcome{rating(table, tasks[1], "-", "-"), rating(table, tasks[2], "5", "Moka")}
	for range 3 {
		if _, err := run.Commit(f.ctx, epoch, group, 0); err == nil {
			t.Fatal("the commit went through")
		}
		if said(run) != before || f.ask(countedSQL) != counted {
			t.Errorf("the run says\n%s\nit said\n%s\nthe file has\n%s", said(run), before, f.ask(countedSQL))
		}
	}
	if _, err := db.Exec(`DROP TRIGGER full`); err != nil {
		t.Fatal(err)
	}
	f.commit(run, 0, group...)
	f.want(countedSQL, "rated|id|3|0|0|0\nrated|rating|2|1|0|0\nrated|brand|1|0|2|0")
}

// What was not committed is fetched again, and what was is not: each record counts once, wherever the kill falls.
func TestAKilledRunCountsEveryRecordOnce(t *testing.T) {
	f := newFile(t)
	c := startChild(t, "crawl", f.path)
	for range 7 {
		c.line()
	}
	c.kill()
	table := productsTable(t)
	run := f.open(crawlOptions(f.path, table))
	if n := run.Fields()[0].Filled; n < 7*8 || n != run.Counts().Done {
		t.Errorf("%d records are counted, %d tasks are done", n, run.Counts().Done)
	}
	for run.Counts().Left() > 0 {
		if _, err := commitProducts(f.ctx, run, table, 300); err != nil {
			t.Fatal(err)
		}
	}
	f.want(`SELECT count(*), min(filled), max(filled + defaulted + empty + rejected) FROM field_counts`, "7|1000|1000")
}

// A field of a later job begins at nothing; one that is gone stays in the file, and the job's are in their order.
func TestTheCountsFollowTheFieldsOfTheJob(t *testing.T) {
	f, table, o := ratedFile(t)
	run := f.open(o)
	f.commit(run, 0, rating(table, f.commit(run, 1)[0], "4", "Moka"))
	f.close(run, state.Interrupted)

	later := &schema.Table{Name: "Rated", Key: []string{"id"}, Fields: []schema.Field{
		{Name: "color"}, {Name: "Rating", Type: schema.Type{Kind: schema.Int}},
		{Name: "id", Type: schema.Type{Kind: schema.Int}},
	}}
	o.Text, o.Tables = []byte("name: changed"), []*schema.Table{compiled(t, later), notesTable(t)}
	run = f.open(o)
	page := done(f.commit(run, 1)[0])
	page.Rows = []schema.Row{{Table: later, Values: []any{nil, int64(5), int64(2)}}}
	f.commit(run, 0, page)
	want := "Rated|color|0|0|1|0 pages 1\nRated|Rating|2|0|0|0 pages 1\nRated|id|2|0|0|0 pages 1\n" +
		"notes|text|0|0|0|0 pages 0"
	if got := said(run); got != want {
		t.Errorf("the run says\n%s\nwant\n%s", got, want)
	}
	counts, err := f.store().FieldCounts(f.ctx)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]state.FieldCount{
		{Table: "rated", Field: "id", Filled: 2}, {Table: "rated", Field: "rating", Filled: 2},
		{Table: "rated", Field: "brand", Filled: 1},
		{Table: "rated", Field: "color", Empty: 1}, {Table: "notes", Field: "text"},
	}, counts); diff != "" {
		t.Error(diff)
	}
}
