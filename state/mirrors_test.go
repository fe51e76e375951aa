package state_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"dogear/state"
)

// mirrored opens a run of ten tasks with mirrors of these targets.
func (f *file) mirrored(targets ...string) (*state.Run, []*state.Mirror) {
	f.Helper()
	o := f.with(productStart(10))
	for _, t := range targets {
		o.Mirrors = append(o.Mirrors, &state.Mirror{Target: t})
	}
	return f.open(o), o.Mirrors
}

func TestWithoutAMirrorNothingIsWrittenForOne(t *testing.T) {
	f := newFile(t)
	run, _ := f.mirrored()
	tasks := f.commit(run, 2)
	f.commit(run, 0, done(tasks[0]), failed(tasks[1], "client", 404))
	f.want(`SELECT count(*) FROM mirror_changes`, "0")
	f.want(`SELECT count(*) FROM mirror_cursors`, "0")
}

func TestAChangeLandsWithItsTaskAndIsKeptUntilAllMirrorsHaveIt(t *testing.T) {
	f := newFile(t)
	run, mirrors := f.mirrored("a", "b")
	tasks := f.commit(run, 5)
	f.commit(run, 0, done(tasks[2]), putOff(tasks[1], epoch), failed(tasks[0], "client", 404))
	f.want(`SELECT seq, task FROM mirror_changes`, "1|3\n2|1")

	mirrors[0].Reached(2)
	f.commit(run, 0, done(tasks[3]))
	f.want(`SELECT target, seq FROM mirror_cursors`, "a|2")
	f.want(`SELECT seq FROM mirror_changes`, "1\n2\n3")

	mirrors[1].Reached(1)
	f.commit(run, 0)
	f.want(`SELECT target, seq FROM mirror_cursors ORDER BY 1`, "a|2\nb|1")
	f.want(`SELECT seq FROM mirror_changes`, "2\n3")

	mirrors[0].Reached(3)
	mirrors[1].Reached(3)
	f.commit(run, 0, done(tasks[4]))
	f.want(`SELECT seq FROM mirror_changes`, "4")
}

func TestACommitThatFailsLeavesChangesAndCursorsAsTheyWere(t *testing.T) {
	f := newFile(t)
	run, mirrors := f.mirrored("a")
	tasks := f.commit(run, 2)
	mirrors[0].Reached(0)
	bad := done(tasks[1])
	bad.State = "finished"
	if _, err := run.Commit(f.ctx, epoch, []state.Outcome{done(tasks[0]), bad}, 0); err == nil {
		t.Fatal("the commit went through")
	}
	f.want(`SELECT count(*) FROM mirror_changes`, "0")
	f.want(`SELECT count(*) FROM mirror_cursors`, "0")
	f.commit(run, 0, done(tasks[0]))
	f.want(`SELECT seq, task FROM mirror_changes`, "1|1")
	f.want(`SELECT target, seq FROM mirror_cursors`, "a|0")
}

func TestARunKeepsTheCursorsOfItsOwnMirrorsOnly(t *testing.T) {
	f := newFile(t)
	run, mirrors := f.mirrored("a", "b")
	tasks := f.commit(run, 3)
	f.commit(run, 0, done(tasks[0]), done(tasks[1]))
	mirrors[0].Reached(2)
	mirrors[1].Reached(1)
	f.commit(run, 0)
	f.close(run, state.Interrupted)

	run, mirrors = f.mirrored("b", "c")
	f.want(`SELECT target, seq FROM mirror_cursors`, "b|1")
	f.want(`SELECT seq FROM mirror_changes`, "2")
	mirrors[0].Reached(2)
	mirrors[1].Reached(2)
	f.commit(run, 0)
	f.want(`SELECT count(*) FROM mirror_changes`, "0")
	f.close(run, state.Interrupted)

	run, _ = f.mirrored()
	f.want(`SELECT count(*) FROM mirror_cursors`, "0")
	f.close(run, state.Interrupted)
}

func TestChangesAreReadInOrderAndAGapIsNoticed(t *testing.T) {
	f := newFile(t)
	run, mirrors := f.mirrored("a")
	tasks := f.commit(run, 4)
	f.commit(run, 0, done(tasks[0]), failed(tasks[1], "client", 404), done(tasks[2]))
	s := f.store()
	read := func(after int64, n int) string {
		changes, err := s.Changes(f.ctx, after, n)
		if errors.Is(err, state.ErrTrimmed) {
			return "trimmed"
		} else if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, c := range changes {
			text += fmt.Sprint(c.Seq, c.State, " ")
		}
		return text
	}
	for _, c := range []struct {
		after int64
		n     int
		want  string
	}{{0, 2, "1done 2failed "}, {2, 9, "3done "}, {3, 9, ""}} {
		if got := read(c.after, c.n); got != c.want {
			t.Errorf("after %d: %q, want %q", c.after, got, c.want)
		}
	}
	mirrors[0].Reached(2)
	f.commit(run, 0)
	if got := read(1, 9); got != "trimmed" {
		t.Errorf("after 1: %q", got)
	}
	mirrors[0].Reached(3)
	f.commit(run, 0)
	if got := read(2, 9); got != "trimmed" {
		t.Errorf("after 2, with none left: %q", got)
	}
	f.commit(run, 0, done(tasks[3]))
	if got := read(3, 9); got != "4done " {
		t.Errorf("after 3: %q: a number was given twice", got)
	}
}

func TestWhatIsPutBackTakesEveryMirrorItsCursor(t *testing.T) {
	for name, put := range map[string]func(*file, *state.Run) (int64, error){
		"retry":   func(f *file, r *state.Run) (int64, error) { return r.Retry(f.ctx, state.Filter{}) },
		"refresh": func(f *file, r *state.Run) (int64, error) { return r.Refresh(f.ctx, epoch.Add(time.Hour), nil) },
	} {
		f := newFile(t)
		o := f.with(productStart(10))
		o.Pages = []state.Page{{Name: "page"}}
		o.Mirrors = []*state.Mirror{{Target: "a"}}
		run := f.open(o)
		tasks := f.commit(run, 2)
		f.commit(run, 0, done(tasks[0]), failed(tasks[1], "client", 404))
		o.Mirrors[0].Reached(2)
		f.commit(run, 0)
		if n, err := put(f, run); n != 1 || err != nil {
			t.Fatalf("%s: %d, %v", name, n, err)
		}
		f.want(`SELECT count(*) FROM mirror_cursors`, "0")
		f.want(`SELECT count(*) FROM mirror_changes`, "0")
		for _, task := range f.commit(run, 10) {
			if task.Again {
				f.commit(run, 0, done(task))
			}
		}
		f.want(`SELECT seq, task < 0 FROM mirror_changes`, "3|1")
	}
}

func TestDoneTasksAreReadByTheirIDInBatchesOfAnySize(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(productStart(25_000)))
	var want int
	for claimed := f.commit(run, 512); len(claimed) > 0; {
		var group []state.Outcome
		for _, task := range claimed {
			if task.ID%10 == 0 {
				group = append(group, failed(task, "client", 404))
			} else {
				group, want = append(group, done(task)), want+1
			}
		}
		var err error
		if claimed, err = run.Commit(f.ctx, epoch, group, 512); err != nil {
			t.Fatal(err)
		}
	}
	var got int
	err := f.store().EachDone(f.ctx, func(string) error { got++; return nil })
	if err != nil || got != want || want < 22_000 {
		t.Errorf("%d of %d done tasks: %v", got, want, err)
	}
}
