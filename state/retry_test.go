package state_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"dogear/state"
)

// failedTasks opens a run of which six tasks of eight have failed, in four ways.
func failedTasks(t *testing.T) (*file, *state.Run) {
	t.Helper()
	f := newFile(t)
	run := f.open(f.with(productStart(8)))
	tasks := f.commit(run, 7)
	f.commit(run, 0, failed(tasks[0], "client", 404), failed(tasks[1], "client", 404), failed(tasks[2], "client", 403),
		failed(tasks[3], "server", 500), failed(tasks[4], "network", 0), failed(tasks[5], "network", 0), done(tasks[6]))
	return f, run
}

// crawlee #1415, #937, #1363, scrapy #3843: run only those that failed, or only some of them.
func TestAFilterPicksFailedTasks(t *testing.T) {
	for _, c := range []struct {
		name   string
		filter state.Filter
		ids    []int64
	}{
		{"all of them", state.Filter{}, []int64{1, 2, 3, 4, 5, 6}},
		{"of a kind", state.Filter{Kind: "client"}, []int64{1, 2, 3}},
		{"of a status", state.Filter{Status: 404}, []int64{1, 2}},
		{"of a kind and a status", state.Filter{Kind: "client", Status: 403}, []int64{3}},
		{"without an answer", state.Filter{Kind: "network"}, []int64{5, 6}},
		{"with an expression for the URL", state.Filter{Match: regexp.MustCompile("product/[2]$")}, []int64{2}},
		{"with a sign in the part that means much elsewhere", state.Filter{Match: regexp.MustCompile("%")}, nil},
		{"with all three", state.Filter{Kind: "client", Status: 404, Match: regexp.MustCompile("product/1")}, []int64{1}},
		{"that fits none", state.Filter{Kind: "parse"}, nil},
		{"that fits only one that is done", state.Filter{Match: regexp.MustCompile("product/7")}, nil},
		{"with a quote in it", state.Filter{Kind: "' OR 1=1 --"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, run := failedTasks(t)
			var listed []int64
			err := f.store().EachFailed(f.ctx, c.filter, func(task state.FailedTask) error {
				listed = append(listed, task.ID)
				return nil
			})
			if err != nil || !slices.Equal(listed, c.ids) {
				t.Errorf("listed %v, %v, want %v", listed, err, c.ids)
			}
			n, err := run.Retry(f.ctx, c.filter)
			if err != nil || n != int64(len(c.ids)) {
				t.Errorf("put back %d, %v, want %d", n, err, len(c.ids))
			}
			f.agree(run)
			var claimed []int64
			for _, task := range f.commit(run, 9) {
				claimed = append(claimed, task.ID)
				if task.Attempts != 0 || task.Again != (task.ID != 8) {
					t.Errorf("claimed %+v, want it with all its attempts", task)
				}
			}
			if want := append(slices.Clone(c.ids), 8); !slices.Equal(claimed, want) {
				t.Errorf("claimed %v, want %v", claimed, want)
			}
		})
	}
}

func TestATaskPutBackForgetsItsFailureButNotItsAttempts(t *testing.T) {
	f, run := failedTasks(t)
	if _, err := run.Retry(f.ctx, state.Filter{Status: 500}); err != nil {
		t.Fatal(err)
	}
	f.want(`SELECT state, attempts, status, error_kind, error FROM tasks WHERE id = 4`, "pending|0|NULL|NULL|NULL")
	f.want(`SELECT attempt, status, kind FROM attempts WHERE task = 4`, "1|500|server")
	task := f.commit(run, 1)[0]
	f.commit(run, 0, done(task))
	f.want(`SELECT state, attempts, error_kind FROM tasks WHERE id = 4`, "done|1|NULL")
	if settled, err := run.Settled(f.ctx); settled || err != nil {
		t.Errorf("settled is %t, %v, with a task pending", settled, err)
	}
}

func TestAFailedTaskIsListedWithItsReason(t *testing.T) {
	f, _ := failedTasks(t)
	var got []string
	stop := errors.New("enough")
	err := f.store().EachFailed(f.ctx, state.Filter{}, func(task state.FailedTask) error {
		status := "none"
		if task.Status != nil {
			status = fmt.Sprint(*task.Status)
		}
		got = append(got, fmt.Sprint(task.ID, " ", task.URL, " ", task.Kind, " ", status, " ", task.Attempts, " ", task.Error, " ", task.At))
		if task.ID == 5 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || len(got) != 5 {
		t.Fatalf("listed %d, %v, want to stop after 5", len(got), err)
	}
	if want := "3 http://127.0.0.1:8080/v1/product/3 client 403 1 it was client 2026-02-02 02:40:00"; got[2] != want {
		t.Errorf("listed %q, want %q", got[2], want)
	}
	if want := "5 http://127.0.0.1:8080/v1/product/5 network none 1 it was network 2026-02-02 02:40:00"; got[4] != want {
		t.Errorf("listed %q, want %q", got[4], want)
	}
}

func TestFailuresAreGroupedByKindAndStatusTheMostFirst(t *testing.T) {
	f, _ := failedTasks(t)
	groups, err := f.store().FailureGroups(f.ctx)
	if err != nil || len(groups) != 4 {
		t.Fatalf("%+v, %v", groups, err)
	}
	var tasks []int64
	for _, g := range groups {
		tasks = append(tasks, g.Tasks)
		if g.ExampleError != "it was "+g.Kind || g.ExampleURL == "" || g.LastAt != "2026-02-02 02:40:00" || (g.Status == nil) != (g.Kind == "network") {
			t.Errorf("group %+v", g)
		}
	}
	if !slices.Equal(tasks, []int64{2, 2, 1, 1}) {
		t.Errorf("sizes are %v", tasks)
	}
}

func TestWithoutFailuresThereAreNoGroups(t *testing.T) {
	f := newFile(t)
	f.open(f.with())
	if groups, err := f.store().FailureGroups(f.ctx); groups == nil || len(groups) != 0 || err != nil {
		t.Errorf("%v, %v, want an empty list, which JSON shows as []", groups, err)
	}
}
