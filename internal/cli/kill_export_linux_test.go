package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dogear/internal/practice"
	"dogear/internal/testenv"
)

// Where an export is killed: its temporary is written in pieces, the calls after that are made once.
var exportPoints = []killPoint{
	{call: "write", when: []int{1, 2, 3}},
	{call: "fsync", when: []int{1}},
	{call: "fchmodat", when: []int{1}},
	{call: "renameat", when: []int{1}},
}

// A killed export leaves the file that was there; its temporary is taken away by an export an hour later.
func TestAKilledExportLeavesTheOldFileWhole(t *testing.T) {
	tool := testenv.Tool(t, "strace", "strace")
	p := site(t, practice.Options{})
	job := writeJob(t, "products.yaml", practice.ProductsJob(p.URL, 3000, 64))
	dogearRun(t, 0, "run", job)
	for _, format := range []string{"csv", "jsonl"} {
		out := filepath.Join(t.TempDir(), "out")
		dogearRun(t, 0, "export", format, job, "--out", out)
		whole := read(t, out)
		for _, k := range exportPoints {
			for _, n := range k.when {
				t.Run(fmt.Sprintf("%s/%s %d", format, k.call, n), func(t *testing.T) {
					out := filepath.Join(t.TempDir(), "out")
					const old = "of yesterday"
					if err := os.WriteFile(out, []byte(old), 0o644); err != nil {
						t.Fatal(err)
					}
					args := []string{"export", format, job, "--out", out}
					c := traced(t, tool, "", fmt.Sprintf("%s:signal=SIGKILL:when=%d", k.call, n), args...)
					if c.exit() != -1 {
						t.Fatalf("it was not killed; it said:\n%s", c.said())
					}
					if got := read(t, out); got != old {
						t.Errorf("the old file is not what it was: %d bytes", len(got))
					}
					temporary := beside(t, out)
					if len(temporary) != 1 {
						t.Fatalf("killed elsewhere: temporaries %v", temporary)
					}
					dogearRun(t, 0, args...)
					if got := read(t, out); got != whole {
						t.Errorf("%d bytes, not the %d of an undisturbed export", len(got), len(whole))
					}
					hoursAgo := time.Now().Add(-2 * time.Hour)
					if err := os.Chtimes(temporary[0], hoursAgo, hoursAgo); err != nil {
						t.Fatalf("what may be an export that goes on was taken away: %v", err)
					}
					dogearRun(t, 0, args...)
					if left := beside(t, out); len(left) > 0 {
						t.Errorf("left behind: %v", left)
					}
				})
			}
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// beside lists what else is in the folder of a file.
func beside(t *testing.T, path string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, e := range entries {
		if !strings.EqualFold(e.Name(), filepath.Base(path)) {
			found = append(found, filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
	return found
}
