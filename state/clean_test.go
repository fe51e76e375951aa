package state_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"dogear/state"
)

func TestOnlyAFinishedJobOfSomeAgeIsRemoved(t *testing.T) {
	later := epoch.Add(time.Hour)
	for _, c := range []struct {
		name   string
		make   func(f *file)
		before time.Time
		stays  string
	}{
		{"finished, also with failures", func(f *file) { finishedJob(f) }, later, ""},
		{"finished at that very moment", func(f *file) { finishedJob(f) }, epoch, "its last run is not that long ago"},
		{"interrupted", func(f *file) {
			run := f.open(f.with(productStart(3)))
			f.commit(run, 2)
			f.close(run, state.Interrupted)
		}, later, "unfinished, 3 left"},
		{"interrupted when nothing was left", func(f *file) {
			f.close(f.open(f.with()), state.Interrupted)
		}, later, "its last run was interrupted"},
		{"finished, and the run after it died", func(f *file) {
			finishedJob(f)
			f.close(f.open(f.with(productStart(2))), "")
		}, later, "its last run died"},
		{"finished, and then tasks were put back", func(f *file) {
			finishedJob(f)
			run := f.open(withPages(f.with(productStart(2))))
			if _, err := run.Refresh(f.ctx, later, nil); err != nil {
				f.Fatal(err)
			}
			f.close(run, state.Finished)
		}, later, "unfinished, 1 left"},
		{"finished by counters that are wrong", func(f *file) {
			finishedJob(f)
			raw(`UPDATE tasks SET state = 'pending' WHERE id = 1`)(f.TB.(*testing.T), f.path)
		}, later, "unfinished, 1 left"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFile(t)
			c.make(f)
			found, err := state.Inspect(f.ctx, f.path, c.before)
			if err != nil || found.Stays != c.stays || found.Bytes == 0 || !found.Last.Equal(epoch) {
				t.Errorf("found %+v, %v", found, err)
			}
			removed, err := state.RemoveFinished(f.ctx, f.path, c.before)
			if err != nil || removed.Stays != c.stays {
				t.Errorf("removed %+v, %v", removed, err)
			}
			if _, err := os.Stat(f.path); errors.Is(err, os.ErrNotExist) != (c.stays == "") {
				t.Errorf("the file: %v", err)
			}
		})
	}
}

// finishedJob leaves one task done and one failed.
func finishedJob(f *file) {
	run := f.open(f.with(productStart(2)))
	tasks := f.commit(run, 2)
	f.commit(run, 0, done(tasks[0]), failed(tasks[1], "server", 500))
	f.close(run, state.Finished)
}

func TestAFinishedJobThatARunHoldsIsNotRemoved(t *testing.T) {
	f := newFile(t)
	startChild(t, "hold", f.path).line()
	found, err := state.RemoveFinished(f.ctx, f.path, epoch.Add(99*time.Hour))
	if err != nil || found.Stays != "a run is working on it" {
		t.Errorf("found %+v, %v", found, err)
	}
	f.want(`SELECT in_flight FROM counters`, "6")
}

func TestAFileOfAnotherProgramIsNotEvenTouched(t *testing.T) {
	for _, c := range notOurs {
		if !c.is(state.ErrForeign) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			f := newFile(t)
			c.content(t, f.path)
			before := contents(t, f.path)
			found, err := state.RemoveFinished(f.ctx, f.path, epoch.Add(time.Hour))
			if err != nil || found.Stays != "not a dogear state file" {
				t.Errorf("found %+v, %v", found, err)
			}
			if contents(t, f.path) != before {
				t.Error("the file was changed")
			}
			if got := folder(t, filepath.Dir(f.path)); !slices.Equal(got, []string{"job.db"}) {
				t.Errorf("in the folder: %q", got)
			}
		})
	}
}

// Another program's database in WAL mode: SQLite would tidy its log away when the last reader leaves.
func TestTheLogOfAnotherProgramIsLeftAlone(t *testing.T) {
	f := newFile(t)
	db := openRaw(t, f.path)
	if _, err := db.Exec(`PRAGMA journal_mode = WAL; CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)`); err != nil {
		t.Fatal(err)
	}
	before := contents(t, f.path+"-wal")
	if found, err := state.Inspect(f.ctx, f.path, epoch); err != nil || found.Stays == "" {
		t.Errorf("found %+v, %v", found, err)
	}
	if contents(t, f.path+"-wal") != before {
		t.Error("their log was changed")
	}
}
