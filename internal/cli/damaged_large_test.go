package cli_test

import (
	"database/sql"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A large file is not checked at every opening. What verify says of it has to come true.
func TestWhatVerifyFindsDamagedTheNextRunSetsAside(t *testing.T) {
	p := goldenPractice(t)
	job := goldenJob(t, p.URL)
	dogearRun(t, 3, "run", job, "--quiet")
	enlarge(t, stateOf(job))
	root, err := strconv.Atoi(rows(t, stateOf(job), `SELECT rootpage FROM sqlite_schema WHERE name = 'products'`)[0])
	if err != nil {
		t.Fatal(err)
	}
	harm(t, stateOf(job), zeroPage(root))
	if said := dogearRun(t, 1, "verify", job).said(); !strings.Contains(said, "`dogear run` sets it aside") {
		t.Errorf("verify says %s", said)
	}
	if said := dogearRun(t, 3, "run", job, "--quiet").said(); !strings.Contains(said, "set aside") {
		t.Errorf("run says %s", said)
	}
	dogearRun(t, 3, "verify", job)
	if got := rows(t, stateOf(job), `SELECT count(*) FROM products`); got[0] == "0" {
		t.Error("it has no products")
	}
}

// enlarge makes a state file larger than what is checked at every opening.
func enlarge(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`CREATE TABLE pad (b BLOB); INSERT INTO pad VALUES (zeroblob(70000000))`); err != nil {
		t.Fatal(err)
	}
}
