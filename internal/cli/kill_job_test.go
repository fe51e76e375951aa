package cli_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dogear/internal/practice"
)

// mixedJob has all that a commit can land: records of a range and of a walk, links, retries and failures.
const mixedJob = `name: mixed
start:
  - {url: "%[1]s/v1/product/{id}", id: 1..%[2]d, as: product}
  - {url: "%[1]s/page/1", as: listing}
rate: none
concurrency: %[3]d
retry: {attempts: 3, delay: 5ms, max_delay: 50ms}
pages:
  product:
    records:
      table: products
      key: product_id
      fields:
        product_id: {json: $.id, type: int, required: true}
        name:       {json: $.name, remove: "[<>]", required: true}
        price:      {json: $.price, type: "decimal(10,2)"}
        stock:      {json: $.stock, type: int}
  listing:
    follow:
      - {css: a.name@href, as: detail}
      - {css: a.next@href, as: listing}
  detail:
    records: {table: details, key: url, fields: {url: {meta: url, type: url}, title: {css: h1, required: true}, price: {css: .price, type: "decimal(10,2)"}}}
`

// mixedFaults fail some tasks for ever (exit 3), and others once.
var mixedFaults = []practice.Fault{
	{Path: "/v1/product/*", Script: "404*", Every: 45}, {Path: "/v1/product/*", Script: "500*", Every: 52},
	{Path: "/v1/product/*", Script: "500", Every: 7},
	{Path: "/detail/*", Script: "404*", Every: 11}, {Path: "/detail/*", Script: "500*", Every: 17},
	{Path: "/detail/*", Script: "cut", Every: 5},
}

// renewed makes the site as new: nothing was asked, each fault has its whole script before it.
func renewed(t *testing.T, p *practice.Process, faults []practice.Fault) {
	t.Helper()
	err := errors.Join(p.ClearFaults(), p.Reset())
	for _, f := range faults {
		err = errors.Join(err, p.SetFault(f))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// outcome is all of a state file that must not depend on kills. How often a task that is done was tried is no part of
// it: what the site failed once it may have failed for an attempt that no commit covered. What it says must add up,
// though: one attempt more than the failed ones that are kept. The attempts of a task that failed are compared one by
// one: an attempt that no commit covered was made again.
var outcome = map[string]string{
	"tasks": `SELECT t.url, t.page, t.depth, coalesce(p.url, '-'), t.state, t.status, t.error_kind, t.error,
			CASE t.state WHEN 'failed' THEN t.attempts END
		FROM tasks AS t LEFT JOIN tasks AS p ON p.id = t.parent ORDER BY t.url`,
	"attempts": `SELECT url, attempt, a.status, kind, a.error FROM attempts AS a JOIN tasks AS t ON t.id = a.task
		WHERE state = 'failed' ORDER BY url, attempt`,
	"done with attempts that do not add up": `SELECT url, attempts FROM tasks AS t
		WHERE state = 'done' AND attempts <> 1 + (SELECT count(*) FROM attempts AS a WHERE a.task = t.id)`,
	"starts":   `SELECT entry, cursor, total, active FROM starts ORDER BY entry`,
	"rejects":  `SELECT url, "table", reason FROM rejects AS r JOIN tasks AS t ON t.id = r.task ORDER BY url, reason`,
	"run":      `SELECT ended FROM runs ORDER BY id DESC LIMIT 1`,
	"products": `SELECT product_id, name, price, stock FROM products ORDER BY product_id`,
	"details":  `SELECT url, title, price FROM details ORDER BY url`,
}

func outcomeOf(t *testing.T, path string) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for name, query := range outcome {
		found[name] = rows(t, path, query)
	}
	return found
}

// checkSame compares the outcome of a run that was killed with that of one that was not; but says what is left out.
func checkSame(t *testing.T, whole, killed map[string][]string, but ...string) {
	t.Helper()
	for name := range whole {
		if slices.Contains(but, name) {
			continue
		}
		if diff := cmp.Diff(whole[name], killed[name]); diff != "" {
			t.Errorf("%s differ from an uninterrupted run's (-whole +killed):\n%s", name, diff)
		}
	}
}

// checkSound checks what holds of a state file at any moment.
func checkSound(t *testing.T, path string) {
	t.Helper()
	if got := rows(t, path, `PRAGMA integrity_check`); !slices.Equal(got, []string{"ok"}) {
		t.Errorf("integrity: %q", got)
	}
	want := rows(t, path, `SELECT coalesce(sum(state = 'pending'), 0), coalesce(sum(state = 'in-flight'), 0),
		coalesce(sum(state = 'done'), 0), coalesce(sum(state = 'failed'), 0) FROM tasks`)
	if diff := cmp.Diff(want, rows(t, path, `SELECT pending, in_flight, done, failed FROM counters`)); diff != "" {
		t.Errorf("counters differ from the rows (-rows +counters):\n%s", diff)
	}
}

// copied copies what a process left of a state file and returns the path of the copy. To look into the file itself would
// recover it, and dogear could not show any more that it does.
func copied(t *testing.T, path string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), filepath.Base(path))
	for _, suffix := range []string{"", "-wal", "-journal"} {
		b, err := os.ReadFile(path + suffix)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err = errors.Join(err, os.WriteFile(to+suffix, b, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// askedFor returns, for each task in one of the states, how often the site was asked for it.
func askedFor(t *testing.T, p *practice.Process, path string, states ...string) map[string]int64 {
	t.Helper()
	settled(t, p)
	counts, asked := must(p.Counts()), map[string]int64{}
	for _, url := range rows(t, path, `SELECT url FROM tasks WHERE instr(?, state)`, strings.Join(states, " ")) {
		uri := strings.TrimPrefix(url, p.URL)
		asked[uri] = counts[uri]
	}
	return asked
}

// checkNotAskedAgain checks that the site was not asked again for what askedFor found.
func checkNotAskedAgain(t *testing.T, p *practice.Process, asked map[string]int64) {
	t.Helper()
	counts := must(p.Counts())
	for uri, n := range asked {
		if counts[uri] != n {
			t.Errorf("%s was finished and was asked for again: %d times, then %d", uri, n, counts[uri])
		}
	}
}
