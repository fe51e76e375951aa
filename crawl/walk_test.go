package crawl_test

import (
	"context"
	"strings"
	"testing"

	"dogear/crawl"
	"dogear/internal/practice"
	"dogear/state"
)

const walkJob = `
start: {url: SITE/page/1, as: listing}
rate: none
LIMITS
pages:
  listing:
    follow:
      - {css: a.name@href, as: product}
      - {css: a.next@href, as: listing}
  product:
    records: {table: details, key: url, fields: {url: {meta: url}, title: h1}}
    follow: {css: a@href, as: product, match: "/detail/"}
`

func walk(limits string) string { return replace(walkJob, "LIMITS", limits) }

func TestAWalkVisitsEachPageOnceHoweverManyLinkToIt(t *testing.T) {
	b := newBench(t, practice.Options{Pages: 5}, walk(""))
	b.run(state.Finished, crawl.Options{})
	b.want("55 50", `SELECT count(*), (SELECT count(*) FROM details) FROM tasks`)
	for path, n := range b.site.Counts() {
		if n != 1 {
			t.Errorf("%s was asked for %d times", path, n)
		}
	}
	b.want("0 1", `SELECT parent IS NOT NULL, depth + 1 FROM tasks WHERE id = 1`)
	b.want("1", `SELECT count(*) FROM tasks WHERE parent IS NULL`)
	b.want("0", `SELECT count(*) FROM tasks t JOIN tasks p ON p.id = t.parent WHERE t.depth <> p.depth + 1`)
}

func TestLimitsEndAWalk(t *testing.T) {
	b := newBench(t, practice.Options{Pages: 5}, walk("limits: {depth: 1}"))
	b.run(state.Finished, crawl.Options{})
	b.want("12 1", `SELECT count(*), max(depth) FROM tasks`) // page 1, its ten details, page 2

	b = newBench(t, practice.Options{Pages: 5}, walk("limits: {tasks: 20}"))
	s := b.run(state.Finished, crawl.Options{})
	b.want("20 20", `SELECT count(*), sum(state = 'done') FROM tasks`)
	if s.Dropped == 0 {
		t.Error("nothing says that links were dropped")
	}
}

// A limit on tasks cuts a range short; a higher one the next time goes on from there.
func TestATaskLimitCutsARangeAndTheNextRunGoesOn(t *testing.T) {
	text := "start: {url: \"SITE/v1/product/{id}\", id: 1..1000000000}\nrate: none\nlimits: {tasks: LIMIT}\nrecords: {table: products, key: id, fields: {id: {json: $.id, type: int}}}\n"
	b := newBench(t, practice.Options{}, replace(text, "LIMIT", "100"))
	if s := b.run(state.Finished, crawl.Options{}); s.Dropped != 1_000_000_000-100 {
		t.Errorf("%d dropped", s.Dropped)
	}
	b.want("100 100 100", `SELECT total, done, percent FROM progress`)
	b.edit(replace(text, "LIMIT", "150"))
	b.run(state.Finished, crawl.Options{})
	b.want("150 150", `SELECT count(*), max(id) FROM tasks WHERE state = 'done'`)
}

func TestALimitedRunStopsAndTheNextOneEndsIt(t *testing.T) {
	b := newBench(t, practice.Options{}, apiJob)
	if s := b.run(state.Stopped, crawl.Options{Limit: 7}); s.Counts.Done != 7 || s.Counts.Pending != 13 {
		t.Errorf("%+v, want 7 done and 13 pending", s.Counts)
	}
	b.run(state.Finished, crawl.Options{})
	if s := b.run(state.Finished, crawl.Options{}); s.Tally.Done != 0 {
		t.Errorf("a complete crawl fetched %d tasks", s.Tally.Done)
	}
	for path, n := range b.site.Counts() {
		if n != 1 && path != "/robots.txt" { // which is asked for in every run
			t.Errorf("%s was asked for %d times", path, n)
		}
	}
	b.want("stopped finished finished", `SELECT group_concat(ended, ' ') FROM runs`)
}

// New values of a start are added, those known are not asked for again (scrapy #4509); identity is content, not position.
func TestAnEditedStartAddsOnlyWhatIsNew(t *testing.T) {
	b := newBench(t, practice.Options{}, apiJob)
	b.run(state.Finished, crawl.Options{})
	b.edit(replace(apiJob, "1..20", "[25, 3, 24]"))
	b.run(state.Finished, crawl.Options{})
	b.want("22 22", `SELECT count(*), sum(state = 'done') FROM tasks`)
	if n := b.site.Asked("/v1/product/3"); n != 1 {
		t.Errorf("product 3 was asked for %d times", n)
	}
}

func TestFailedTasksArePutBackAndRun(t *testing.T) {
	b := newBench(t, practice.Options{Faults: []practice.Fault{{Path: "/v1/product/7", Script: "404"}, {Path: "/v1/product/8", Script: "403"}}}, apiJob)
	b.run(state.Finished, crawl.Options{})
	b.want("2", `SELECT failed FROM progress`)
	if s := b.run(state.Stopped, crawl.Options{Retry: &state.Filter{Status: 404}, NoFetch: true}); s.Retried != 1 {
		t.Errorf("%d put back, want the one with 404", s.Retried)
	}
	b.want("1 1", `SELECT failed, pending FROM progress`)
	b.run(state.Finished, crawl.Options{Retry: &state.Filter{}})
	b.want("0 20", `SELECT failed, done FROM progress`)
}

// A state file that can no longer be written ends the run with an error, and what was committed stays.
func TestAStateFileThatBreaksEndsTheRun(t *testing.T) {
	b := newBench(t, practice.Options{}, apiJob)
	b.run(state.Stopped, crawl.Options{Limit: 5})
	b.exec(`CREATE TRIGGER breaks BEFORE INSERT ON products WHEN NEW.id > 15 BEGIN SELECT RAISE(ABORT, 'broken on purpose'); END`)
	s, err := crawl.Run(context.Background(), context.Background(), crawl.Options{Job: b.job, Path: b.path, Version: "test"})
	if err == nil || !strings.Contains(err.Error(), "broken on purpose") {
		t.Fatalf("error %v, summary %+v", err, s)
	}
	b.want("<nil>", `SELECT ended FROM runs ORDER BY id DESC`)
	b.want("1 1", `SELECT done >= 5 AND done < 20, done = (SELECT count(*) FROM products) FROM counters`)
	b.exec(`DROP TRIGGER breaks`)
	b.run(state.Finished, crawl.Options{})
	b.want("20 20", `SELECT done, (SELECT count(*) FROM products) FROM counters`)
}
