package cli_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	_ "modernc.org/sqlite"

	"dogear/internal/practice"
)

// site starts the practice site in a process of its own, so that it outlives the crawlers that are killed.
func site(t *testing.T, o practice.Options) *practice.Process {
	t.Helper()
	p, err := practice.StartProcess(context.Background(), o, -1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("close practice site: %v", err)
		}
	})
	return p
}

// crawler is a real dogear process.
type crawler struct {
	*exec.Cmd
	ended sync.Once
	mu    sync.Mutex
	err   bytes.Buffer
}

// start starts `dogear args...`; what it prints is shown when the test fails.
func start(t *testing.T, args ...string) *crawler {
	t.Helper()
	c := command(t, args...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

func command(t *testing.T, args ...string) *crawler {
	t.Helper()
	c := &crawler{Cmd: exec.Command(program(t), args...)}
	c.Env = append(os.Environ(), beDogear+"=1")
	c.Stdout, c.Stderr = c, c
	t.Cleanup(func() {
		if c.Process != nil {
			c.Process.Kill()
			c.wait()
		}
	})
	return c
}

// Write keeps what the process prints.
func (c *crawler) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err.Write(b)
}

func (c *crawler) said() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err.String()
}

// wait waits for the process; any number of goroutines may.
func (c *crawler) wait() {
	c.ended.Do(func() { c.Wait() }) // its error is the exit code
}

// exit waits for the process and returns its exit code; -1: a signal ended it.
func (c *crawler) exit() int {
	c.wait()
	return c.ProcessState.ExitCode()
}

// dogearRun runs `dogear args...` to its end and wants an exit code.
func dogearRun(t *testing.T, want int, args ...string) *crawler {
	t.Helper()
	c := start(t, args...)
	if code := c.exit(); code != want {
		t.Fatalf("dogear %s: exit %d, want %d; it said:\n%s", strings.Join(args, " "), code, want, c.said())
	}
	return c
}

// writeJob writes a job file into a new folder and returns its path.
func writeJob(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// rows returns the rows of a query on a state file, each as one line of text.
func rows(t *testing.T, path, query string, args ...any) []string {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?_pragma=query_only(1)&_pragma=busy_timeout(10000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	found, err := db.Query(query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer found.Close()
	columns, err := found.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for found.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := found.Scan(into...); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, strings.TrimSuffix(fmt.Sprintln(values...), "\n"))
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}

// openState opens a state file by hand, to change it.
func openState(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?_pragma=busy_timeout(10000)")
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// doneIn reads how many tasks are done while a run may be going on.
func doneIn(path string) (int, error) {
	if _, err := os.Stat(path); err != nil {
		return 0, err
	}
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?mode=ro")
	if err != nil {
		return 0, err
	}
	defer db.Close()
	var n int
	return n, db.QueryRow(`SELECT done FROM counters`).Scan(&n)
}
