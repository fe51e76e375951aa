package cli_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"dogear/internal/practice"
)

// `just manners` runs this with 5000.
var mannersTasks = flag.Int("manners.tasks", 300, "tasks of the crawl with every fault there is")

const mannersJob = `
start: {url: "%s/v1/product/{id}", id: 1..%d}
rate: {limit: %d/s, limiter: window}
concurrency: %d
request: {timeout: 2s}
retry: {attempts: %d, delay: 30ms, max_delay: 200ms}
limits: {body: 200kB}
expect: {absent: "form#captcha"}
records:
  table: products
  key: product_id
  fields:
    product_id: {json: $.id, type: int, required: true}
    rating: {json: $.rating, type: "decimal(3,2)", required: true}
`

// One crawl meets every fault that the practice site has, a tenth of its tasks some fault, and each task comes to what
// the table says, to the attempt; the site is asked no more often than that, and in no second more than the rate.
func TestMannersWithEveryFaultAtOnce(t *testing.T) {
	p := site(t, mannersSite(*mannersTasks))
	path := writeJob(t, "products.yaml",
		fmt.Sprintf(mannersJob, p.URL, *mannersTasks, mannersRate, mannersConcurrency, mannersAttempts))
	began := time.Now()
	c := dogearRun(t, 3, "run", path)
	t.Logf("%d tasks in %v", *mannersTasks, time.Since(began).Round(time.Millisecond))
	if strings.Contains(c.said(), "does not answer") || strings.Contains(c.said(), "refuses") {
		t.Errorf("it took the site for one that is away, or refuses:\n%s", c.said())
	}
	tallies := must(p.Tallies())
	checkEndings(t, meetings(t, stateOf(path), tallies))
	checkRate(t, must(p.Stats()))
	checkSound(t, stateOf(path))
	for query, want := range map[string]string{
		`SELECT pending, in_flight FROM counters`:                              "0 0",
		`SELECT (SELECT count(*) FROM products) - (SELECT done FROM counters)`: "0",
		`SELECT count(*) FROM tasks
			WHERE state = 'done' AND id NOT IN (SELECT _task FROM products)`: "0",

		`SELECT count(*) FROM rejects`: fmt.Sprint(*mannersTasks / 25),
		`SELECT ended FROM runs`:       "finished",
	} {
		if got := rows(t, stateOf(path), query); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %v, want %s", query, got, want)
		}
	}
	dogearRun(t, 3, "verify", path)
	if n := tallies["/robots.txt"].Count; n != 1 {
		t.Errorf("robots.txt was asked for %d times", n)
	}
	failed := rows(t, stateOf(path), `SELECT kind, count(*) FROM attempts GROUP BY kind`)
	t.Logf("attempts that failed, by kind: %v", failed)
}

// meeting is what a task came to.
type meeting struct {
	id, status, attempts int
	state, kind, failed  string // failed: "2 server", its failed attempts
	asked                int
}

func (m meeting) String() string {
	return fmt.Sprintf("%s %s %d, %d attempts, failed: %s; asked for %d times",
		m.state, m.kind, m.status, m.attempts, m.failed, m.asked)
}

func meetings(t *testing.T, path string, tallies map[string]practice.Tally) []meeting {
	t.Helper()
	var all []meeting
	for _, line := range rows(t, path, `SELECT replace(substr(url, instr(url, '/v1/')), '/v1/product/', ''), state,
		coalesce(error_kind, '-'), coalesce(status, 0), attempts, coalesce((SELECT group_concat(n || '_' || kind)
			FROM (SELECT kind, count(*) AS n FROM attempts WHERE task = tasks.id GROUP BY kind ORDER BY kind)), '-')
		FROM tasks ORDER BY id`) {
		var m meeting
		if _, err := fmt.Sscan(line, &m.id, &m.state, &m.kind, &m.status, &m.attempts, &m.failed); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		m.asked = int(tallies[fmt.Sprintf("/v1/product/%d", m.id)].Count)
		all = append(all, m)
	}
	if len(all) != *mannersTasks {
		t.Errorf("%d tasks, want %d", len(all), *mannersTasks)
	}
	return all
}

// checkEndings compares each task with its ending, and shows a few of each fault that differ.
func checkEndings(t *testing.T, met []meeting) {
	t.Helper()
	differ := map[string][]string{}
	tried := map[string]map[int]int{} // fault -> attempts -> tasks, of those that have a choice
	for _, m := range met {
		e := endingOf(m.id, *mannersTasks)
		if want := e.meeting(m); m != want {
			differ[e.fault] = append(differ[e.fault], fmt.Sprintf("%d\n\t-%v\n\t+%v", m.id, want, m))
		}
		if e.more+e.fewer > 0 {
			if tried[e.fault] == nil {
				tried[e.fault] = map[int]int{}
			}
			tried[e.fault][m.attempts]++
		}
	}
	for fault, lines := range differ {
		some := strings.Join(lines[:min(3, len(lines))], "\n")
		t.Errorf("fault %q: %d tasks differ (-want +got):\n%s", fault, len(lines), some)
	}
	t.Logf("tasks by attempts, where they may differ: %v", tried)
}

// meeting is what a task must come to, given what it came to where there is a choice.
func (e ending) meeting(got meeting) meeting {
	want := meeting{id: got.id, state: e.state, kind: e.kind, status: e.status, failed: "-"}
	if e.kind == "" {
		want.kind = "-"
	}
	want.attempts = min(max(got.attempts, e.attempts-e.fewer), e.attempts+e.more)
	failed := want.attempts
	if e.state == "done" {
		failed--
	}
	switch {
	case e.throttles > 0:
		want.failed = fmt.Sprintf("%d_throttled", e.throttles)
	case failed > 0:
		want.failed = fmt.Sprintf("%d_%s", failed, e.failures)
	}
	want.asked = want.attempts + e.throttles + e.hops
	switch {
	case e.fault == "reset":
		want.asked = 2
	case e.resets(): // again on each connection of the pool, which is as large as the concurrency, and on a new one
		want.asked = min(max(got.asked, want.asked), want.attempts*(1+mannersConcurrency))
	case strings.HasPrefix(e.fault, "redirect"): // begun again where the host asked to be left alone between two hops
		want.asked = min(max(got.asked, want.asked), 2*want.asked)
	}
	return want
}

// checkRate checks that no second of the site's clock holds more requests than the rate: redirects, what was asked for
// again, and what net/http sent again by itself included.
func checkRate(t *testing.T, stats practice.Stats) {
	t.Helper()
	most := int64(0)
	for at, n := range stats.PerSecond {
		most = max(most, n)
		if n > mannersRate {
			t.Errorf("%d requests in second %d, more than %d", n, at, mannersRate)
		}
	}
	t.Logf("%d requests in %d seconds, at most %d in one, at most %d at a time",
		stats.Total, len(stats.PerSecond), most, stats.MaxInFlight)
	if stats.MaxInFlight > mannersConcurrency {
		t.Errorf("%d requests at the same time, more than %d", stats.MaxInFlight, mannersConcurrency)
	}
}
