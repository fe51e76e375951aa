package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"dogear/internal/practice"
	"dogear/internal/testenv"
)

const (
	walLimit = 64 << 20
	walWord  = "the WAL has grown to"
)

// fatJob keeps 30 KB with each product, so that 2,300 of them make a WAL of more than 64 MiB.
func fatJob(t *testing.T, p *practice.Process, products int) string {
	return writeJob(t, "fat.yaml", fmt.Sprintf(`name: fat
start: {url: "%s/v1/product/{id}", id: 1..%d}
rate: 1000/s
records: {key: id, fields: {id: {json: $.id, type: int}, weight: {value: %s}}}
`, p.URL, products, strings.Repeat("x", 30_000)))
}

// shell is a real sqlite3 that waits for the next statement.
type shell struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

func openShell(t *testing.T, path string) *shell {
	t.Helper()
	cmd := exec.Command(testenv.Tool(t, "sqlite3", "sqlite3"), path)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &shell{t, cmd, in, bufio.NewScanner(out)}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait() // once more does nothing
	})
	return s
}

// ask returns the one line that the statements print.
func (s *shell) ask(statements string) string {
	s.t.Helper()
	if _, err := fmt.Fprintln(s.in, statements); err != nil {
		s.t.Fatal(err)
	}
	if !s.out.Scan() {
		s.t.Fatalf("sqlite3 ended at %s: %v", statements, s.out.Err())
	}
	return s.out.Text()
}

// quit ends the shell.
func (s *shell) quit() {
	s.t.Helper()
	s.in.Close()
	if err := s.cmd.Wait(); err != nil {
		s.t.Error(err)
	}
}

// name is what the shell is called by who sees it in the way.
func (s *shell) name() string {
	if runtime.GOOS == "linux" {
		return fmt.Sprintf("sqlite3 (pid %d)", s.cmd.Process.Pid) // and a status or export that runs at the same moment
	}
	return "a reader (an open sqlite3 shell?)"
}

// blamed wants a command to have said once that the shell keeps the WAL from shrinking.
func (s *shell) blamed(who string, by *crawler) {
	s.t.Helper()
	if said := by.said(); strings.Count(said, walWord) != 1 || !strings.Contains(said, s.name()) {
		s.t.Errorf("%s does not say once that %s keeps it:\n%s", who, s.name(), said)
	}
}

func walSize(path string) int64 {
	info, err := os.Stat(path + "-wal")
	if err != nil {
		return 0
	}
	return info.Size()
}

// until waits for something that a running process brings about.
func until(t *testing.T, c *crawler, what string, is func() bool) {
	t.Helper()
	over := make(chan struct{})
	go func() { c.wait(); close(over) }()
	for !is() {
		select {
		case <-over:
			t.Fatalf("the process ended before %s; it said:\n%s", what, c.said())
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// Nobody waits for anybody: a shell with a read that does not end, status and export, and the run, which says why its
// WAL grows, and ends well.
func TestAnOpenShellIsInNobodysWayAndIsNamed(t *testing.T) {
	p := site(t, practice.Options{Products: 4000})
	job := fatJob(t, p, 4000)
	path := stateOf(job)
	dogearRun(t, 0, "run", job, "--limit", "100")
	sh := openShell(t, path)
	if got := sh.ask("BEGIN; SELECT count(*) FROM fat;"); got != "100" {
		t.Fatalf("the shell sees %s records", got)
	}
	run := start(t, "run", job)
	beside := 0
	until(t, run, "its WAL was large", func() bool {
		dogearRun(t, 0, "status", job)
		dogearRun(t, 0, "export", "csv", job, "--out", filepath.Join(t.TempDir(), "fat.csv"))
		beside++
		return walSize(path) > walLimit
	})
	if code := run.exit(); code != 0 {
		t.Errorf("the run: exit %d; it said:\n%s", code, run.said())
	}
	sh.blamed("the run", run)
	t.Logf("WAL %d MiB, %d times status and export beside the run", walSize(path)>>20, beside)
	checkStatus(t, job, sh)
	if got := sh.ask("SELECT count(*) FROM fat;"); got != "100" {
		t.Errorf("within its read the shell sees %s records", got)
	}
	sh.quit()
	if size := walSize(path); size != 0 {
		t.Errorf("the WAL has %d bytes when nobody is left", size)
	}
	got := rows(t, path, `SELECT count(*), count(DISTINCT id), min(length(weight)) FROM fat`)
	if got[0] != "4000 4000 30000" {
		t.Errorf("records, distinct, the shortest: %s", got[0])
	}
	if got := rows(t, path, `PRAGMA integrity_check`); got[0] != "ok" {
		t.Errorf("integrity: %v", got)
	}
	if said := dogearRun(t, 0, "status", job).said(); strings.Contains(said, walWord) {
		t.Errorf("without a WAL status says:\n%s", said)
	}
}

// checkStatus wants status to say that the WAL is too large, and who is in its way.
func checkStatus(t *testing.T, job string, sh *shell) {
	t.Helper()
	sh.blamed("status", dogearRun(t, 0, "status", job))
	var report struct {
		Bytes   int64 `json:"wal_bytes"`
		Readers []struct {
			PID  int
			Name string
		} `json:"wal_readers"`
	}
	said := dogearRun(t, 0, "status", job, "--json").said()
	if err := json.Unmarshal([]byte(said), &report); err != nil {
		t.Fatal(err)
	}
	if report.Bytes != walSize(stateOf(job)) {
		t.Errorf("wal_bytes is %d, the file has %d", report.Bytes, walSize(stateOf(job)))
	}
	want := fmt.Sprintf("[{%d sqlite3}]", sh.cmd.Process.Pid)
	if got := fmt.Sprint(report.Readers); runtime.GOOS == "linux" && got != want {
		t.Errorf("wal_readers is %s, want %s", got, want)
	}
}

// While the run goes on the WAL shrinks when the read has ended. When it grows again, that is said again.
func TestARunWarnsOfALargeWALOnceEachTime(t *testing.T) {
	p := site(t, practice.Options{Products: 1_000_000})
	job := fatJob(t, p, 1_000_000)
	path := stateOf(job)
	run := start(t, "run", job) // at 30 MB/s the run sees that its WAL has shrunk before it is too large again
	until(t, run, "there were records", func() bool { done, err := doneIn(path); return err == nil && done > 0 })
	sh := openShell(t, path)
	for i := range 2 {
		sh.ask("BEGIN; SELECT count(*) FROM fat;")
		until(t, run, "it warned", func() bool { return strings.Count(run.said(), walWord) > i })
		sh.ask("COMMIT; SELECT 'over';")
		until(t, run, "its WAL had shrunk", func() bool { return walSize(path) <= walLimit })
		if n := strings.Count(run.said(), walWord); n != i+1 {
			t.Errorf("%d warnings, want %d:\n%s", n, i+1, run.said())
		}
	}
	if err := run.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := run.exit(); code != 130 {
		t.Errorf("exit %d", code)
	}
	sh.quit()
}
