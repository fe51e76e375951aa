package cli_test

import (
	"fmt"
	"strings"
	"testing"

	"dogear/internal/practice"
	"dogear/internal/testenv"
)

// badDisks are the calls that fail, from the n-th of a thread on, while a run carries on with a file that has 60 tasks
// done. What SQLite reads of the log, and writes to the file, it does at the close.
var badDisks = []struct {
	name, call string
	file       calledOn
	errno      string
	when       []int
	says       string
}{
	{"the log can't be written", "pwrite64", log, "EIO", []int{1, 6, 14}, "failed"},
	{"the log can't be synced", "fsync", log, "EIO", []int{1, 2, 3}, "failed"},
	{"the log can't be read", "pread64", log, "EIO", []int{1}, "failed"},
	{"the file can't be written", "pwrite64", data, "EIO", []int{1, 5}, "failed"},
	{"the file can't be synced", "fsync", data, "EIO", []int{1}, "failed"},
	{"the file can't be read", "pread64", data, "EIO", []int{1, 2, 4, 6}, "failed"},
	{"there is no room for the log", "pwrite64", log, "ENOSPC", []int{1, 6, 14}, "is full"},
	{"there is no room to sync the log", "fsync", log, "ENOSPC", []int{3}, "failed"},
	{"there is no room for the file", "pwrite64", data, "ENOSPC", []int{1}, "is full"},
}

// A disk that fails ends the run with a word that helps. What was committed is there, and the same command carries on.
func TestABadDiskStopsTheRunAndLosesNothing(t *testing.T) {
	tool := testenv.Tool(t, "strace", "strace")
	p := site(t, practice.Options{Pages: 4})
	path := new(killPoint).begin(t, p)
	dogearRun(t, 3, "run", path)
	want := outcomeOf(t, stateOf(path))
	for _, d := range badDisks {
		for _, n := range d.when {
			t.Run(fmt.Sprintf("%s/%s %d", d.name, d.errno, n), func(t *testing.T) {
				path := new(killPoint).begin(t, p)
				half(t, path)
				before := askedFor(t, p, stateOf(path), "done", "failed")
				c := traced(t, tool, d.file.of(path), fmt.Sprintf("%s:error=%s:when=%d+", d.call, d.errno, n), "run", path)
				if code := c.exit(); code != 1 {
					t.Errorf("exit %d, want 1", code)
				}
				for _, word := range []string{stateOf(path), d.says, "committed is kept", "the same command carries on"} {
					if !strings.Contains(c.said(), word) {
						t.Errorf("it does not say %q:\n%s", word, c.said())
					}
				}
				left := copied(t, stateOf(path))
				checkSound(t, left)
				asked := askedFor(t, p, left, "done", "failed")
				dogearRun(t, 3, "run", path)
				checkNotAskedAgain(t, p, before)
				checkNotAskedAgain(t, p, asked)
				checkSound(t, stateOf(path))
				checkSame(t, want, outcomeOf(t, stateOf(path)))
			})
		}
	}
}
