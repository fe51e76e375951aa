package crawl_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"dogear/crawl"
	"dogear/crawl/job"
	"dogear/internal/practice"
)

func TestMain(m *testing.M) {
	practice.ChildMain()
	goleak.VerifyTestMain(m)
}

// bench is a job, its state file and a practice site to run it against.
type bench struct {
	*testing.T
	site *practice.Server
	path string // of the state file
	job  *job.Job
}

// newBench writes the job with SITE replaced by the site's URL.
func newBench(t *testing.T, o practice.Options, text string) *bench {
	t.Helper()
	site, err := practice.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(site.Close)
	b := &bench{T: t, site: site, path: filepath.Join(t.TempDir(), "job.db")}
	b.edit(text)
	return b
}

// edit changes the job file between two runs.
func (b *bench) edit(text string) {
	b.Helper()
	path := filepath.Join(filepath.Dir(b.path), "job.yaml")
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "SITE", b.site.URL)), 0o644); err != nil {
		b.Fatal(err)
	}
	var err error
	if b.job, err = job.Load(path); err != nil {
		b.Fatal(err)
	}
}

// run runs the job to its end and wants it to end like this.
func (b *bench) run(ended string, o crawl.Options) *crawl.Summary {
	b.Helper()
	return b.runUntil(context.Background(), ended, o)
}

func (b *bench) runUntil(ctx context.Context, ended string, o crawl.Options) *crawl.Summary {
	b.Helper()
	o.Job, o.Path, o.Version = b.job, b.path, "test"
	s, err := crawl.Run(ctx, context.WithoutCancel(ctx), o)
	if err != nil {
		b.Fatal(err)
	}
	if s.Ended != ended {
		b.Fatalf("the run ended %q, want %q: %+v", s.Ended, ended, s.Counts)
	}
	return s
}

// want compares the one row that a query gives.
func (b *bench) want(want, query string) {
	b.Helper()
	if got := b.row(query); got != want {
		b.Errorf("%s\n  gives %q, want %q", query, got, want)
	}
}

func (b *bench) open() *sql.DB {
	b.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(b.path)+"?_pragma=busy_timeout(10000)")
	if err != nil {
		b.Fatal(err)
	}
	return db
}

// exec does something to the state file that a user might.
func (b *bench) exec(statement string) {
	db := b.open()
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		b.Errorf("%s: %v", statement, err)
	}
}

func (b *bench) row(query string) string {
	b.Helper()
	db := b.open()
	defer db.Close()
	rows, err := db.Query(query)
	if err != nil {
		b.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		b.Fatal(err)
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	if !rows.Next() {
		b.Fatalf("%s: no row: %v", query, rows.Err())
	}
	if err := rows.Scan(into...); err != nil {
		b.Fatal(err)
	}
	return strings.TrimSuffix(fmt.Sprintln(values...), "\n")
}

// whenCommitted returns a Watch that calls f once as soon as the numbers of a commit say so. Stop it after the run.
func whenCommitted(t *testing.T, says func(crawl.Committed) bool, f func()) func(*crawl.Progress) {
	over := make(chan struct{})
	ended := make(chan struct{})
	close(ended)
	t.Cleanup(func() { close(over); <-ended })
	return func(p *crawl.Progress) {
		ended = make(chan struct{})
		go func(ended chan struct{}) {
			defer close(ended)
			for !says(p.Last()) {
				select {
				case <-over:
					return
				case <-time.After(time.Millisecond):
				}
			}
			f()
		}(ended)
	}
}

func replace(text, old, new string) string { return strings.ReplaceAll(text, old, new) }
