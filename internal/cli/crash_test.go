package cli_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dogear/internal/practice"
)

// `just crash` runs these with the numbers of a real crawl.
var (
	crashProducts    = flag.Int("crash.products", 4000, "products in the crash test")
	crashPages       = flag.Int("crash.pages", 25, "listing pages in the crash test")
	crashKills       = flag.Int("crash.kills", 5, "how often the crawler is killed")
	crashConcurrency = flag.Int("crash.concurrency", 64, "requests at the same time in the crash test")
	crashSeed        = flag.Uint64("crash.seed", 0, "seed of the moments; 0: from the clock")
)

// crashUncovered is what no commit may cover at a kill: the requests in flight, the outcomes of a group that is being
// gathered, and those that came while the one before was written.
func crashUncovered() int64 { return int64(*crashConcurrency + 2*512) }

// shopJob walks the listing pages by their next link and every item to its detail page.
const shopJob = `name: shop
start: {url: "%s/page/1", as: listing}
rate: none
concurrency: %d
retry: {attempts: 4, delay: 20ms, max_delay: 1s}
pages:
  listing:
    follow:
      - {css: a.name@href, as: product}
      - {css: a.next@href, as: listing}
  product:
    records: {table: details, key: url, fields: {url: {meta: url, type: url}, title: {css: h1, required: true}, price: {css: .price, type: "decimal(10,2)"}}}
`

// A range of ids, killed with SIGKILL at random moments and started again each time: as if nothing had happened
// (scrapy #7978, #2399, #4106; crawlee-python #1825).
func TestKilledRangeEndsAsAnUninterruptedOne(t *testing.T) {
	p := site(t, practice.Options{Products: int64(*crashProducts), Delay: 2 * time.Millisecond,
		Faults: []practice.Fault{{Path: "/v1/product/*", Script: "500", Every: 50}}})
	text := practice.ProductsJob(p.URL, int64(*crashProducts), *crashConcurrency)
	path := killed(t, p, text, "products", *crashProducts)

	whole := writeJob(t, "whole.yaml", strings.Replace(text, "name: products", "name: whole", 1))
	dogearRun(t, 0, "run", whole)
	const q = `SELECT product_id, name, price, stock, category, rating FROM products ORDER BY product_id`
	if diff := cmp.Diff(rows(t, stateOf(whole), q), rows(t, stateOf(path), q)); diff != "" {
		t.Errorf("records differ from an uninterrupted run's (-whole +killed):\n%s", diff)
	}
	first, last := practice.ProductAt(1), rows(t, stateOf(path), `SELECT price, stock FROM products WHERE product_id = 1`)
	if want := fmt.Sprint(first.Price, " ", first.Stock); len(last) != 1 || last[0] != want {
		t.Errorf("product 1 is %q, the site says %q", last, want)
	}
}

// Listing pages with links to details: every detail is there once (scrapy #4479, colly #656).
func TestKilledWalkHasEveryDetailOnce(t *testing.T) {
	p := site(t, practice.Options{Pages: int64(*crashPages), Delay: 2 * time.Millisecond})
	details := 10 * *crashPages
	path := killed(t, p, fmt.Sprintf(shopJob, p.URL, *crashConcurrency), "shop", details+*crashPages)
	got := rows(t, stateOf(path), `SELECT count(*), count(DISTINCT url) FROM details`)
	if want := fmt.Sprint(details, " ", details); got[0] != want {
		t.Errorf("details, distinct: %s, want %s", got[0], want)
	}
	if got := rows(t, stateOf(path), `SELECT count(*) FROM tasks WHERE page = 'listing' AND state = 'done'`); got[0] != strconv.Itoa(*crashPages) {
		t.Errorf("%s listing pages done, want %d", got[0], *crashPages)
	}
}

// killed runs a job, kills it at random moments, starts it again each time, and lets it end. It returns the path of the
// job file. It checks that nothing that was committed is asked for again, and how much is at all.
func killed(t *testing.T, p *practice.Process, text, name string, total int) string {
	t.Helper()
	seed := *crashSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	random := rand.New(rand.NewPCG(seed, 0))
	jobPath := writeJob(t, name+".yaml", text)
	asked := map[string]int64{} // path -> how often it had been asked for when its outcome was found committed
	kills := 0
	for i := range *crashKills {
		// The moments are spread over the work by what is committed, so that a slow machine is killed as often.
		goal := total * i / *crashKills
		c := start(t, "run", jobPath, "--quiet")
		whenDone(t, c, stateOf(jobPath), goal)
		time.Sleep(time.Duration(random.IntN(40)) * time.Millisecond) // the moment: within a commit, or between two
		c.Process.Kill()
		if c.exit() == -1 {
			kills++
		}
		settled(t, p)
		counts := must(p.Counts())
		for _, url := range rows(t, stateOf(jobPath), `SELECT url FROM tasks WHERE state IN ('done', 'failed')`) {
			path := strings.TrimPrefix(url, p.URL)
			if _, known := asked[path]; !known {
				asked[path] = counts[path]
			}
		}
	}
	dogearRun(t, 0, "run", jobPath)
	checkAsked(t, p, jobPath, asked, kills, seed)
	return jobPath
}

func checkAsked(t *testing.T, p *practice.Process, jobPath string, asked map[string]int64, kills int, seed uint64) {
	t.Helper()
	counts := must(p.Counts())
	for path, n := range asked {
		if counts[path] != n {
			t.Errorf("%s was done and was asked for again: %d times, then %d", path, n, counts[path])
		}
	}
	var again int64
	for _, n := range counts {
		again += n - 1
	}
	var retries int64
	fmt.Sscan(rows(t, stateOf(jobPath), `SELECT count(*) FROM attempts`)[0], &retries)
	allowed := int64(kills) * crashUncovered()
	t.Logf("seed %d: %d kills, %d requests for %d URLs, %d of them retries, %d asked again because no commit covered them (%d may be)",
		seed, kills, again+int64(len(counts)), len(counts), retries, again-retries, allowed)
	if again-retries > allowed {
		t.Errorf("%d asked again, more than can be in flight or uncommitted at %d kills: %d", again-retries, kills, allowed)
	}
	if kills < *crashKills/2 {
		t.Errorf("only %d of %d kills hit a running crawl", kills, *crashKills)
	}
	want := rows(t, stateOf(jobPath), `SELECT sum(state = 'pending'), sum(state = 'in-flight'), sum(state = 'done'), sum(state = 'failed') FROM tasks`)
	if diff := cmp.Diff(want, rows(t, stateOf(jobPath), `SELECT pending, in_flight, done, failed FROM counters`)); diff != "" {
		t.Errorf("counters differ from the rows (-rows +counters):\n%s", diff)
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
