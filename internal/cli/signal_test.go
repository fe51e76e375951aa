package cli_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"dogear/internal/practice"
)

// slowSite answers each request after a while, so that there are always some in flight.
func slowSite(t *testing.T) *practice.Process {
	t.Helper()
	return site(t, practice.Options{Products: 100_000, Delay: 20 * time.Millisecond})
}

func slowJob(t *testing.T, p *practice.Process) string {
	t.Helper()
	return writeJob(t, "products.yaml", practice.ProductsJob(p.URL, 100_000, 16))
}

func TestFirstInterruptDrainsAndExits130(t *testing.T) {
	p := slowSite(t)
	path := slowJob(t, p)
	c := start(t, "run", path)
	whenDone(t, c, stateOf(path), 50)
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := c.exit(); code != 130 {
		t.Fatalf("exit %d, want 130; it said:\n%s", code, c.said())
	}
	for query, want := range map[string]string{
		`SELECT count(*) FROM tasks WHERE state = 'in-flight'`:                               "0",
		`SELECT in_flight FROM counters`:                                                     "0",
		`SELECT ended FROM runs`:                                                             "interrupted",
		`SELECT count(*) = (SELECT done FROM counters) FROM products`:                        "1",
		`SELECT count(*) FROM tasks WHERE state = 'pending' AND attempts > 0`:                "0",
		`SELECT count(*) > 0 FROM tasks WHERE state = 'pending'`:                             "1",
		`SELECT pending + (SELECT total - cursor FROM starts) + done = 100000 FROM counters`: "1",
	} {
		if got := rows(t, stateOf(path), query); got[0] != want {
			t.Errorf("%s: %s, want %s", query, got[0], want)
		}
	}
	// What was in flight was answered and committed: the site was asked for nothing that is not done.
	settled(t, p)
	done, _ := strconv.Atoi(rows(t, stateOf(path), `SELECT done FROM counters`)[0])
	if asked := must(p.Stats()).Total - must(p.Counts())["/robots.txt"]; asked != int64(done) {
		t.Errorf("the site was asked %d times, %d tasks are done", asked, done)
	}
}

func TestSecondInterruptLeavesAtOnce(t *testing.T) {
	p := site(t, practice.Options{Products: 100, Delay: time.Minute})
	path := writeJob(t, "products.yaml", practice.ProductsJob(p.URL, 100, 16)+"robots: ignore\n")
	c := start(t, "run", path)
	asked(t, p, 16)
	interrupt(t, c, "stopping:")
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := c.exit(); code != 130 {
		t.Fatalf("exit %d, want 130; it said:\n%s", code, c.said())
	}
	if got := rows(t, stateOf(path), `SELECT count(*) FROM tasks WHERE state = 'in-flight' AND attempts = 0`); got[0] == "0" {
		t.Error("nothing in flight is left: the second interrupt came too late to show anything")
	}
}

// interrupt sends one interrupt and waits until the process says that it heard it.
func interrupt(t *testing.T, c *crawler, says string) {
	t.Helper()
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for !strings.Contains(c.said(), says) {
		time.Sleep(time.Millisecond)
	}
}

// asked waits until the site has been asked so often.
func asked(t *testing.T, p *practice.Process, n int64) {
	t.Helper()
	for must(p.Stats()).Total < n {
		time.Sleep(time.Millisecond)
	}
}

func TestSecondRunIsRefusedAndNamesTheFirst(t *testing.T) {
	p := slowSite(t)
	path := slowJob(t, p)
	first := start(t, "run", path)
	whenDone(t, first, stateOf(path), 1)
	for _, args := range [][]string{{"run", path}, {"run", stateOf(path)}, {"retry", path}, {"reset", path, "--yes"}, {"run", path, "--fresh"}} {
		second := dogearRun(t, 4, args...)
		if want := fmt.Sprintf("pid %d", first.Process.Pid); !strings.Contains(second.said(), want) {
			t.Errorf("%v does not name %q: %s", args, want, second.said())
		}
	}
	first.Process.Kill()
	first.exit()
	dogearRun(t, 0, "run", path, "--limit", "10") // a dead process's lock is no obstacle
}
