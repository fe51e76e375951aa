//go:build unix

package cli_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"dogear/internal/practice"
)

// underFiles is `dogear args...` in a shell that lets it open few files, so many of them taken already.
func underFiles(t *testing.T, limit string, taken int, args ...string) *crawler {
	t.Helper()
	c := command(t, args...)
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	c.Args = append([]string{"sh", "-c", `ulimit -n ` + limit + ` && exec "$@"`, "sh", c.Path}, args...)
	c.Path = sh
	for range taken {
		f, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		c.ExtraFiles = append(c.ExtraFiles, f)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

// A limit on open files makes a crawl slower, and fails nothing: with 64 there can't be 300 connections, and with 40 of
// them taken by others not even those that 64 allow.
func TestFewOpenFilesCostNoAttempt(t *testing.T) {
	for _, c := range []struct {
		name  string
		taken int
		says  string
	}{
		{"a limit that is known", 0, "may open only 64 files"},
		{"files that somebody else holds", 42, "too many files are open"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := site(t, practice.Options{Products: 600, Delay: 20 * time.Millisecond})
			path := writeJob(t, "products.yaml", practice.ProductsJob(p.URL, 600, 300))
			run := underFiles(t, "64", c.taken, "run", path)
			if code := run.exit(); code != 0 || strings.Count(run.said(), c.says) != 1 {
				t.Fatalf("exit %d, want 0 and %q said once; it said:\n%s", code, c.says, run.said())
			}
			for query, want := range map[string]string{
				`SELECT count(*) FROM attempts`:                  "0",
				`SELECT done || ' ' || failed FROM counters`:     "600 0",
				`SELECT count(*) FROM tasks WHERE attempts <> 1`: "0",
				`SELECT count(*) FROM products`:                  "600",
				`SELECT retried FROM runs`:                       "0",
			} {
				if got := rows(t, stateOf(path), query); got[0] != want {
					t.Errorf("%s: %s, want %s", query, got[0], want)
				}
			}
		})
	}
}
