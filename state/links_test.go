package state_test

import (
	"fmt"
	"strings"
	"testing"

	"dogear/schema"
	"dogear/state"
)

func TestALinkIsATaskOnceWhoeverShowsIt(t *testing.T) {
	const u = "https://shop.example/list"
	for _, c := range []struct {
		name  string
		links []schema.Request // of the first page, then again of the second
		want  []string
	}{
		{"one link", []schema.Request{get(u)}, []string{"GET|" + u + "|page|NULL|GET " + u}},
		{"the same link twice on a page", []schema.Request{get(u), get(u)}, []string{"GET|" + u + "|page|NULL|GET " + u}},
		{"an empty method is GET", []schema.Request{get(u), {URL: u, Page: "page", Method: "GET"}}, []string{"GET|" + u + "|page|NULL|GET " + u}},
		{"the kind of page is not part of the key", []schema.Request{get(u), {URL: u, Page: "other"}}, []string{"GET|" + u + "|page|NULL|GET " + u}},
		// scrapy #1941: the URL fetched is the URL given, only its key is normalised
		{"spellings of one URL are one task, fetched as first given", []schema.Request{get("HTTPS://Shop.Example:443/List#top"), get("https://shop.example/List")},
			[]string{"GET|HTTPS://Shop.Example:443/List#top|page|NULL|GET https://shop.example/List"}},
		{"case and query order of the path count", []schema.Request{get(u + "?a=1&b=2"), get(u + "?b=2&a=1"), get("https://shop.example/LIST")},
			[]string{"GET|" + u + "?a=1&b=2|page|NULL|GET " + u + "?a=1&b=2", "GET|" + u + "?b=2&a=1|page|NULL|GET " + u + "?b=2&a=1",
				"GET|https://shop.example/LIST|page|NULL|GET https://shop.example/LIST"}},
		// crawlee #778, #232: POSTs were dropped as duplicates of each other
		{"methods and bodies are kept apart", []schema.Request{
			get(u), {URL: u, Page: "page", Method: "POST"}, {URL: u, Page: "page", Method: "POST", Body: "a=1"},
			{URL: u, Page: "page", Method: "POST", Body: "a=2"}, {URL: u, Page: "page", Method: "POST", Body: "a=1"}},
			[]string{"GET|" + u + "|page|NULL|GET " + u, "POST|" + u + "|page|NULL|POST " + u,
				"POST|" + u + "|page|a=1|POST " + u + " " + hash("a=1"), "POST|" + u + "|page|a=2|POST " + u + " " + hash("a=2")}},
		{"a link to a page that is known already", []schema.Request{get("http://127.0.0.1:8080/v1/product/1"), get("http://127.0.0.1:8080/v1/product/9")}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, run, _, _, tasks := twoTables(t, 3)
			page := func(i int) state.Outcome {
				o := done(tasks[i])
				o.Links = c.links
				return o
			}
			f.commit(run, 0, page(0), page(1)) // in one group
			f.commit(run, 0, page(2))          // and in a later one
			f.want(`SELECT method, url, page, body, key FROM tasks WHERE parent IS NOT NULL ORDER BY id`, strings.Join(c.want, "\n"))
			f.want(`SELECT count(*) FROM tasks WHERE parent = 1`, fmt.Sprint(len(c.want)))
			if got := run.Tally().Links; got != int64(len(c.want)) {
				t.Errorf("%d links tallied, want %d", got, len(c.want))
			}
		})
	}
}

func hash(body string) string {
	key := schema.Request{URL: "https://x/", Method: "POST", Body: body}.Key()
	return key[strings.LastIndex(key, " ")+1:]
}

func TestALinkKnowsItsParentAndDepth(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(starting("s", get("http://127.0.0.1/0"), get("http://127.0.0.1/1"))))
	tasks := f.commit(run, 2)
	for depth := range 3 {
		o := done(tasks[0])
		o.Links = []schema.Request{get(fmt.Sprintf("http://127.0.0.1/deep/%d", depth))}
		tasks = append(tasks[1:], f.commit(run, 1, o)...)
	}
	f.want(`SELECT id, url, depth, parent FROM tasks ORDER BY id`, lines(
		"1|http://127.0.0.1/0|0|NULL", "2|http://127.0.0.1/1|0|NULL",
		"3|http://127.0.0.1/deep/0|1|1", "4|http://127.0.0.1/deep/1|1|2", "5|http://127.0.0.1/deep/2|2|3"))
	if tasks[len(tasks)-1].Depth != 2 {
		t.Errorf("claimed %+v, want depth 2", tasks[len(tasks)-1])
	}
}

// A page that failed for what its records were can still lead on.
func TestLinksOfAPageThatFailedOrWasPutOffAreAdded(t *testing.T) {
	f, run, _, _, tasks := twoTables(t, 2)
	invalid, blocked := failed(tasks[0], "invalid", 200), putOff(tasks[1], epoch)
	invalid.Links, blocked.Links = []schema.Request{get("http://127.0.0.1/a")}, []schema.Request{get("http://127.0.0.1/b")}
	f.commit(run, 0, invalid, blocked)
	f.want(`SELECT url, parent FROM tasks WHERE parent IS NOT NULL ORDER BY id`, "http://127.0.0.1/a|1\nhttp://127.0.0.1/b|2")
}

