package cli_test

import (
	"flag"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"dogear/internal/practice"
)

// away is how long the site is away: `go test ./internal/cli -run Outage -v -outage.away 60s`.
var away = flag.Duration("outage.away", 4*time.Second, "how long the site is away in the middle of a crawl")

// outageJob takes longer than the site is away.
const outageJob = `
start: {url: "SITE/v1/product/{id}", id: 1..600}
rate: 200/s
concurrency: %d
retry: {attempts: %d}
records: {table: products, key: id, fields: {id: {json: $.id, type: int}, name: $.name}}
`

func startOutage(t *testing.T, p *practice.Process, concurrency, attempts int) (path string, c *crawler) {
	t.Helper()
	path = writeJob(t, "products.yaml", strings.ReplaceAll(fmt.Sprintf(outageJob, concurrency, attempts), "SITE", p.URL))
	c = start(t, "run", path)
	whenDone(t, c, stateOf(path), 100)
	if err := p.SetDown(true); err != nil {
		t.Fatal(err)
	}
	until(t, c, "it says that the site is away", func() bool { return strings.Contains(c.said(), "does not answer") })
	return path, c
}

func TestAnOutageInTheMiddleOfACrawlCostsNothing(t *testing.T) {
	for _, form := range []struct{ concurrency, attempts int }{{16, 4}, {1, 4}, {16, 1}} {
		t.Run(fmt.Sprintf("concurrency %d, attempts %d", form.concurrency, form.attempts), func(t *testing.T) {
			t.Parallel() // they wait
			p := site(t, practice.Options{Products: 600})
			path, c := startOutage(t, p, form.concurrency, form.attempts)
			before := must(p.Stats()).Refused
			time.Sleep(*away) // the time that the site is away
			probes := must(p.Stats()).Refused - before
			if err := p.SetDown(false); err != nil {
				t.Fatal(err)
			}
			if code := c.exit(); code != 0 {
				t.Fatalf("exit %d; it said:\n%s", code, c.said())
			}
			for query, want := range map[string]string{
				`SELECT done, failed, pending FROM counters`:                                "600 0 0",
				`SELECT count(*) FROM tasks WHERE attempts <> 1`:                            "0",
				`SELECT count(*) FROM products`:                                             "600",
				`SELECT count(*) > 0 FROM attempts WHERE kind = 'network'`:                  "1",
				`SELECT count(*) FROM hosts WHERE host LIKE '127.0.0.1:%'`:                  "1",
				`SELECT count(*) FROM attempts WHERE kind <> 'network'`:                     "0",
				`SELECT count(*) FROM runs WHERE ended = 'finished'`:                        "1",
				`SELECT max(n) < 6 FROM (SELECT count(*) AS n FROM attempts GROUP BY task)`: "1",
			} {
				if got := rows(t, stateOf(path), query); got[0] != want {
					t.Errorf("%s: %s, want %s", query, got[0], want)
				}
			}
			// One probe a second at the least is far from what 200 a second would be.
			if most := int64(away.Seconds()) + 3; probes < 1 || probes > most {
				t.Errorf("it was asked %d times in %v while it was away, %d at the most", probes, *away, most)
			}
			t.Logf("%d requests to find out, then %d probes in %v", before, probes, *away)
			host := strings.TrimPrefix(p.URL, "http://")
			for _, says := range []string{
				host + ` does not answer \(.+\) since \d\d:\d\d:\d\d: one try every 10 s, nothing is lost`,
				host + ` answers again, after \d+`,
			} {
				if n := len(regexp.MustCompile(says).FindAllString(c.said(), -1)); n != 1 {
					t.Errorf("it says %q %d times:\n%s", says, n, c.said())
				}
			}
		})
	}
}

func TestAnInterruptDuringAnOutageEndsTheRunAndLosesNothing(t *testing.T) {
	p := site(t, practice.Options{Products: 600})
	path, c := startOutage(t, p, 16, 4)
	interrupt(t, c, "stopping:")
	if code := c.exit(); code != 130 {
		t.Fatalf("exit %d; it said:\n%s", code, c.said())
	}
	for query, want := range map[string]string{
		`SELECT count(*) FROM tasks WHERE attempts > 0 AND state <> 'done'`: "0",
		`SELECT failed + in_flight FROM counters`:                           "0",
	} {
		if got := rows(t, stateOf(path), query); got[0] != want {
			t.Errorf("%s: %s, want %s", query, got[0], want)
		}
	}
	if err := p.SetDown(false); err != nil {
		t.Fatal(err)
	}
	dogearRun(t, 0, "run", path)
}
