package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dogear/internal/practice"
)

// The examples are what a user copies: each is run as it stands, but for its host and the size of the site.
const (
	examplesDir      = "../../testdata/jobs"
	examplesPages    = 4
	examplesItems    = examplesPages * practice.PageItems
	examplesProducts = 60
	examplesEvents   = 90
)

// example is what there is to know of a job file in examplesDir.
type example struct {
	large, small string   // what it says of a large site, and what of this one; "": nothing
	beside       []string // files that it reads
	// hangs is a page that its run comes to late, for the test that kills it there; "": no such test.
	hangs string
	// tables are the records that it must bring home, by table: a line for each, in any order.
	tables map[string]func(site string) []string
}

var exampleHost = regexp.MustCompile(`https://[a-z]+\.example(\.com)?`)

// placed writes the example and what it reads into a new folder, with the site in the place of its host.
func (e *example) placed(t *testing.T, name, site string) string {
	t.Helper()
	text := string(must(os.ReadFile(filepath.Join(examplesDir, name+".yaml"))))
	if !exampleHost.MatchString(text) || !strings.Contains(text, e.large) {
		t.Fatalf("no host of the kind %s, or no %q in\n%s", exampleHost, e.large, text)
	}
	text = strings.Replace(exampleHost.ReplaceAllLiteralString(text, site), e.large, e.small, 1)
	path := writeJob(t, name+".yaml", text)
	for _, file := range e.beside {
		b := must(os.ReadFile(filepath.Join(examplesDir, file)))
		if err := os.WriteFile(filepath.Join(filepath.Dir(path), file), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// exampleTables returns all record tables of a state file, whole: every column of every record.
func exampleTables(t *testing.T, path string) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, table := range rows(t, path, `SELECT m.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c
		WHERE m.type = 'table' AND c.name = '_seq'`) {
		var columns []string
		for _, name := range rows(t, path, `SELECT name FROM pragma_table_info(?) WHERE substr(name, 1, 1) <> '_'`, table) {
			if name == "update_time" { // it says nothing of the page
				name = "CASE update_time WHEN _fetched_at THEN 'when fetched' END"
			}
			columns = append(columns, name)
		}
		all[table] = sorted(rows(t, path, "SELECT "+strings.Join(columns, ", ")+" FROM "+table))
	}
	return all
}

func sorted(lines []string) []string {
	slices.Sort(lines)
	return lines
}

func (e *example) check(t *testing.T, path, site string) {
	t.Helper()
	want := map[string][]string{}
	for table, records := range e.tables {
		want[table] = sorted(records(site))
	}
	if diff := cmp.Diff(want, exampleTables(t, stateOf(path))); diff != "" {
		t.Errorf("records (-of the site +brought home):\n%s", diff)
	}
}

func TestEveryExampleHasACase(t *testing.T) {
	files := must(filepath.Glob(examplesDir + "/*"))
	for _, file := range files {
		name := filepath.Base(file)
		stem, isJob := strings.CutSuffix(name, ".yaml")
		if _, known := examples[stem]; isJob && !known {
			t.Errorf("%s is no case of this test", name)
		}
		read := func(e example) bool { return slices.Contains(e.beside, name) }
		if !isJob && !slices.ContainsFunc(exampleCases(), read) {
			t.Errorf("%s is read by no example", name)
		}
	}
	if len(files) < len(examples) {
		t.Errorf("%d examples, %d files", len(examples), len(files))
	}
}

func exampleCases() (all []example) {
	for _, e := range examples {
		all = append(all, e)
	}
	return all
}

func TestEveryExampleBringsHomeAllThatTheSiteHas(t *testing.T) {
	t.Setenv("API_KEY", "k3y")
	p := site(t, practice.Options{Pages: examplesPages, Products: examplesProducts, Events: examplesEvents})
	for name, e := range examples {
		t.Run(name, func(t *testing.T) {
			path := e.placed(t, name, p.URL)
			checkTried(t, path)
			dogearRun(t, 0, "run", path, "--rate", "none")
			if said := dogearRun(t, 0, "verify", path).said(); !strings.Contains(said, name+": complete") {
				t.Errorf("verify says:\n%s", said)
			}
			e.check(t, path, p.URL)
			checkFieldCounts(t, path)
			for _, first := range rows(t, stateOf(path), `SELECT page, url FROM tasks
				WHERE id IN (SELECT min(id) FROM tasks WHERE method = 'GET' GROUP BY page)`) {
				page, url, _ := strings.Cut(first, " http")
				checkTried(t, path, "http"+url, "--as", page)
			}
		})
	}
}

// noFault is what try says of a field that only a link can fill, or that is empty on this page: in a shuffled range any
// product may be the first, and some have no rating.
var noFault = regexp.MustCompile("(?m)^  ! .*(: `meta: carry\\.|` is null; the default).*\n")

// checkTried checks that every rule finds something on a page.
func checkTried(t *testing.T, path string, args ...string) {
	t.Helper()
	said := dogearRun(t, 0, append([]string{"try", path}, args...)...).said()
	if strings.Contains(noFault.ReplaceAllString(said, ""), "\n  ! ") {
		t.Errorf("a rule of %s finds nothing:\n%s", filepath.Base(path), said)
	}
}

// checkFieldCounts holds what status says of the fields against the records: nothing rejected, and as many empty.
func checkFieldCounts(t *testing.T, path string) {
	t.Helper()
	var status struct {
		Fields []struct {
			Table, Field                       string
			Filled, Defaulted, Empty, Rejected int
		}
	}
	if err := json.Unmarshal([]byte(dogearRun(t, 0, "status", "--json", path).said()), &status); err != nil {
		t.Fatal(err)
	}
	for _, f := range status.Fields {
		got := fmt.Sprint(f.Filled+f.Defaulted, f.Empty, f.Rejected)
		want := rows(t, stateOf(path), "SELECT count("+f.Field+"), count(*) - count("+f.Field+"), 0 FROM "+f.Table)
		if got != want[0] || f.Filled == 0 {
			t.Errorf("%s.%s: status counts %s, there are %s", f.Table, f.Field, got, want[0])
		}
	}
	if len(status.Fields) == 0 {
		t.Error("status counts no fields")
	}
}

// One answer of each hangs, so that the run is in its middle for as long as it takes to kill it.
func TestAnExampleThatIsKilledInItsMiddleEndsTheSame(t *testing.T) {
	t.Setenv("API_KEY", "k3y")
	p := site(t, practice.Options{Pages: examplesPages, Products: examplesProducts, Events: examplesEvents})
	for name, e := range examples {
		if e.hangs == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			renewed(t, p, []practice.Fault{{Path: e.hangs, Script: "stall"}})
			path := e.placed(t, name, p.URL)
			c := start(t, "run", path, "--rate", "none")
			killOnce(t, c, stateOf(path), 2)
			left := copied(t, stateOf(path))
			checkSound(t, left)
			asked := askedFor(t, p, left, "done")
			if code := c.exit(); code != -1 || len(asked) < 2 {
				t.Errorf("exit %d with %d tasks done", code, len(asked))
			}
			if err := p.ClearFaults(); err != nil { // it may not have come that far
				t.Fatal(err)
			}
			dogearRun(t, 0, "run", path, "--rate", "none")
			dogearRun(t, 0, "verify", path)
			e.check(t, path, p.URL)
			checkNotAskedAgain(t, p, asked)
			if must(p.Counts())[e.hangs] == 0 {
				t.Errorf("%s is no page of it, so its run might have ended before the kill", e.hangs)
			}
		})
	}
}
