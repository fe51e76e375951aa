package state_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"dogear/state"
)

func TestASecondRunInAnotherProcessIsRefusedNamingTheFirst(t *testing.T) {
	f := newFile(t)
	c := startChild(t, "hold", f.path)
	c.line()
	run, err := state.OpenRun(f.ctx, f.with(), epoch.Add(time.Hour))
	var locked *state.LockedError
	if !errors.As(err, &locked) || run != nil {
		t.Fatalf("OpenRun: %v, %v", run, err)
	}
	host, _ := os.Hostname()
	if locked.Path != f.path || locked.PID != int64(c.cmd.Process.Pid) || locked.Host != host || !locked.Since.Equal(epoch) {
		t.Errorf("locked is %+v, want pid %d on %s since %s", locked, c.cmd.Process.Pid, host, epoch)
	}
	for _, part := range []string{f.path, fmt.Sprintf("pid %d on %s", locked.PID, host), epoch.Local().Format("2006-01-02 15:04:05")} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
	f.want(`SELECT count(*) FROM runs`, "1")
	f.want(`SELECT in_flight FROM counters`, "6")
}

func TestASecondRunInTheSameProcessIsRefusedToo(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with())
	var locked *state.LockedError
	if _, err := state.OpenRun(f.ctx, f.with(), epoch); !errors.As(err, &locked) || locked.PID != int64(os.Getpid()) {
		t.Errorf("OpenRun: %v", err)
	}
	f.close(run, state.Finished)
	f.open(f.with())
}

// The kernel gives the lock back with the process, so nothing has to be repaired by hand.
func TestTheLockOfADeadProcessIsNoObstacle(t *testing.T) {
	f := newFile(t)
	c := startChild(t, "hold", f.path)
	c.line()
	c.kill()
	if _, err := os.Stat(f.path + ".lock"); err != nil {
		t.Fatal(err)
	}
	f.agree(f.open(f.with(productStart(heldTasks))))
}

func TestALockFileThatNobodyHoldsIsNoObstacle(t *testing.T) {
	f := newFile(t)
	text("left by somebody")(t, f.path+".lock")
	f.close(f.open(f.with()), state.Finished)
	f.agree(f.open(f.with()))
}

// Somebody holds the lock, but no row says who: the run is only just beginning.
func TestARunThatHasNoRowYetIsRefusedWithoutAName(t *testing.T) {
	f := newFile(t)
	l := flock.New(f.path + ".lock")
	if ok, err := l.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	defer l.Close()
	_, err := state.OpenRun(f.ctx, f.with(), epoch)
	var locked *state.LockedError
	if !errors.As(err, &locked) || locked.PID != 0 || !strings.Contains(err.Error(), "another run holds "+f.path) {
		t.Errorf("OpenRun: %v", err)
	}
	if got := folder(t, filepath.Dir(f.path)); len(got) != 1 {
		t.Errorf("left in the folder: %q", got)
	}
}

// SQLite follows a symbolic link to one database, so the lock has to.
func TestTwoNamesOfOneFileAreOneLock(t *testing.T) {
	f := newFile(t)
	f.close(f.open(f.with()), state.Interrupted)
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(f.path, link); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	f.open(f.with())
	o := f.with()
	o.Path = link
	var locked *state.LockedError
	if _, err := state.OpenRun(f.ctx, o, epoch); !errors.As(err, &locked) {
		t.Errorf("a second run by another name: %v", err)
	}
	s, err := state.Open(f.ctx, link)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if !s.Running() {
		t.Error("seen by another name nothing is running")
	}
}

func TestWaitingForALockEndsWithTheContext(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(context.Context) (context.Context, context.CancelFunc)
		want error
	}{
		{"when it was cancelled", context.WithCancel, context.Canceled},
		{"when its time was over", func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithDeadline(ctx, time.Unix(0, 0))
		}, context.DeadlineExceeded},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFile(t)
			f.open(f.with())
			ctx, cancel := c.end(f.ctx)
			cancel()
			var locked *state.LockedError
			if _, err := state.OpenRun(ctx, f.with(), epoch); !errors.Is(err, c.want) || errors.As(err, &locked) {
				t.Errorf("OpenRun: %v, want %v", err, c.want)
			}
		})
	}
}

func TestRunningSaysWhetherAProcessHoldsTheFile(t *testing.T) {
	f := newFile(t)
	c := startChild(t, "hold", f.path)
	c.line()
	s := f.store()
	if !s.Running() {
		t.Error("another process holds it")
	}
	c.kill()
	if s.Running() {
		t.Error("the process is dead")
	}
	if err := os.Remove(f.path + ".lock"); err != nil {
		t.Fatal(err)
	}
	if s.Running() {
		t.Error("there is no lock file at all")
	}
	if _, err := os.Stat(f.path + ".lock"); err == nil {
		t.Error("looking made a lock file")
	}
}

// Running holds the lock for a moment to see whether it is free. That moment must not look like a run.
func TestLookingWhetherARunIsOnDoesNotKeepOneFromBeginning(t *testing.T) {
	f := newFile(t)
	f.close(f.open(f.with()), state.Finished)
	s := f.store()
	for range 50 {
		var look sync.WaitGroup
		for range 3 {
			look.Go(func() { s.Running() })
		}
		run, err := state.OpenRun(f.ctx, f.with(), epoch)
		look.Wait()
		if err != nil {
			t.Fatal(err)
		}
		f.close(run, state.Finished)
	}
}

func TestAFolderThatIsNotThereIsNamed(t *testing.T) {
	f := newFile(t)
	o := f.with()
	o.Path = filepath.Join(filepath.Dir(f.path), "nowhere", "job.db")
	if _, err := state.OpenRun(f.ctx, o, epoch); err == nil || !strings.Contains(err.Error(), "there is no folder "+filepath.Dir(o.Path)) {
		t.Errorf("error is %v", err)
	}
}
