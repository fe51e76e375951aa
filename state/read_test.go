package state_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"dogear/schema"
	"dogear/state"
)

func TestEachStreamsWhatChangedAfterASeq(t *testing.T) {
	f, run, products, _, tasks := twoTables(t, 5)
	for _, task := range tasks {
		f.commit(run, 0, doneWithProduct(task, products, epoch))
	}
	again := doneWithProduct(f.commit(run, 1)[0], products, epoch)
	again.Rows[0].Values[0] = int64(2) // a known key: this one changed last
	f.commit(run, 0, again)
	s := f.store()
	for _, c := range []struct {
		after int64
		want  []int64
	}{{0, []int64{1, 3, 4, 5, 2}}, {3, []int64{4, 5, 2}}, {5, []int64{2}}, {6, nil}, {-1, []int64{1, 3, 4, 5, 2}}} {
		var ids []int64
		last := c.after
		err := s.Each(f.ctx, products, c.after, func(r *state.Record) error {
			if r.Seq <= last {
				t.Errorf("_seq %d came after %d", r.Seq, last)
			}
			last = r.Seq
			ids = append(ids, r.Values[0].(int64))
			return nil
		})
		if err != nil || !slices.Equal(ids, c.want) {
			t.Errorf("after %d: %v, %v, want %v", c.after, ids, err, c.want)
		}
	}
}

