package state_test

import (
	"fmt"
	"os"
	"testing"

	"dogear/schema"
	"dogear/state"
)

// katana #68, crawlee-python #203: out of memory on a large list. A range is a cursor.
func TestARangeOfABillionOpensAtOnceAndIsNeverMoreThanMaxPendingAhead(t *testing.T) {
	f := newFile(t)
	const total = 1_000_000_000
	run := f.open(f.with(productStart(total)))
	f.want(`SELECT count(*) FROM tasks`, "0")
	var claimed int64
	var leased []state.Task
	full := 0 // commits that added nothing
	for commits := 0; full < 3; commits++ {
		ahead := run.Counts().Ahead
		tasks, err := run.Commit(f.ctx, epoch, nil, 50)
		if err != nil {
			t.Fatal(err)
		}
		claimed, leased = claimed+int64(len(tasks)), tasks
		c := run.Counts()
		if c.Pending > state.MaxPending || c.Total() != total || c.InFlight != claimed || commits > 300 {
			t.Fatalf("counts are %+v after %d commits and %d claims", c, commits, claimed)
		}
		if c.Ahead == ahead {
			full++
		}
	}
	f.agree(run)
	f.want(`SELECT total, pending + in_flight, percent FROM progress`, fmt.Sprintf("%d|%[1]d|0", total))
	if got := run.Counts().Pending; got < state.MaxPending*9/10 {
		t.Errorf("only %d are pending", got)
	}

	// What pages lead to counts as ahead too: no more is added from the start until that is done.
	page, cursor, before := done(leased[0]), f.ask(`SELECT cursor FROM starts`), run.Counts().Pending
	for i := range 200 {
		page.Links = append(page.Links, get(fmt.Sprintf("http://127.0.0.1/found/%d", i)))
	}
	f.commit(run, 10, page)
	f.want(`SELECT cursor FROM starts`, cursor)
	if got := run.Counts().Pending; got != before+200-10 {
		t.Errorf("%d are pending, want 200 found and 10 claimed since %d", got, before)
	}
	if info, err := os.Stat(f.path + "-wal"); err != nil || info.Size() > 64<<20 {
		t.Errorf("the log of it: %v, %v, want at most 64 MiB", info, err)
	}
}

// scrapy #4479, #5312, #4509: the starts were fetched again at each resume, or not at all.
func TestAStartIsAddedOnceHoweverOftenTheJobIsRun(t *testing.T) {
	for _, ended := range []string{state.Interrupted, state.Finished, ""} {
		t.Run("ended as "+ended, func(t *testing.T) {
			f := newFile(t)
			for i := range 4 {
				run := f.open(f.with(productStart(5), starting("list", get("http://127.0.0.1/a"), get("http://127.0.0.1/b"))))
				tasks := f.commit(run, 2)
				if want := []int{2, 2, 2, 1}[i]; len(tasks) != want {
					t.Errorf("run %d claimed %d tasks, want %d", i+1, len(tasks), want)
				}
				for _, task := range tasks {
					f.commit(run, 0, done(task))
				}
				f.close(run, ended)
			}
			f.want(`SELECT count(*), count(DISTINCT key), min(state) FROM tasks`, "7|7|done")
			f.want(`SELECT entry, cursor, total, active FROM starts ORDER BY id`, "http://127.0.0.1:8080/v1/product/{id}|5|5|1\nlist|2|2|1")
		})
	}
}

