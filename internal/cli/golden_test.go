package cli_test

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dogear/internal/practice"
	"dogear/schema"
)

// Golden state files, one for every schema version: of a run of golden.yaml that was killed with two requests in flight,
// one task put off, and failures, retries, rejects, links and records of every sort behind it. -update makes the one of
// this version, if it is absent; those of released versions are never made again.
var updateGolden = flag.Bool("update", false, "make the golden state file of this schema version if it is absent")

const (
	goldenFolder = "../../testdata/state"
	goldenSite   = "http://127.0.0.1:1" // in the place of the practice site's address
)

func goldenPath(version int) string {
	return filepath.Join(goldenFolder, fmt.Sprintf("v%d.db", version))
}

func goldenPractice(t *testing.T) *practice.Process {
	return site(t, practice.Options{Products: 38, Pages: 3, Faults: []practice.Fault{
		{Path: "/v1/product/3", Script: "500"}, {Path: "/v1/product/5", Script: "500*"},
	}})
}

func TestAStateFileOfEveryVersionIsReadAndCarriedOn(t *testing.T) {
	p := goldenPractice(t)
	whole := goldenJob(t, p.URL)
	dogearRun(t, 3, "run", whole)
	last := len(schema.Migrations())
	if *updateGolden {
		makeGolden(t, goldenPath(last))
	}
	for version := 1; version <= last; version++ {
		t.Run(fmt.Sprint("v", version), func(t *testing.T) {
			job := goldenJob(t, p.URL)
			takeGolden(t, version, stateOf(job), p.URL)
			before := rows(t, stateOf(job), `SELECT url FROM tasks WHERE state IN ('done', 'failed')`)
			for _, args := range [][]string{{"status", job}, {"failures", job}, {"export", "csv", "--table", "products", job}} {
				dogearRun(t, 0, args...)
			}
			if got := rows(t, stateOf(job), `PRAGMA user_version`); got[0] != fmt.Sprint(version) {
				t.Errorf("reading made version %d into %s", version, got[0])
			}
			reset(t, p)
			dogearRun(t, 3, "run", job)
			sameCrawl(t, whole, job)
			counts := must(p.Counts())
			for _, url := range before {
				if n := counts[strings.TrimPrefix(url, p.URL)]; n > 0 {
					t.Errorf("%s was done and was asked for again", url)
				}
			}
		})
	}
}

func reset(t *testing.T, p *practice.Process) {
	t.Helper()
	if err := p.Reset(); err != nil {
		t.Fatal(err)
	}
}

// sameCrawl compares what two finished runs of the golden job have.
func sameCrawl(t *testing.T, whole, job string) {
	t.Helper()
	for _, q := range []string{
		`SELECT t.url, t.page, t.method, t.key, t.depth, p.url, t.state, t.attempts, t.status, t.error_kind, t.error, t.bytes
			FROM tasks t LEFT JOIN tasks p ON p.id = t.parent ORDER BY t.url`,
		`SELECT product_id, name, price, rating FROM products ORDER BY 1`,
		`SELECT title, url FROM details ORDER BY 2`,
		`SELECT t.url, attempt, a.status, kind, a.error FROM attempts a JOIN tasks t ON t.id = a.task
			WHERE kind <> 'throttled' ORDER BY 1, 2`, // the whole run was not throttled
		`SELECT t.url, "table", reason, raw FROM rejects r JOIN tasks t ON t.id = r.task ORDER BY 1`,
		`SELECT pending, in_flight, done, failed FROM counters`,
		`SELECT total, pending, in_flight, done, failed, percent, eta_s FROM progress`,
		`SELECT kind, status, tasks FROM failures ORDER BY 1, 2`,
		`PRAGMA user_version`, `PRAGMA integrity_check`,
	} {
		if diff := cmp.Diff(rows(t, stateOf(whole), q), rows(t, stateOf(job), q)); diff != "" {
			t.Errorf("%s (-whole +carried on):\n%s", q, diff)
		}
	}
}

// goldenJob writes the job file for a practice site.
func goldenJob(t *testing.T, url string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(goldenFolder, "golden.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return writeJob(t, "golden.yaml", strings.ReplaceAll(string(text), goldenSite, url))
}

// takeGolden copies a golden file and moves it to a practice site.
func takeGolden(t *testing.T, version int, path, url string) {
	t.Helper()
	b, err := os.ReadFile(goldenPath(version))
	if err != nil {
		t.Fatalf("no golden state file of schema version %d: %v", version, err)
	}
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	relocate(t, path, goldenSite, url)
}

// relocate puts one address in the place of another, wherever a state file has it.
func relocate(t *testing.T, path, from, to string) {
	t.Helper()
	columns := rows(t, path, `SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' AND c.type = 'TEXT'`)
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	exec := func(q string, args ...any) {
		if _, err := db.Exec(q, args...); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	for _, line := range columns {
		table, column, _ := strings.Cut(line, " ")
		exec(fmt.Sprintf(`UPDATE %q SET %[2]q = replace(%[2]q, ?1, ?2) WHERE instr(%[2]q, ?1)`, table, column), from, to)
	}
	exec(`UPDATE tasks SET not_before = 0`)
	var text string
	if err := db.QueryRow(`SELECT text FROM job`).Scan(&text); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(text))
	exec(`UPDATE job SET hash = ?`, hex.EncodeToString(sum[:]))
	exec(`VACUUM`) // or the old address stands in what was freed
}

// makeGolden makes the golden state file of this version with a run that is killed.
func makeGolden(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Stat(path); err == nil {
		return
	}
	p := goldenPractice(t)
	for _, f := range []practice.Fault{
		{Path: "/v1/product/33", Script: "stall:1h"}, {Path: "/detail/21", Script: "stall:1h"},
		{Path: "/detail/30", Script: "429:600"}, // the last one: the host is left alone from then on
	} {
		if err := p.SetFault(f); err != nil {
			t.Fatal(err)
		}
	}
	job := goldenJob(t, p.URL)
	c := start(t, "run", job, "--quiet")
	whenDone(t, c, stateOf(job), 63)
	c.Process.Kill()
	c.exit()
	relocate(t, stateOf(job), p.URL, goldenSite)
	b, err := os.ReadFile(stateOf(job))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
}
