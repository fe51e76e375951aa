package bench

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	_ "modernc.org/sqlite"
)

// productsJob is the job of the id range, as the design has it, at full speed.
const productsJob = `name: products
start: {url: "%s/v1/product/{id}", id: 1..%d, order: shuffle}
request: {headers: {Authorization: "Bearer ${API_KEY:-none}"}, timeout: 30s}
rate: none
concurrency: %d
retry: {attempts: 4, delay: 1s, max_delay: 1m}
records:
  table: products
  key: product_id
  fields:
    product_id:  {json: $.id, type: int, required: true}
    name:        {json: $.name, type: text, max: 255, remove: "[<>]", required: true}
    price:       {json: $.price, type: "decimal(10,2)", default: 0}
    stock:       {json: $.stock, type: int, default: 0}
    category:    {json: $.category, max: 100}
    rating:      {json: $.rating, type: "decimal(3,2)", min: 0, max: 5, clamp: true, default: 0}
    update_time: {meta: fetched_at, type: datetime}
`

const exitInterrupted = 130

// work is what both have to do.
type work struct {
	url     string // of the site
	tasks   int64
	workers int
	cpu     int
}

// byDogear does the work with dogear, to its end, and checks that every product is there.
func (w work) byDogear(tb testing.TB) usage {
	tb.Helper()
	path := w.writeJob(tb)
	u := process{role: dogearRole, args: []string{"run", path, "--quiet"}, cpu: w.cpu}.run(tb)
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
	if err := os.WriteFile(path, fmt.Appendf(nil, productsJob, w.url, w.tasks, w.workers), 0o644); err != nil {
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
