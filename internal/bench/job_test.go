package bench

import (
	"database/sql"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"dogear/internal/practice"
)

const exitInterrupted = 130

// work is what both have to do.
type work struct {
	url     string // of the site
	tasks   int64
	workers int
	cpu     int
	flags   []string // of dogear run, besides --quiet
}

// byDogear does the work with dogear, to its end, and checks that every product is there.
func (w work) byDogear(tb testing.TB) usage {
	tb.Helper()
	path := w.writeJob(tb)
	u := process{role: dogearRole, args: append([]string{"run", path, "--quiet"}, w.flags...), cpu: w.cpu}.run(tb)
	if products, done := w.kept(tb, path); products != w.tasks || done != w.tasks {
		tb.Fatalf("dogear kept %d products of %d tasks done, want %d", products, done, w.tasks)
	}
	return u
}

// byDogearFor is dogear interrupted after a time, and how many products it had kept by then.
func (w work) byDogearFor(tb testing.TB, d time.Duration) (usage, int64) {
	tb.Helper()
	path := w.writeJob(tb)
	u := process{role: dogearRole, args: []string{"run", path, "--quiet"}, cpu: w.cpu, after: d, want: exitInterrupted}.run(tb)
	products, done := w.kept(tb, path)
	if products != done || products == 0 {
		tb.Fatalf("dogear kept %d products of %d tasks done", products, done)
	}
	return u, products
}

// byLoop does the work with the bare loop, which checks by itself that it fetched everything.
func (w work) byLoop(tb testing.TB) usage {
	tb.Helper()
	args := []string{w.url, strconv.FormatInt(w.tasks, 10), strconv.Itoa(w.workers)}
	return process{role: loopRole, args: args, cpu: w.cpu}.run(tb)
}

// writeJob writes the job file into a new folder and returns its path.
func (w work) writeJob(tb testing.TB) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "products.yaml")
	if err := os.WriteFile(path, []byte(practice.ProductsJob(w.url, w.tasks, w.workers)), 0o644); err != nil {
		tb.Fatal(err)
	}
	return path
}

// kept counts the different products in the state file of a job, and the tasks done.
func (w work) kept(tb testing.TB, jobPath string) (products, done int64) {
	tb.Helper()
	path := filepath.ToSlash(filepath.Join(filepath.Dir(jobPath), "products.db"))
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=query_only(1)")
	if err != nil {
		tb.Fatal(err)
	}
	defer db.Close()
	row := db.QueryRow(`SELECT (SELECT count(DISTINCT product_id) FROM products), (SELECT count(*) FROM tasks WHERE state = 'done')`)
	if err := row.Scan(&products, &done); err != nil {
		tb.Fatal(err)
	}
	return products, done
}