// Tasks are added in statements of up to 64 rows; none may be lost where one ends.
func TestAnyNumberOfLinksOnOnePageIsAdded(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 65, 128, 300} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			f, run, _, _, tasks := twoTables(t, 1)
			o := done(tasks[0])
			for i := range n {
				o.Links = append(o.Links, get(fmt.Sprintf("http://127.0.0.1/%d", i)))
			}
			f.commit(run, 0, o)
			f.want(`SELECT count(*) FROM tasks WHERE parent = 1`, fmt.Sprint(n))
		})
	}
}

// scrapy #2904, colly #656, #823: a link was marked as seen before it was kept, and lost with the process.
func TestALinkThatWasNotCommittedIsNotKnown(t *testing.T) {
	f, run, _, notes, tasks := twoTables(t, 2)
	o := done(tasks[0])
	o.Links = []schema.Request{get("http://127.0.0.1/found")}
	bad := done(tasks[1])
	bad.Rows = []schema.Row{{Table: notes}}
	if _, err := run.Commit(f.ctx, epoch, []state.Outcome{o, bad}, 0); err == nil {
		t.Fatal("the commit went through")
	}
	f.commit(run, 0, o)
	f.want(`SELECT url, state FROM tasks WHERE parent = 1`, "http://127.0.0.1/found|pending")
}

func TestNoMoreTasksThanTheLimitAreEverAdded(t *testing.T) {
	f := newFile(t)
	o := f.with(productStart(5))
	o.MaxTasks = 8
	run := f.open(o)
	tasks := f.commit(run, 2)
	page := done(tasks[0])
	for i := range 6 {
		page.Links = append(page.Links, get(fmt.Sprintf("http://127.0.0.1/%d", i)))
	}
	f.commit(run, 0, page)
	f.want(`SELECT count(*), count(parent) FROM tasks`, "8|3")
	if got := run.Dropped(); got != 3 {
		t.Errorf("%d dropped, want 3", got)
	}
	f.close(run, state.Interrupted)

	run = f.open(o) // the limit is of the job, not of a run
	tasks = f.commit(run, 1)
	page.Task = tasks[0]
	f.commit(run, 0, page)
	f.want(`SELECT count(*) FROM tasks`, "8")
	f.close(run, state.Interrupted)

	o.MaxTasks = 10 // raised, what is found from now on has room again
	run = f.open(o)
	tasks = f.commit(run, 1)
	page.Task = tasks[0]
	f.commit(run, 0, page)
	f.want(`SELECT count(*) FROM tasks`, "10")
}

// The values of a start beyond the limit will never be tasks, so they are not waited for either.
func TestALimitOnARangeOfABillionIsReachedAtOnce(t *testing.T) {
	f := newFile(t)
	o := f.with(productStart(1_000_000_000))
	o.MaxTasks = 20
	run := f.open(o)
	tasks := f.commit(run, 50)
	if len(tasks) != 20 {
		t.Fatalf("claimed %d, want 20", len(tasks))
	}
	var group []state.Outcome
	for _, task := range tasks {
		group = append(group, done(task))
	}
	f.commit(run, 50, group...)
	if got := run.Counts(); got != (state.Counts{Done: 20}) {
		t.Errorf("counts are %+v, want nothing left", got)
	}
	if got := run.Dropped(); got != 1_000_000_000-20 {
		t.Errorf("%d dropped", got)
	}
	if settled, err := run.Settled(f.ctx); !settled || err != nil {
		t.Errorf("settled is %t, %v", settled, err)
	}
	f.want(`SELECT total, percent FROM progress`, "20|100")
	f.close(run, state.Finished)

	o.MaxTasks = 30 // raised, the range goes on where it was
	run = f.open(o)
	f.agree(run)
	if tasks = f.commit(run, 50); len(tasks) != 10 || tasks[0].URL != "http://127.0.0.1:8080/v1/product/21" {
		t.Errorf("claimed %d more, want 10 from 21 on", len(tasks))
	}
}

// A group that did not land has cut no start short either.
func TestAFailedCommitAtTheLimitLeavesTheRangeAsItWas(t *testing.T) {
	f := newFile(t)
	o := f.with(productStart(5000))
	o.MaxTasks = 1030 // a commit adds 1024 besides those it claims
	run := f.open(o)
	tasks := f.commit(run, 1)
	if run.Counts().Ahead == 0 {
		t.Fatal("the limit was reached too early for this test")
	}
	db := openRaw(t, f.path)
	if _, err := db.Exec(`CREATE TRIGGER full BEFORE UPDATE ON counters BEGIN SELECT RAISE(ABORT, 'disk full'); END`); err != nil {
		t.Fatal(err)
	}
	before, counts, dropped := f.dump(), run.Counts(), run.Dropped()
	if _, err := run.Commit(f.ctx, epoch, []state.Outcome{done(tasks[0])}, 5); err == nil {
		t.Fatal("the commit went through")
	}
	if f.dump() != before || run.Counts() != counts || run.Dropped() != dropped {
		t.Errorf("counts are %+v, %d dropped, want %+v, %d", run.Counts(), run.Dropped(), counts, dropped)
	}
	f.agree(run)
}
