package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dogear/internal/practice"
	"dogear/internal/testenv"
)

const extractJob = `name: shop
start: {url: "%s/page/{1..300}", as: listing}
rate: none
retry: {attempts: 1}
limits: {failures: 100%%}
pages:
  listing:
    keep: body
    records: {table: items, each: .item, key: url, fields: {url: {css: a.name@href, type: url}, title: h2, RULES}}
    follow: {css: a.name@href, as: next, match: "LINKS$"}
  next: {records: {table: nexts, fields: {url: {meta: url}}}}
`

func extractRules(site, rules, links string) string {
	return strings.NewReplacer("RULES", rules, "LINKS", links).Replace(fmt.Sprintf(extractJob, site))
}

// extracted is what the file must come to, however often the command was killed. A _seq may have been given twice.
var extracted = []string{
	`SELECT url, title, score, _task, _pos, _fetched_at FROM items ORDER BY url`,
	`SELECT task, "table", reason, raw, at FROM rejects ORDER BY task, id`,
	`SELECT id, url, page, depth, parent, state, error_kind, error, status, finished_at FROM tasks ORDER BY id`,
	`SELECT pending, in_flight, done, failed FROM counters`,
	`SELECT name, text FROM job`,
	`SELECT count(*), count(DISTINCT _seq), max(_seq) <= (SELECT seq FROM counters) FROM items`,
}

// Killed in the middle of any of its transactions, and between them, it comes to the same when it is given again.
func TestAKilledExtractComesToTheSameWhenItIsGivenAgain(t *testing.T) {
	tool := testenv.Tool(t, "strace", "strace")
	p := site(t, practice.Options{Pages: 300})
	path := writeJob(t, "shop.yaml", extractRules(p.URL, `score: {css: .score, type: int, required: true}`, "[0-1]17"))
	dogearRun(t, 3, "run", path, "--quiet")
	kept := copied(t, stateOf(path))
	text := extractRules(p.URL, `score: {css: .score, type: "decimal(3,1)"}`, "[0-3]17")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	asked := must(p.Stats()).Total
	want := afterExtract(t, path, kept, nil)
	calls := 0 // that were its last
	for _, c := range []struct {
		call string
		when []int
	}{{"pwrite64", []int{1, 60, 150}}, {"fsync", []int{2, 3}}} {
		for _, n := range c.when {
			got := afterExtract(t, path, kept, func(state string) {
				kill := fmt.Sprintf("%s:signal=SIGKILL:when=%d", c.call, n)
				if traced(t, tool, state+"-wal", kill, "extract", path, "--state", state).exit() == -1 {
					calls++
				}
				checkSound(t, copied(t, state))
			})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("killed at %s %d (-whole +killed)\n%s", c.call, n, diff)
			}
		}
	}
	if calls < 3 {
		t.Errorf("only %d of the kills came while it worked", calls)
	}
	if n := must(p.Stats()).Total; n != asked {
		t.Errorf("%d requests were made", n-asked)
	}
}

// afterExtract is what the file comes to, after something was done to it.
func afterExtract(t *testing.T, path, kept string, first func(string)) []string {
	t.Helper()
	state := filepath.Join(t.TempDir(), filepath.Base(kept))
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(kept + suffix)
		if os.IsNotExist(err) {
			continue
		}
		if err == nil {
			err = os.WriteFile(state+suffix, b, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if first != nil {
		first(state)
	}
	dogearRun(t, 0, "extract", path, "--state", state)
	checkSound(t, state)
	var all []string
	for _, query := range extracted {
		all = append(all, rows(t, state, query)...)
	}
	return all
}
