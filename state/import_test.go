package state_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dogear/schema"
	"dogear/state"
)

// products are tasks of productStart that another program finished or gave up.
func products(as state.Imported, ids ...int64) []state.Imported {
	var tasks []state.Imported
	for _, id := range ids {
		as.Request = productStart(1 << 40).Request(id - 1)
		tasks = append(tasks, as)
	}
	return tasks
}

func (f *file) imported(run *state.Run, want state.ImportCounts, tasks ...state.Imported) {
	f.Helper()
	got, err := run.Import(f.ctx, epoch.Add(time.Hour), tasks)
	if err != nil {
		f.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		f.Errorf("counts of the import (-want +got):\n%s", diff)
	}
	f.agree(run)
}

var (
	finished = state.Imported{State: state.Done, Sure: true}
	likely   = state.Imported{State: state.Done}
	givenUp  = state.Imported{State: state.Failed}
)

func TestWhatWasImportedIsNotAskedForAgain(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(productStart(10)))
	f.imported(run, state.ImportCounts{Done: 3}, products(finished, 1, 2, 5, 2)...)
	f.imported(run, state.ImportCounts{Failed: 1, Kept: []int{1}}, products(givenUp, 3, 5)...)
	f.imported(run, state.ImportCounts{Done: 2}, products(likely, 1, 2, 3, 4, 5, 6)...)
	if err := run.Advance(f.ctx, epoch); err != nil {
		t.Fatal(err)
	}
	f.want(`SELECT total, pending, done, failed FROM progress`, "10|4|5|1")
	f.want(`SELECT kind, tasks FROM failures`, "import|1")
	var urls []string
	for _, task := range f.commit(run, 100) {
		urls = append(urls, task.URL[len("http://127.0.0.1:8080/v1/product/"):])
		f.commit(run, 0, done(task))
	}
	if diff := cmp.Diff([]string{"7", "8", "9", "10"}, urls); diff != "" {
		t.Errorf("asked for (-want +got):\n%s", diff)
	}
}

func TestAnImportNeverUndoesWhatWasDone(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(productStart(3)))
	tasks := f.commit(run, 2)
	f.commit(run, 0, done(tasks[0]), failed(tasks[1], "server", 500))
	before := f.ask(`SELECT * FROM tasks WHERE id = 1`)
	f.imported(run, state.ImportCounts{Kept: []int{0}}, products(givenUp, 1, 2)...)
	f.imported(run, state.ImportCounts{}, products(likely, 2)...) // a page number does not say that this one succeeded
	f.want(`SELECT error_kind FROM tasks WHERE id = 2`, "server")
	f.imported(run, state.ImportCounts{Done: 1}, products(finished, 1, 2)...)
	f.want(`SELECT state, error_kind, error FROM tasks WHERE id = 2`, "done|NULL|NULL")
	f.want(`SELECT * FROM tasks WHERE id = 1`, before)
}

func TestAnImportThatIsCutOffAndRunAgainComesToTheSame(t *testing.T) {
	var ids []int64
	for id := range int64(3*state.ImportSize + 7) {
		ids = append(ids, id+1)
	}
	all := append(products(finished, ids[100:]...), products(givenUp, ids[:200]...)...)
	want := fmt.Sprintf("%d|%d", len(ids)-100, 100)
	for _, cut := range []int{0, 1, state.ImportSize, 2*state.ImportSize + 1, len(all)} {
		f := newFile(t)
		run := f.open(f.with(productStart(int64(len(ids)))))
		if _, err := run.Import(f.ctx, epoch, all[:cut]); err != nil {
			t.Fatal(err)
		}
		f.close(run, "")
		run = f.open(f.with(productStart(int64(len(ids)))))
		if _, err := run.Import(f.ctx, epoch, all); err != nil {
			t.Fatal(err)
		}
		f.agree(run)
		f.want(`SELECT done, failed FROM counters`, want)
		f.close(run, state.Stopped)
	}
}

func TestAnImportKeepsToTheLimitOfTasksAndTheWALSmall(t *testing.T) {
	f := newFile(t)
	o := f.with(productStart(60_000))
	o.MaxTasks = 50_000
	run := f.open(o)
	var ids []int64
	for id := range int64(60_000) {
		ids = append(ids, id+1)
	}
	f.imported(run, state.ImportCounts{Done: 50_000, LeftOut: 10_000}, products(finished, ids...)...)
	if info, err := os.Stat(f.path + "-wal"); err != nil || info.Size() > 64<<20 {
		t.Errorf("the log of it: %v, %v, want at most 64 MiB", info, err)
	}
}

// What is imported lies anywhere in a shuffled range: the numbers are right all the same.
func TestAfterAnImportTheNumbersAreExact(t *testing.T) {
	const total = state.MaxPending + 50_000
	f := newFile(t)
	run := f.open(f.with(productStart(total)))
	f.imported(run, state.ImportCounts{Done: 3, LeftOut: 0}, products(finished, 1, 77_777, total)...)
	if err := run.Advance(f.ctx, epoch); err != nil {
		t.Fatal(err)
	}
	f.agree(run)
	f.want(`SELECT total, pending, done FROM progress`, fmt.Sprintf("%d|%d|3", total, total-3))
	if f.commit(run, 10); run.Addable() {
		t.Error("there are tasks to add still")
	}
}

// The key is what a task is known by, however the script wrote the URL.
func TestAnImportedURLIsKnownByItsKey(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(starting("one", get("http://127.0.0.1/a b"))))
	f.imported(run, state.ImportCounts{Done: 2}, state.Imported{State: state.Done,
		Request: schema.Request{URL: "HTTP://127.0.0.1:80/a%20b#top", Page: "page"}},
		state.Imported{State: state.Done, Request: schema.Request{URL: "http://127.0.0.1/a", Page: "page",
			Method: "POST", Body: "x"}})
	if tasks := f.commit(run, 10); len(tasks) != 0 {
		t.Errorf("asked for again: %v", tasks)
	}
}
