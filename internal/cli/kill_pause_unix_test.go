//go:build unix

package cli_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"dogear/internal/practice"
)

// A run that is stopped (Ctrl-Z, a laptop that sleeps) with requests in flight stays the run, and goes on.
func TestAPausedRunIsStillTheRunAndGoesOn(t *testing.T) {
	const products, atOnce = 64, 16
	p := site(t, practice.Options{Products: products, Delay: 100 * time.Millisecond})
	path := writeJob(t, "products.yaml", practice.ProductsJob(p.URL, products, atOnce))
	first := start(t, "run", path)
	signal := func(s syscall.Signal) {
		t.Helper()
		if err := first.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
	asked(t, p, atOnce)
	signal(syscall.SIGSTOP)
	t.Cleanup(func() { first.Process.Signal(syscall.SIGCONT) }) // or a test that failed would wait for it
	settled(t, p)                                               // its answers wait for it
	before := must(p.Counts())
	second := dogearRun(t, 4, "run", path)
	if want := fmt.Sprintf("pid %d", first.Process.Pid); !strings.Contains(second.said(), want) {
		t.Errorf("it does not name %q: %s", want, second.said())
	}
	if after := must(p.Counts()); len(after) != len(before) {
		t.Errorf("%d URLs asked for during the pause", len(after)-len(before))
	}
	signal(syscall.SIGCONT)
	if code := first.exit(); code != 0 {
		t.Fatalf("exit %d, want 0; it said:\n%s", code, first.said())
	}
	for uri, n := range must(p.Counts()) {
		if n != 1 {
			t.Errorf("%s was asked for %d times", uri, n)
		}
	}
	for query, want := range map[string]string{
		`SELECT count(*), sum(state = 'done'), sum(attempts) FROM tasks`: fmt.Sprint(products, " ", products, " ", products),
		`SELECT count(*) FROM attempts`:                                  "0",
		`SELECT count(*) FROM products`:                                  fmt.Sprint(products),
		`SELECT count(*) FROM runs WHERE ended = 'finished'`:             "1",
		`SELECT count(*) FROM runs`:                                      "1",
	} {
		if got := rows(t, stateOf(path), query); got[0] != want {
			t.Errorf("%s: %s, want %s", query, got[0], want)
		}
	}
	checkSound(t, stateOf(path))
}