func TestEachGivesValuesAsTheyWereCleaned(t *testing.T) {
	f := newFile(t)
	table := compiled(t, &schema.Table{Name: "kinds", Fields: []schema.Field{
		{Name: "text"}, {Name: "int", Type: schema.Type{Kind: schema.Int}}, {Name: "real", Type: schema.Type{Kind: schema.Real}},
		{Name: "date", Type: schema.Type{Kind: schema.Date}}, {Name: "datetime", Type: schema.Type{Kind: schema.Datetime}},
		{Name: "bool", Type: schema.Type{Kind: schema.Bool}}, {Name: "json", Type: schema.Type{Kind: schema.JSON}}, {Name: "none"},
	}})
	o := f.with(productStart(1))
	o.Tables = []*schema.Table{table}
	run := f.open(o)
	page := done(f.commit(run, 1)[0])
	want := []any{"2026-02-04 06:30:00", int64(9007199254740993), 2.0, "2026-02-04", epoch.UnixMilli(), int64(1), `{"a":1.10}`, nil}
	page.Rows = []schema.Row{{Table: table, Values: want}}
	f.commit(run, 0, page)
	err := f.store().Each(f.ctx, table, 0, func(r *state.Record) error {
		if !reflect.DeepEqual(r.Values, want) {
			t.Errorf("read %#v, want %#v", r.Values, want)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestEachStopsAtTheFirstErrorOfItsCaller(t *testing.T) {
	f, run, products, _, tasks := twoTables(t, 3)
	for _, task := range tasks {
		f.commit(run, 0, doneWithProduct(task, products, epoch))
	}
	stop, n := errors.New("stop"), 0
	err := f.store().Each(f.ctx, products, 0, func(*state.Record) error { n++; return stop })
	if !errors.Is(err, stop) || n != 1 {
		t.Errorf("%d records, %v", n, err)
	}
}

// colly's SQLite storage, crawlee #505: a reader and the crawl locked each other out. Here neither waits for the other, and
// the reader sees one moment of the file all the time.
func TestAReaderInTheMiddleOfALongReadDoesNotBlockCommits(t *testing.T) {
	f, run, products, _, tasks := twoTables(t, 4)
	for _, task := range tasks {
		f.commit(run, 0, doneWithProduct(task, products, epoch))
	}
	n := 0
	err := f.store().Each(f.ctx, products, 0, func(*state.Record) error {
		if n++; n > 4 {
			return nil
		}
		for _, task := range f.commit(run, 1) { // each of these would fail if the read held them up
			f.commit(run, 0, doneWithProduct(task, products, epoch))
		}
		return nil
	})
	if err != nil || n != 4 {
		t.Errorf("the read saw %d records, %v, want the 4 of its beginning", n, err)
	}
	f.want(`SELECT count(*) FROM products`, "8")
}

func TestAStoreCountsRecordsAndRejects(t *testing.T) {
	f, run, products, notes, tasks := twoTables(t, 2)
	o := doneWithProduct(tasks[0], products, epoch)
	o.Rows = append(o.Rows, note(notes, "a"), note(notes, "b"))
	o.Rejects = []schema.Reject{{Table: "notes", Field: "text", Reason: "r", Raw: "{}"}}
	f.commit(run, 0, o)
	s := f.store()
	counts, rejects, err := s.RecordCounts(f.ctx)
	if err != nil || rejects != 1 || !slices.Equal(counts, []state.TableCount{{Table: "products", Records: 1}, {Table: "notes", Records: 2}}) {
		t.Errorf("%+v, %d rejects, %v", counts, rejects, err)
	}
}

// crawlee #1324, #1837, #2652, scrapy-redis #28: crawls ended early, or never. The end is one read of the rows.
func TestACrawlIsSettledOnlyWhenTheRowsSaySo(t *testing.T) {
	for _, c := range []struct {
		name string
		left func(f *file, run *state.Run, tasks []state.Task)
		want bool
	}{
		{"all done or failed", func(f *file, run *state.Run, tasks []state.Task) {
			f.commit(run, 0, done(tasks[0]), failed(tasks[1], "client", 404))
		}, true},
		{"one in flight", func(f *file, run *state.Run, tasks []state.Task) { f.commit(run, 0, done(tasks[0])) }, false},
		{"one put off", func(f *file, run *state.Run, tasks []state.Task) {
			f.commit(run, 0, done(tasks[0]), putOff(tasks[1], epoch.Add(1e12)))
		}, false},
		{"one found", func(f *file, run *state.Run, tasks []state.Task) {
			o := done(tasks[0])
			o.Links = []schema.Request{get("http://127.0.0.1/found")}
			f.commit(run, 0, o, done(tasks[1]))
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFile(t)
			run := f.open(f.with(productStart(2)))
			c.left(f, run, f.commit(run, 2))
			if got, err := run.Settled(f.ctx); got != c.want || err != nil {
				t.Errorf("settled is %t, %v", got, err)
			}
		})
	}
}

func TestCountersThatAreWrongAreMadeRightBeforeACrawlEnds(t *testing.T) {
	f := newFile(t)
	f.close(f.open(f.with()), state.Interrupted)
	raw(`INSERT INTO tasks (url, page, created_at) VALUES ('http://127.0.0.1/by-hand', 'page', 0)`)(t, f.path)
	run := f.open(f.with())
	if settled, err := run.Settled(f.ctx); settled || err != nil {
		t.Fatalf("settled is %t, %v", settled, err)
	}
	f.agree(run)
	if got := fmt.Sprint(f.commit(run, 5)); got != "[{1 http://127.0.0.1/by-hand page GET   0 0 false}]" {
		t.Errorf("claimed %s", got)
	}
}

// What one status shows must agree, whatever a run commits while it is read.
func TestASnapshotSeesOneMoment(t *testing.T) {
	f, run, products, _, tasks := twoTables(t, 2)
	s := f.store()
	err := s.Snapshot(f.ctx, func(s *state.Store) error {
		before, err := s.Progress(f.ctx)
		if err != nil {
			return err
		}
		f.commit(run, 0, doneWithProduct(tasks[0], products, epoch))
		counts, _, err := s.RecordCounts(f.ctx)
		if err != nil {
			return err
		}
		if after, err := s.Progress(f.ctx); err != nil || after.Done != before.Done || counts[0].Records != before.Done {
			t.Errorf("done %d, then %d, with %v records: %v", before.Done, after.Done, counts, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if now, err := s.Progress(f.ctx); err != nil || now.Done != 1 {
		t.Errorf("after it, %d done: %v", now.Done, err)
	}
}
