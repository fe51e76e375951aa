package state_test

import (
	"os"
	"testing"
	"time"

	"dogear/state"
)

// After a power cut that took the last commits with it, a mirror may have more than the file: it is made anew.
func TestAMirrorOfCommitsThatTheFileLostHasNoCursor(t *testing.T) {
	f := newFile(t)
	run, mirrors := f.mirrored("a")
	tasks := f.commit(run, 2)
	f.commit(run, 0, done(tasks[0]))
	mirrors[0].Reached(1)
	f.commit(run, 0, done(tasks[1]))
	f.close(run, "")
	f.ask(`PRAGMA wal_checkpoint(TRUNCATE)`)

	o := f.with(productStart(10))
	o.Mirrors = []*state.Mirror{{Target: "a"}}
	run = f.openAt(epoch.Add(time.Minute), o)
	f.want(`SELECT target, seq FROM mirror_cursors`, "a|1")
	tasks, err := run.Commit(f.ctx, epoch.Add(2*time.Minute), nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run.Commit(f.ctx, epoch.Add(3*time.Minute), []state.Outcome{done(tasks[0])}, 0); err != nil {
		t.Fatal(err)
	}
	after := newFile(t)
	for _, part := range []string{"", ".lock"} { // all but the -wal
		b, err := os.ReadFile(f.path + part)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(after.path+part, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	o.Path, o.Mirrors = after.path, []*state.Mirror{{Target: "a"}}
	var told *state.Salvage
	o.Tell = func(s *state.Salvage) { told = s }
	after.openAt(epoch.Add(4*time.Minute), o)
	if told == nil || told.Missing == 0 {
		t.Fatalf("nothing was lost: %+v", told)
	}
	after.want(`SELECT count(*) FROM mirror_cursors`, "0")
	after.want(`SELECT count(*) FROM mirror_changes`, "0")
}
