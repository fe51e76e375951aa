package state_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"dogear/state"
)

// padded makes a file larger than what is checked at every opening.
func padded(t *testing.T, path string) {
	t.Helper()
	db := openRaw(t, path)
	defer db.Close()
	for _, query := range []string{
		`CREATE TABLE pad (b BLOB)`, `INSERT INTO pad VALUES (zeroblob(70000000))`, `PRAGMA wal_checkpoint(TRUNCATE)`,
	} {
		if _, err := db.Exec(query); err != nil {
			t.Fatal(err)
		}
	}
}

// A large file is not checked at every opening: what a reader found, the next run has to know.
func TestADamageThatAReaderFoundInALargeFileIsSalvagedByTheNextRun(t *testing.T) {
	f := &file{TB: t, ctx: context.Background(), path: shelfImages().ended.write(t)}
	padded(t, f.path)
	root, err := strconv.Atoi(f.ask(`SELECT rootpage FROM sqlite_schema WHERE name = 'items'`))
	if err != nil {
		t.Fatal(err)
	}
	f.db.Close()
	f.db = nil
	harm(t, f.path, zeroed((root-1)*4096, root*4096))

	s, err := state.Open(f.ctx, f.path)
	if err != nil {
		t.Fatal(err)
	}
	found := s.Check(f.ctx)
	s.Close()
	if !state.IsDamage(found) {
		t.Fatalf("Check: %v", found)
	}
	state.Report(f.path, errors.New("no damage at all"))
	f.close(f.openAt(later, newShelf(t).options(f.path)), state.Finished) // it is too large to be looked at
	state.Report(f.path, found)
	run := f.openAt(later, newShelf(t).options(f.path))
	if saved := run.Found.Salvaged; saved == nil {
		t.Fatal("the next run does nothing about it")
	}
	state.Report(f.path, found) // too late: the run holds the file
	f.close(run, state.Interrupted)
	if run := f.openAt(later, newShelf(t).options(f.path)); run.Found.Salvaged != nil {
		t.Errorf("it is salvaged again: %+v", run.Found.Salvaged)
	}
}

func TestAReportOfDamageMakesNoLockFileOfNothing(t *testing.T) {
	f := newFile(t)
	state.Report(f.path, &state.DamagedError{Path: f.path, Err: errors.New("made up")})
	if got := folder(t, filepath.Dir(f.path)); len(got) > 0 {
		t.Errorf("left: %q", got)
	}
}

func TestAnotherProgramsFileIsNotCalledDamaged(t *testing.T) {
	f := newFile(t)
	if err := os.WriteFile(f.path, []byte(strings.Repeat("name: job\n", 100)), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := state.OpenRun(f.ctx, f.with(productStart(1)), epoch)
	if !errors.Is(err, state.ErrForeign) || state.IsDamage(err) {
		t.Errorf("OpenRun: %v, damage: %t", err, state.IsDamage(err))
	}
	if _, err = state.Open(f.ctx, f.path); !errors.Is(err, state.ErrForeign) || state.IsDamage(err) {
		t.Errorf("Open: %v, damage: %t", err, state.IsDamage(err))
	}
}
