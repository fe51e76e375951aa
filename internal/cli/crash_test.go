package cli_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"dogear/internal/practice"
)

// `just crash` runs this with the numbers of a real crawl.
var (
	crashProducts    = flag.Int("crash.products", 2000, "products in the crash test")
	crashPages       = flag.Int("crash.pages", 20, "listing pages in the crash test, with ten details each")
	crashKills       = flag.Int("crash.kills", 6, "how often the crawler is killed")
	crashConcurrency = flag.Int("crash.concurrency", 64, "requests at the same time in the crash test")
	crashSeed        = flag.Uint64("crash.seed", 0, "seed of the moments; 0: from the clock")
)

// crashUncovered is what no commit may cover at a kill: the requests in flight, the outcomes of a group that is being
// gathered, and those that came while the one before was written.
func crashUncovered() int64 { return int64(*crashConcurrency + 2*512) }

// One run with records, links, retries and failures, killed with SIGKILL at random moments and started again each time,
// is as if nothing had happened: see outcome for what is compared (scrapy #7978, #2399, #4106, #4479; crawlee-python
// #1825; colly #656).
func TestKilledAtRandomMomentsARunEndsAsAnUninterruptedOne(t *testing.T) {
	p := site(t, practice.Options{Pages: int64(*crashPages), Delay: 2 * time.Millisecond})
	text := fmt.Sprintf(mixedJob, p.URL, *crashProducts, *crashConcurrency)
	renewed(t, p, mixedFaults)
	whole := writeJob(t, "whole.yaml", text)
	dogearRun(t, 3, "run", whole)

	renewed(t, p, mixedFaults)
	path := killed(t, p, text, *crashProducts+11**crashPages)
	checkSound(t, stateOf(path))
	checkSame(t, outcomeOf(t, stateOf(whole)), outcomeOf(t, stateOf(path)))
	want := practice.ProductAt(1)
	got := rows(t, stateOf(path), `SELECT price, stock FROM products WHERE product_id = 1`)
	if len(got) != 1 || got[0] != fmt.Sprint(want.Price, " ", want.Stock) {
		t.Errorf("product 1 is %q, the site says %s %d", got, want.Price, want.Stock)
	}
}

// killed runs a job, kills it at random moments, starts it again each time, and lets it end. It returns the path of
// the job file. It checks what each kill leaves, that nothing that was committed is asked for again, and how much is.
func killed(t *testing.T, p *practice.Process, text string, total int) string {
	t.Helper()
	seed := *crashSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	random := rand.New(rand.NewPCG(seed, 0))
	path := writeJob(t, "job.yaml", text)
	asked := map[string]int64{} // URI -> how often it had been asked for when its outcome was found committed
	kills := 0
	for i := range *crashKills {
		// The moments are spread over the work by what is committed, so that a slow machine is killed as often. The last
		// tenth is left for the moment to fall into.
		goal := total * 9 / 10 * i / *crashKills
		c := start(t, "run", path, "--quiet")
		whenDone(t, c, stateOf(path), goal)
		time.Sleep(time.Duration(random.IntN(40)) * time.Millisecond) // the moment: within a commit, or between two
		c.Process.Kill()
		if c.exit() == -1 {
			kills++
		}
		left := copied(t, stateOf(path))
		checkSound(t, left)
		for uri, n := range askedFor(t, p, left, "done", "failed") {
			if _, known := asked[uri]; !known {
				asked[uri] = n
			}
		}
		os.RemoveAll(filepath.Dir(left)) // a hundred of them would fill a disk
	}
	dogearRun(t, 3, "run", path)
	t.Logf("seed %d: %d kills", seed, kills)
	if kills < *crashKills/2 {
		t.Errorf("only %d of %d kills hit a running crawl", kills, *crashKills)
	}
	checkNotAskedAgain(t, p, asked)
	checkFewAskedAgain(t, p, path, int64(kills))
	return path
}

// checkFewAskedAgain checks that no more was asked for twice than what no commit covered.
func checkFewAskedAgain(t *testing.T, p *practice.Process, path string, kills int64) {
	t.Helper()
	counts := must(p.Counts())
	var total int64
	for _, n := range counts {
		total += n
	}
	attempts, err := strconv.ParseInt(rows(t, stateOf(path), `SELECT sum(attempts) FROM tasks`)[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	allowed := kills * crashUncovered()
	t.Logf("%d requests for %d URLs, %d attempts kept, %d requests that no commit covered (%d may be)",
		total, len(counts), attempts, total-attempts, allowed)
	if total-attempts > allowed {
		t.Errorf("%d requests that no commit covered, more than can be uncommitted at %d kills: %d", total-attempts, kills, allowed)
	}
}

func stateOf(jobPath string) string { return strings.TrimSuffix(jobPath, ".yaml") + ".db" }

// whenDone returns when so many tasks are committed, or the process has ended.
func whenDone(t *testing.T, c *crawler, path string, goal int) {
	t.Helper()
	over := make(chan struct{})
	go func() { c.wait(); close(over) }()
	for {
		if done, err := doneIn(path); err == nil && done >= goal {
			return
		}
		select {
		case <-over:
			return
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// settled waits until the site has answered all that a killed crawler had asked.
func settled(t *testing.T, p *practice.Process) {
	t.Helper()
	for must(p.Stats()).InFlight > 0 {
		time.Sleep(time.Millisecond)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
