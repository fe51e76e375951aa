package crawl_test

import (
	"context"
	"errors"
	"os"
	"runtime"
	"testing"

	"dogear/crawl"
	"dogear/internal/practice"
	"dogear/state"
)

// A row that somebody set to in-flight by hand is nobody's: the run takes it back and ends (crawlee #1837, scrapy-redis #28).
func TestARowSetInFlightByHandDoesNotKeepTheRunFromEnding(t *testing.T) {
	b := newBench(t, practice.Options{}, apiJob)
	b.run(state.Finished, crawl.Options{})
	b.edit(replace(apiJob, "1..20", "1..4000"))
	meddle := whenCommitted(t, func(c crawl.Committed) bool { return c.Tally.Done > 50 }, func() {
		b.exec(`UPDATE tasks SET state = 'in-flight', run = 1 WHERE id = 1 AND state = 'done'`)
	})
	b.run(state.Finished, crawl.Options{Watch: meddle})
	b.want("4000 4000", `SELECT count(*), sum(state = 'done') FROM tasks`)
	b.want("4000 0", `SELECT done, in_flight FROM counters`)
}

// SQLite goes on writing to a file that has no name any more; a user would look for it in vain.
func TestAStateFileThatIsRemovedEndsTheRunWithAnError(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file can't be removed there")
	}
	b := newBench(t, practice.Options{}, replace(apiJob, "1..20", "1..100000"))
	remove := whenCommitted(t, func(c crawl.Committed) bool { return c.Tally.Done > 50 }, func() {
		for _, suffix := range []string{"-wal", "-shm", ""} {
			os.Remove(b.path + suffix)
		}
	})
	_, err := crawl.Run(context.Background(), context.Background(), crawl.Options{Job: b.job, Path: b.path, Version: "test", Watch: remove})
	if !errors.Is(err, state.ErrGone) {
		t.Errorf("error %v, want %v", err, state.ErrGone)
	}
}

// All tasks that wait for a kind of page would fail when the job loses it.
func TestAJobThatLosesAKindOfPageIsRefusedWhileTasksWaitForIt(t *testing.T) {
	b := newBench(t, practice.Options{Pages: 5}, walk(""))
	b.run(state.Stopped, crawl.Options{Limit: 1})
	b.edit(replace(replace(walk(""), "product:", "detail:"), "as: product", "as: detail"))
	_, err := crawl.Run(context.Background(), context.Background(), crawl.Options{Job: b.job, Path: b.path, Version: "test", Accept: true})
	if page, ok := errors.AsType[*state.PageError](err); !ok || page.Page != "product" {
		t.Fatalf("error %v, want one that names the page product", err)
	}
	b.edit(walk(""))
	b.run(state.Finished, crawl.Options{})
	b.want("55", `SELECT sum(state = 'done') FROM tasks`)
}

// The workers hear of an interrupt before the committer does: a limited run must not take that for its end.
func TestALimitedRunThatIsInterruptedSaysSo(t *testing.T) {
	for range 20 {
		b := newBench(t, practice.Options{}, replace(apiJob, "1..20", "1..20000"))
		ctx, cancel := context.WithCancel(context.Background())
		b.runUntil(ctx, state.Interrupted, crawl.Options{Limit: 5000, Watch: func(*crawl.Progress) { cancel() }})
		b.want("0", `SELECT in_flight FROM counters`)
	}
}

func TestTryAsksOnceWhateverTheAnswer(t *testing.T) {
	for _, script := range []string{"ok", "500*", "429:0*", "429:1*", "cut*", "404"} {
		b := newBench(t, practice.Options{Faults: []practice.Fault{{Path: "/v1/product/1", Script: script}}}, apiJob)
		tried, err := crawl.Try(context.Background(), crawl.Options{Job: b.job, Version: "test"}, "", "")
		if err != nil {
			t.Fatal(err)
		}
		if n := b.site.Asked("/v1/product/1"); n != 1 {
			t.Errorf("%s: asked %d times", script, n)
		}
		if (tried.Outcome.State == state.Done) != (script == "ok") || script != "ok" && tried.Outcome.Error == "" {
			t.Errorf("%s: %+v", script, tried.Outcome)
		}
	}
}
