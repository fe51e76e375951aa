package state_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"dogear/state"
)

func TestRemoveTakesTheFileAndItsLogAway(t *testing.T) {
	for _, ended := range []string{state.Finished, ""} {
		t.Run("after a run that ended as "+ended, func(t *testing.T) {
			f := newFile(t)
			run := f.open(f.with(productStart(5)))
			f.commit(run, 3)
			f.close(run, ended) // f's own connection keeps the log there
			if err := state.Remove(f.ctx, f.path); err != nil {
				t.Fatal(err)
			}
			if got := folder(t, filepath.Dir(f.path)); !slices.Equal(got, []string{"job.db.lock"}) {
				t.Errorf("left in the folder: %q", got)
			}
			f.db.Close()
			f.db = nil
			run = f.open(f.with(productStart(5)))
			if !run.Found.New {
				t.Error("started over it is not new")
			}
			f.commit(run, 3)
		})
	}
}

func TestRemoveWithoutAFileIsNoError(t *testing.T) {
	f := newFile(t)
	if err := state.Remove(f.ctx, f.path); err != nil {
		t.Error(err)
	}
	if got := folder(t, filepath.Dir(f.path)); len(got) != 0 {
		t.Errorf("left in the folder: %q", got)
	}
}

func TestRemoveIsRefusedWhileARunHoldsTheFile(t *testing.T) {
	f := newFile(t)
	c := startChild(t, "hold", f.path)
	c.line()
	var locked *state.LockedError
	if err := state.Remove(f.ctx, f.path); !errors.As(err, &locked) || locked.PID != int64(c.cmd.Process.Pid) {
		t.Errorf("error is %v", err)
	}
	f.want(`SELECT in_flight FROM counters`, "6")
	c.kill()
	if err := state.Remove(f.ctx, f.path); err != nil {
		t.Error(err)
	}
}

func TestRemoveDoesNotTouchAFileThatIsNotOurs(t *testing.T) {
	for _, c := range notOurs {
		if !c.is(state.ErrForeign) {
			continue // a newer dogear's file is a dogear's
		}
		t.Run(c.name, func(t *testing.T) {
			f := newFile(t)
			c.content(t, f.path)
			before := contents(t, f.path)
			if err := state.Remove(f.ctx, f.path); !errors.Is(err, state.ErrForeign) {
				t.Errorf("error is %v", err)
			}
			if contents(t, f.path) != before {
				t.Error("the file was changed")
			}
			if got := folder(t, filepath.Dir(f.path)); len(got) != 1 {
				t.Errorf("left in the folder: %q", got)
			}
		})
	}
}

func TestRemoveOfALinkTakesTheFileItMeans(t *testing.T) {
	f := newFile(t)
	f.close(f.open(f.with()), state.Finished)
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(f.path, link); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if err := state.Remove(f.ctx, link); err != nil {
		t.Fatal(err)
	}
	if _, err := state.Open(f.ctx, f.path); !errors.Is(err, state.ErrNone) {
		t.Errorf("the file it means is still there: %v", err)
	}
}
