package cli_test

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"
)

// A run that was killed leaves a -wal and, in the lock file, what it should look like.
func TestARunGoesOnWithoutTheWALOfOneThatWasKilled(t *testing.T) {
	p := goldenPractice(t)
	whole := goldenJob(t, p.URL)
	dogearRun(t, 3, "run", whole)
	job := goldenJob(t, p.URL)
	if err := p.SetDelay(20 * time.Millisecond); err != nil {
		t.Fatal(err)
	}
	c := start(t, "run", job, "--quiet")
	whenDone(t, c, stateOf(job), 20)
	c.Process.Kill()
	if c.exit() != -1 {
		t.Fatal("it ended before it was killed")
	}
	if err := os.Remove(stateOf(job) + "-wal"); err != nil {
		t.Fatal(err)
	}
	if said := dogearRun(t, 3, "run", job, "--quiet").said(); !strings.Contains(said, "set aside") {
		t.Errorf("it is not said that all of it was lost: %s", said)
	}
	sameEnd(t, whole, job)
	if said := dogearRun(t, 3, "run", job, "--quiet").said(); said != "" {
		t.Errorf("the run after that says %s", said)
	}
}

func TestADamagedFileIsItsOwnJobFileAndCanBeReset(t *testing.T) {
	p := goldenPractice(t)
	job := goldenJob(t, p.URL)
	takeGolden(t, 1, stateOf(job), p.URL)
	harm(t, stateOf(job), zeroPage(1))
	if err := os.Remove(job); err != nil {
		t.Fatal(err)
	}
	dogearRun(t, 3, "run", stateOf(job))
	dogearRun(t, 3, "verify", stateOf(job))
	harm(t, stateOf(job), scramble(0, 100))
	dogearRun(t, 2, "reset", stateOf(job)) // nobody says yes
	if _, err := os.Stat(stateOf(job)); err != nil {
		t.Error(err)
	}
	dogearRun(t, 0, "reset", "--yes", stateOf(job))
	if _, err := os.Stat(stateOf(job)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}
