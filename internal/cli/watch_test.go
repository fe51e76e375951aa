//go:build !windows

package cli_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// words is the screen as words with a space between, wherever it breaks its lines.
func (c *onTerminal) words() string { return strings.Join(strings.Fields(c.screen()), " ") }

// shows waits until the screen has all of these.
func (c *onTerminal) shows(t *testing.T, what ...string) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	until(t, c.crawler, "the screen has "+strings.Join(what, " and "), func() bool {
		if time.Now().After(deadline) {
			t.Fatalf("the screen never has all of %q:\n%s", what, c.screen())
		}
		words := c.words()
		return !slices.ContainsFunc(what, func(w string) bool { return !strings.Contains(words, w) })
	})
}

func TestAWatcherWaitsForARunSeesItAndEndsWithIt(t *testing.T) {
	p := slowSite(t)
	path := slowJob(t, p)
	c := startOnTerminal(t, 110, "status", "--watch", path)
	c.shows(t, "is not there yet; waiting for a run: dogear run")
	run := start(t, "run", path)
	c.shows(t, "products [", "run 1, for ", "brought", "peak", "slowest 127.0.0.1", "free")
	if n := strings.Count(c.screen(), "products  ["); n != 1 {
		t.Errorf("%d bars:\n%s", n, c.screen())
	}
	interrupt(t, run, "stopping:")
	if code := run.exit(); code != 130 {
		t.Fatalf("watched, a run ended with %d: %s", code, run.said())
	}
	shown := c.last(t, 0)
	if !strings.Contains(shown, "no run is working on it") || !strings.Contains(shown, "interrupted") ||
		strings.Contains(shown, "[>") {
		t.Errorf("the last screen:\n%s", shown)
	}
}

func TestAWatcherSeesTheFileGoAndComeAndAnotherRunOnIt(t *testing.T) {
	p := slowSite(t)
	path := slowJob(t, p)
	dogearRun(t, 0, "run", path, "--limit", "5")
	c := startOnTerminal(t, 110, "status", "-w", path)
	c.shows(t, "no run is working on it; waiting for one: dogear run", "products [>")
	dogearRun(t, 0, "reset", path, "--yes")
	c.shows(t, "was removed, as by dogear reset; waiting for a run")
	run := start(t, "run", path)
	c.shows(t, "run 1, for ")
	run.Process.Kill()
	run.exit()
	if shown := c.last(t, 0); !strings.Contains(shown, "died") {
		t.Errorf("the last screen:\n%s", shown)
	}
}

func TestCtrlCEndsAWatcherAndIsNoFailure(t *testing.T) {
	p := slowSite(t)
	path := slowJob(t, p)
	dogearRun(t, 0, "run", path, "--limit", "5")
	c := startOnTerminal(t, 110, "status", "-w", path)
	c.shows(t, "waiting for one")
	if _, err := c.tty.WriteString("\x03"); err != nil {
		t.Fatal(err)
	}
	if shown := c.last(t, 0); strings.Count(shown, "products  [>") != 1 || strings.Contains(shown, "RUN ") {
		t.Errorf("the last screen:\n%s", shown)
	}
}

func TestAFileThatANewerProgramMigratedEndsAWatcherWithAClearWord(t *testing.T) {
	p := slowSite(t)
	path := slowJob(t, p)
	dogearRun(t, 0, "run", path, "--limit", "5")
	c := startOnTerminal(t, 110, "status", "-w", path)
	c.shows(t, "waiting for one")
	db := openState(t, stateOf(path))
	defer db.Close()
	if _, err := db.Exec(`PRAGMA user_version = 99`); err != nil {
		t.Fatal(err)
	}
	if shown := c.last(t, 1); !strings.Contains(c.words(), "has schema version 99, this dogear knows up to") {
		t.Errorf("the last screen:\n%s", shown)
	}
}

func TestAWatcherHoldsWhileTheFileIsMigrated(t *testing.T) {
	p := goldenPractice(t)
	path := goldenJob(t, p.URL)
	takeGolden(t, 1, stateOf(path), p.URL)
	c := startOnTerminal(t, 110, "status", "-w", path)
	c.shows(t, "no run is working on it; waiting for one")
	dogearRun(t, 3, "run", path)
	if shown := c.last(t, 0); !strings.Contains(shown, "complete") || !strings.Contains(shown, "finished") {
		t.Errorf("the last screen:\n%s", shown)
	}
}

func TestAWatcherIsForTerminalsAndForJobsThatThereAre(t *testing.T) {
	_, path := faultySite(t)
	for says, args := range map[string][]string{
		"--watch needs a terminal; for a program, run `dogear status --json " + path: {"status", path, "--watch"},
		"--watch is for people": {"status", path, "--watch", "--json"},
	} {
		if c := dogearRun(t, 2, args...); !strings.Contains(c.said(), says) {
			t.Errorf("%v: %s", args, c.said())
		}
	}
	wrong := strings.Replace(path, "products", "prodcuts", 1)
	if shown := startOnTerminal(t, 200, "status", wrong, "--watch").last(t, 1); !strings.Contains(shown,
		"no state file yet") {
		t.Errorf("a wrong name: %s", shown)
	}
	if _, err := os.Stat(stateOf(wrong)); err == nil {
		t.Error("it made a state file")
	}
	dogearRun(t, 3, "run", path)
	if shown := startOnTerminal(t, 200, "status", path, "--watch").last(t, 0); !strings.Contains(shown, "complete") {
		t.Errorf("a complete job: %s", shown)
	}
}
