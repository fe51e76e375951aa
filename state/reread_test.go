package state_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"dogear/schema"
	"dogear/state"
)

// kept is a done task with its page, and what it brought.
func kept(t state.Task, at time.Time, rows ...schema.Row) state.Outcome {
	o := done(t)
	o.At, o.Rows = at, rows
	o.Kept = &state.Body{URL: t.URL, Status: 200, ContentType: "text/html", At: at, Size: 3, Packed: []byte(t.URL)}
	return o
}

// larder is a file with a keyed table, and a run's worth of kept pages in it: the rows of each task, "key value", in
// the order of their answers.
//
// What a page brings is written "key value, key value", and pages are parted by a |.
type larder struct {
	*file
	goods   *schema.Table
	options state.RunOptions
}

func newLarder(t *testing.T, brought string) *larder {
	pages := strings.Split(brought, "|")
	f := newFile(t)
	s := &larder{file: f, goods: compiled(t,
		&schema.Table{Name: "goods", Key: []string{"id"}, Fields: fields("id", "name")})}
	s.options = f.with(productStart(int64(len(pages))))
	s.options.Tables, s.options.Pages = []*schema.Table{s.goods}, []state.Page{{Name: "page"}}
	run := f.open(s.options)
	tasks := f.commit(run, len(pages))
	for i, page := range pages {
		f.commit(run, 0, kept(tasks[i], epoch.Add(time.Duration(i)*time.Second), s.rows(page)...))
	}
	f.close(run, state.Finished)
	return s
}

func (s *larder) rows(page string) (rows []schema.Row) {
	for row := range strings.SplitSeq(page, ",") {
		if strings.TrimSpace(row) == "" {
			continue
		}
		var id, name string
		if _, err := fmt.Sscan(row, &id, &name); err != nil {
			s.Fatal(err)
		}
		rows = append(rows, schema.Row{Table: s.goods, Values: []any{id, name}})
	}
	return rows
}

// reread reads the pages again, which come to other rows now, so many in a transaction.
func (s *larder) reread(brought string, group int) *state.Changes {
	s.Helper()
	pages := strings.Split(brought, "|")
	o := s.options
	o.Reread = true
	run := s.open(o)
	w, err := run.Reread(s.ctx)
	if err != nil {
		s.Fatal(err)
	}
	land := func(all []state.Kept, again bool) {
		var batch []state.Reread
		for _, k := range all {
			o := done(k.Task)
			o.Rows = s.rows(pages[k.Task.ID-1])
			batch = append(batch, state.Reread{Kept: k, Outcome: o})
		}
		if err := w.Land(s.ctx, epoch, batch, again); err != nil {
			s.Fatal(err)
		}
		s.agree(run)
	}
	for {
		all, err := w.Next(s.ctx, group, 1<<20)
		if err != nil {
			s.Fatal(err)
		}
		if len(all) == 0 {
			break
		}
		land(all, false)
	}
	for {
		all, err := w.Again(s.ctx, group)
		if err != nil {
			s.Fatal(err)
		}
		if len(all) == 0 {
			break
		}
		land(all, true)
	}
	c, err := w.End(s.ctx, o)
	if err := errors.Join(err, w.Close()); err != nil {
		s.Fatal(err)
	}
	s.close(run, state.Finished)
	return c
}

