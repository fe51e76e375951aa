package real

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"dogear/crawl"
	"dogear/crawl/fetch"
	"dogear/crawl/job"
)

const variable = "DOGEAR_REAL"

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "dogear-real-")
	if err == nil {
		err = makeCertificate(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(dir)
		os.Exit(code)
	}))
}

// onDemand skips a test that was not asked for.
func onDemand(t *testing.T) {
	t.Helper()
	if os.Getenv(variable) != "1" {
		t.Skipf("it needs servers that take minutes to install, so it runs only with %s=1 (just real)", variable)
	}
}

// client is the crawl's, with waits that no test waits for.
func client(t *testing.T, o fetch.Options) *fetch.Client {
	t.Helper()
	if o.Timeout == 0 {
		o.Timeout = 20 * time.Second
	}
	o.Delay, o.MaxDelay = 10*time.Millisecond, 100*time.Millisecond
	c, err := fetch.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func ask(c *fetch.Client, r fetch.Request) fetch.Result {
	return c.Do(context.Background(), context.Background(), r)
}

// page asks for a URL and wants an answer that is good at the first attempt.
func page(t *testing.T, c *fetch.Client, url string) *fetch.Page {
	t.Helper()
	result := ask(c, fetch.Request{URL: url})
	if result.Page == nil || len(result.Failed) > 0 {
		t.Fatalf("%s: %+v, %v", url, result, result.Failure)
	}
	return result.Page
}

// crawled is the state file of a job that ran, and what it said.
type crawled struct {
	*testing.T
	job  *job.Job
	path string
	mu   sync.Mutex
	said []string
}

func newCrawl(t *testing.T, text string) *crawled {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "real.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	j, err := job.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return &crawled{T: t, job: j, path: filepath.Join(dir, "real.db")}
}

// run runs the job to its end, two minutes at the most. watch is called with the number of done tasks every now and
// then.
func (c *crawled) run(watch func(done int64)) *crawl.Summary {
	c.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	o := crawl.Options{Job: c.job, Path: c.path, Version: "test", Warn: c.warn}
	watching := make(chan struct{})
	over := make(chan struct{})
	close(watching)
	if watch != nil {
		o.Watch = func(p *crawl.Progress) {
			watching = make(chan struct{})
			go func(ended chan struct{}) {
				defer close(ended)
				for {
					select {
					case <-over:
						return
					case <-time.After(5 * time.Millisecond):
						watch(p.Last().Counts.Done)
					}
				}
			}(watching)
		}
	}
	s, err := crawl.Run(ctx, ctx, o)
	close(over)
	<-watching
	if err != nil || s.Ended != "finished" {
		c.Fatalf("ended %+v, %v; said:\n%s", s, err, strings.Join(c.said, "\n"))
	}
	return s
}

func (c *crawled) warn(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.said = append(c.said, text)
}

func (c *crawled) hasSaid(text string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strings.Contains(strings.Join(c.said, "\n"), text)
}

// want compares the one row of a query.
func (c *crawled) want(want, query string) {
	c.Helper()
	db, err := sql.Open("sqlite", "file:"+c.path)
	if err != nil {
		c.Fatal(err)
	}
	defer db.Close()
	var got string
	if err := db.QueryRow(query).Scan(&got); err != nil || got != want {
		c.Errorf("%s\n  gives %q, want %q, %v", query, got, want, err)
	}
}
