package state_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"dogear/schema"
	"dogear/state"
)

// A scan is cheap only where it reads an index that holds just the rows of one state, or the newest rows first with a
// LIMIT. Any other reads every task there ever was.
var (
	wholeScan = regexp.MustCompile(`SCAN (tasks|t|products|rejects|attempts)\b`)
	narrow    = regexp.MustCompile(`USING (COVERING )?INDEX tasks_(pending|in_flight|failed)\b`)
)

// scrapy #1178, crawlee #1845, #2406: with millions of tasks behind it, a crawl could not be resumed any more.
func TestNoQueryOfARunOrAWatcherScansTheTasks(t *testing.T) {
	f, table := newFile(t), productsTable(t)
	o := f.with()
	o.Tables = []*schema.Table{table}
	f.open(o)
	queries := state.Queries(table)
	queries["view progress"] = `SELECT * FROM progress`
	queries["view failures"] = `SELECT * FROM failures`
	queries["view recent"] = `SELECT * FROM recent`
	delete(queries, "latest records") // a scan that ends at its LIMIT: see watch_test.go
	queries["last runs"] = `SELECT * FROM runs ORDER BY id DESC LIMIT 5`
	for name, query := range queries {
		plan := f.plan(query)
		t.Logf("%s:\n%s", name, plan)
		for line := range strings.Lines(plan) {
			if wholeScan.MatchString(line) && !narrow.MatchString(line) {
				t.Errorf("%s scans: %s", name, line)
			}
		}
	}
}

func TestTheQueriesThatEveryCommitRunsUseTheirIndexAndSortNothing(t *testing.T) {
	f, table := newFile(t), productsTable(t)
	o := f.with()
	o.Tables = []*schema.Table{table}
	f.open(o)
	queries := state.Queries(table)
	for name, step := range map[string]string{
		"claim":                   "SEARCH tasks USING COVERING INDEX tasks_pending (not_before<?)",
		"next due":                "SEARCH tasks USING COVERING INDEX tasks_pending",
		"done":                    "SEARCH tasks USING INTEGER PRIMARY KEY (rowid=?)",
		"fail":                    "SEARCH tasks USING INTEGER PRIMARY KEY (rowid=?)",
		"put off":                 "SEARCH tasks USING INTEGER PRIMARY KEY (rowid=?)",
		"put back":                "INDEX tasks_in_flight",
		"retry of a kind":         "SEARCH tasks USING COVERING INDEX tasks_failed (error_kind=?)",
		"records since":           "SEARCH products USING INTEGER PRIMARY KEY (rowid>?)",
		"drop old rejects":        "SEARCH rejects USING INDEX rejects_task (task=?)",
		"urls of pending tasks":   "USING INDEX tasks_pending",
		"urls of tasks in flight": "USING INDEX tasks_in_flight",
		"is it known":             "SEARCH tasks USING INDEX sqlite_autoindex_tasks_1 (key=?)",
		"kept pages":              "SEARCH b USING INTEGER PRIMARY KEY (rowid>?)",
		"drop a kept page":        "SEARCH page_bodies USING INTEGER PRIMARY KEY (rowid=?)",
		"rejects of a task":       "SEARCH rejects USING INDEX rejects_task (task=?)",
		"drop old ticks":          "SEARCH ticks USING INTEGER PRIMARY KEY (rowid<?)",
	} {
		plan := f.plan(queries[name])
		if !strings.Contains(plan, step) {
			t.Errorf("%s does not use %q:\n%s", name, step, plan)
		}
		if strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("%s sorts:\n%s", name, plan)
		}
	}
}

var parameter = regexp.MustCompile(`\?(\d*)`)

// plan is how SQLite would run a query, a step a line.
func (f *file) plan(query string) string {
	f.Helper()
	last := 0 // a bare ? is the number after the highest so far
	for _, p := range parameter.FindAllStringSubmatch(query, -1) {
		if n, err := strconv.Atoi(p[1]); err == nil {
			last = max(last, n)
		} else {
			last++
		}
	}
	var steps []string
	for line := range strings.Lines(f.ask(`EXPLAIN QUERY PLAN `+query, make([]any, last)...)) {
		steps = append(steps, strings.TrimSpace(line[strings.LastIndex(line, "|")+1:]))
	}
	return strings.Join(steps, "\n")
}
