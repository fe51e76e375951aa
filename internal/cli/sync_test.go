package cli_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dogear/internal/practice"
	"dogear/internal/testenv"
)

const syncQuery = `SELECT product_id, name, price, stock, category, rating FROM products ORDER BY product_id`

// dawdling answers so that a run of so many products takes some seconds.
func dawdling(t *testing.T, products int64) (*practice.Process, string) {
	p := site(t, practice.Options{Products: products, Delay: 20 * time.Millisecond})
	return p, writeJob(t, "products.yaml", practice.ProductsJob(p.URL, products, 4))
}

func TestARunWithSyncSendsItsRecordsAsTheyCome(t *testing.T) {
	_, path := dawdling(t, 1200)
	dsn, db := onServer(t)
	c := start(t, "run", path, "--sync", "mysql", "--dsn", dsn)
	for sent(db) == 0 {
		if done, err := doneIn(stateOf(path)); err == nil && done == 1200 {
			t.Fatal("the crawl is over and nothing was sent")
		}
		time.Sleep(5 * time.Millisecond)
	}
	if code := c.exit(); code != 0 || !strings.Contains(c.said(), "products: all records are in database") {
		t.Fatalf("exit %d: %s", code, c.said())
	}
	if diff := cmp.Diff(rows(t, stateOf(path), syncQuery), there(t, db, syncQuery)); diff != "" {
		t.Errorf("(-state +server):\n%s", diff)
	}
}

// The server dies while the crawl goes on and comes back when it is over: the crawl does not wait, the records are all there.
func TestAServerThatIsAwayDelaysTheRecordsNotTheCrawl(t *testing.T) {
	server := testenv.MySQL(t)
	if server.Server == nil {
		t.Skip("the server is not ours to kill")
	}
	_, path := dawdling(t, 1200)
	dsn, db := onServer(t)
	c := start(t, "run", path, "--sync", "mysql", "--dsn", dsn)
	for sent(db) == 0 {
		time.Sleep(5 * time.Millisecond)
	}
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	started := make(chan error, 1)
	go func() {
		for { // the last tasks are done without a server
			if done, err := doneIn(stateOf(path)); err == nil && done == 1200 {
				started <- server.Start()
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	code := c.exit()
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	if code != 0 || strings.Count(c.said(), "the crawl goes on") > 1 {
		t.Fatalf("exit %d: %s", code, c.said())
	}
	if diff := cmp.Diff(rows(t, stateOf(path), syncQuery), there(t, db, syncQuery)); diff != "" {
		t.Errorf("(-state +server):\n%s", diff)
	}
}

func TestWithoutAServerTheCrawlIsDoneAndTheRestIsSaid(t *testing.T) {
	t.Parallel() // it waits for a server
	p := site(t, practice.Options{Products: 30})
	path := writeJob(t, "products.yaml", practice.ProductsJob(p.URL, 30, 4))
	c := start(t, "run", path, "--sync", "mysql", "--dsn", fmt.Sprintf("u:hunter2-unseen@tcp(%s)/x", testenv.Refusing(t)))
	if code := c.exit(); code != 1 {
		t.Errorf("exit %d", code)
	}
	for _, word := range []string{"the crawl goes on", "30 done", "not all records are in database x", "dogear export mysql"} {
		if strings.Count(c.said(), word) != 1 {
			t.Errorf("it does not say %q once:\n%s", word, c.said())
		}
	}
	if strings.Contains(c.said(), "hunter2") {
		t.Error("it shows the password")
	}
	if got := rows(t, stateOf(path), `SELECT done FROM counters`); got[0] != "30" {
		t.Errorf("%s tasks are done", got)
	}
}

// What can't get better by itself is said before the first request.
func TestAWrongPasswordEndsARunWithSyncBeforeItBegins(t *testing.T) {
	p := site(t, practice.Options{Products: 30})
	path := writeJob(t, "products.yaml", practice.ProductsJob(p.URL, 30, 4))
	server := testenv.MySQL(t)
	dsn := server.DSN(t)
	address := dsn[strings.LastIndex(dsn, "@tcp("):]
	c := start(t, "run", path, "--sync", "mysql", "--dsn", "nobody:hunter2-unseen"+address)
	if code := c.exit(); code != 1 || strings.Contains(c.said(), "hunter2") || !strings.Contains(c.said(), "MYSQL_PASSWORD") {
		t.Errorf("exit %d: %s", code, c.said())
	}
	if n := len(must(p.Counts())); n != 0 {
		t.Errorf("%d URLs were asked for", n)
	}
	dogearRun(t, 2, "run", path, "--sync", "postgres")
	dogearRun(t, 2, "run", path, "--dsn", "u@tcp(h)/d")
}