// A record on several pages is that of the page that was answered last, as it is in a run, whatever the pages come to.
func TestARecordOnSeveralPagesBelongsToTheLastOne(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after string
		want          string // id|name|task
		counts        string // added, changed, unchanged, removed
	}{
		{"nothing changes", "a 1, b 1 | a 2, c 2 | c 3", "a 1, b 1 | a 2, c 2 | c 3", "a|2|2\nb|1|1\nc|3|3", "0 0 3 0"},
		{"the last one has another value", "a 1 | a 2", "a 1 | a 3", "a|3|2", "0 1 0 0"},
		{"a value that does not count changes", "a 1 | a 2", "a 9 | a 2", "a|2|2", "0 0 1 0"},
		{"the last one has it no more", "a 1 | a 2 | b 3", "a 1 |  | b 3", "a|1|1\nb|3|3", "1 0 1 1"},
		{"the last but one has it then", "a 1 | a 2 | a 3", "a 1 | a 2 | ", "a|2|2", "1 0 0 1"},
		{"one before has it no more either", "a 1 | a 2 | a 3", "a 1 |  | ", "a|1|1", "1 0 0 1"},
		{"a later one has it now", "a 1 | b 2", "a 1 | b 2, a 2", "a|2|2\nb|2|2", "0 1 2 0"},
		{"the same by a later one", "a 1 | b 2", "a 1 | b 2, a 1", "a|1|2\nb|2|2", "0 0 3 0"},
		{"twice on a page the later counts", "a 1", "a 1, a 2", "a|2|1", "0 1 0 0"},
		{"keys change", "a 1 | b 2", "A 1 | A 2", "A|2|2", "1 1 0 2"},
		{"none is left", "a 1 | a 2, b 2", " | ", "", "0 0 0 2"},
	} {
		for _, group := range []int{1, 3} {
			t.Run(fmt.Sprintf("%s, %d at a time", c.name, group), func(t *testing.T) {
				s := newLarder(t, c.before)
				seq := s.ask(`SELECT seq FROM counters`)
				got := s.reread(c.after, group)
				s.want(`SELECT id, name, _task FROM goods ORDER BY id`, c.want)
				g := got.Tables[0]
				if counts := fmt.Sprint(g.Added, g.Changed, g.Unchanged, g.Removed); counts != c.counts {
					t.Errorf("added, changed, unchanged, removed: %s, want %s", counts, c.counts)
				}
				if g.Before+g.Added-g.Removed != g.After || fmt.Sprint(g.After) != s.ask(`SELECT count(*) FROM goods`) {
					t.Errorf("%+v", g)
				}
				if g.Added+g.Changed == 0 && s.ask(`SELECT seq FROM counters`) != seq {
					t.Error("_seq grew for nothing")
				}
				kept := s.ask(`SELECT * FROM goods ORDER BY _seq`)
				if again := s.reread(c.after, group); again.Any() || s.ask(`SELECT * FROM goods ORDER BY _seq`) != kept {
					t.Errorf("the second time it changes %+v", again)
				}
			})
		}
	}
}

// In a run a record with a key outlives the page that showed it, and so it does here: only what a page brought at the
// answer that is kept is taken away.
func TestARecordOutlivesItsPageAlsoWhenThatIsReadAgain(t *testing.T) {
	s := newLarder(t, "a 1, b 1")
	run := s.open(s.options)
	if _, err := run.Refresh(s.ctx, epoch.Add(time.Hour), nil); err != nil {
		t.Fatal(err)
	}
	task := s.commit(run, 1)[0]
	s.commit(run, 0, kept(task, epoch.Add(time.Hour), s.rows("b 2, c 2")...))
	s.close(run, state.Finished)
	s.reread("b 3", 1)
	s.want(`SELECT id, name FROM goods ORDER BY id`, "a|1\nb|3")
}

func TestTasksWithoutAKeptPageAreLeftAlone(t *testing.T) {
	s := newLarder(t, "a 1 | b 2 | c 3 | d 4")
	raw(`DELETE FROM page_bodies WHERE task = 1;
		UPDATE tasks SET finished_at = finished_at + 1, state = 'failed', error_kind = 'network' WHERE id = 2;
		UPDATE tasks SET state = 'pending' WHERE id = 3;
		UPDATE counters SET done = 2, failed = 1, pending = 1`)(t, s.path)
	c := s.reread(" |  |  | ", 2)
	if c.Pages != 1 || c.Without != 1 || c.Stale != 1 {
		t.Errorf("%+v", c)
	}
	s.want(`SELECT id, name FROM goods ORDER BY id`, "a|1\nb|2\nc|3")
	s.want(`SELECT group_concat(state) FROM tasks`, "done,failed,pending,done")
}