// GNU parallel resumes by sequence number, and runs the wrong things when its input changed. Identity is content.
func TestAChangedListOfStartsAddsOnlyWhatIsNew(t *testing.T) {
	upTo := func(n int64) state.Start {
		s := productStart(n)
		s.Entry = fmt.Sprintf("http://127.0.0.1:8080/v1/product/{1..%d}", n)
		return s
	}
	list := func(entry string, paths ...string) state.Start {
		var requests []schema.Request
		for _, p := range paths {
			requests = append(requests, get("http://127.0.0.1/"+p))
		}
		return starting(entry, requests...)
	}
	for _, c := range []struct {
		name          string
		before, after []state.Start
		added         int64  // by the second run
		starts        string // entry, cursor, active
		total         string
	}{
		{"an extended range", []state.Start{upTo(3)}, []state.Start{upTo(5)}, 2,
			"http://127.0.0.1:8080/v1/product/{1..3}|3|0\nhttp://127.0.0.1:8080/v1/product/{1..5}|5|1", "5"},
		{"a range that became shorter keeps its tasks", []state.Start{upTo(5)}, []state.Start{upTo(3)}, 0,
			"http://127.0.0.1:8080/v1/product/{1..5}|5|0\nhttp://127.0.0.1:8080/v1/product/{1..3}|3|1", "5"},
		{"a start more", []state.Start{list("l", "a")}, []state.Start{list("l", "a"), list("m", "b", "c")}, 2, "l|1|1\nm|2|1", "3"},
		{"a start less", []state.Start{list("l", "a"), list("m", "b", "c")}, []state.Start{list("m", "b", "c")}, 0, "l|1|0\nm|2|1", "3"},
		{"another order of starts", []state.Start{list("l", "a"), list("m", "b")}, []state.Start{list("m", "b"), list("l", "a")}, 0, "l|1|1\nm|1|1", "2"},
		{"two starts that share a URL", []state.Start{list("l", "a", "b")}, []state.Start{list("l", "a", "b"), list("m", "b", "c")}, 1, "l|2|1\nm|2|1", "3"},
		{"the same entry twice", []state.Start{list("l", "a")}, []state.Start{list("l", "a"), list("l", "a")}, 0, "l|1|1", "1"},
		{"the same entry twice in a new job", nil, []state.Start{list("l", "a", "b"), list("l", "a", "b")}, 2, "l|2|1", "2"},
		{"no start at all", []state.Start{list("l", "a")}, nil, 0, "l|1|0", "1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFile(t)
			run := f.open(f.with(c.before...))
			f.commit(run, 0)
			f.close(run, state.Interrupted)
			before := run.Counts().Pending
			run = f.open(f.with(c.after...))
			f.commit(run, 0)
			if got := run.Counts().Pending - before; got != c.added {
				t.Errorf("%d tasks were added, want %d", got, c.added)
			}
			f.want(`SELECT entry, cursor, active FROM starts ORDER BY id`, c.starts)
			f.want(`SELECT total FROM progress`, c.total)
		})
	}
}

func TestAStartSetAsideInTheMiddleGoesOnWhenItIsBack(t *testing.T) {
	f := newFile(t)
	const total = 10_000
	run := f.open(f.with(productStart(total)))
	f.commit(run, 0)
	first := run.Counts()
	if first.Ahead == 0 {
		t.Fatal("it was all added at once")
	}
	f.close(run, state.Interrupted)

	run = f.open(f.with())
	if got := run.Counts(); got.Ahead != 0 || got.Pending != first.Pending {
		t.Errorf("set aside, counts are %+v, want %d pending", got, first.Pending)
	}
	f.commit(run, 0)
	f.close(run, state.Interrupted)

	run = f.open(f.with(productStart(total)))
	if got := run.Counts(); got != first {
		t.Errorf("back again, counts are %+v, want %+v", got, first)
	}
	for range 20 {
		f.commit(run, 0)
	}
	f.want(`SELECT count(*), count(DISTINCT url) FROM tasks`, fmt.Sprintf("%d|%[1]d", total))
}

// A job file can say the same thing twice. It is one start, with one cursor.
func TestAStartNamedTwiceIsOneStart(t *testing.T) {
	f := newFile(t)
	const total = 20_000
	run := f.open(f.with(productStart(total), productStart(total)))
	if got := run.Counts().Ahead; got != total {
		t.Errorf("%d values are ahead, want %d", got, total)
	}
	for range 20 {
		f.commit(run, 0)
		f.want(`SELECT cursor - (SELECT count(*) FROM tasks) FROM starts`, "0")
	}
	f.want(`SELECT count(*) FROM tasks`, fmt.Sprint(total))
}

func TestStartsAreAddedInTheirOrder(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(starting("z", get("http://127.0.0.1/1"), get("http://127.0.0.1/2")), starting("a", get("http://127.0.0.1/3"))))
	f.commit(run, 0)
	f.want(`SELECT url FROM tasks ORDER BY id`, lines("http://127.0.0.1/1", "http://127.0.0.1/2", "http://127.0.0.1/3"))
}
