package powercut

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// process is a dogear, under another command if there is one.
type process struct {
	*exec.Cmd
	line string
	said strings.Builder
}

// start starts `dogear run job args...`; it ends with the test at the latest.
func start(t *testing.T, job string, under []string, args ...string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	line := append(append(append([]string{}, under...), self, "run", job, "--quiet"), args...)
	p := &process{Cmd: exec.CommandContext(ctx, line[0], line[1:]...), line: strings.Join(line, " ")}
	p.Env = append(os.Environ(), beDogear+"=1")
	p.Stdout, p.Stderr = &p.said, &p.said
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	return p
}

// exit waits for the process and returns its exit code, -1 after a signal. An error of dogear's ends the test.
func (p *process) exit(t *testing.T) int {
	t.Helper()
	err := p.Wait()
	code := p.ProcessState.ExitCode()
	if code == 1 || code == 2 {
		t.Fatalf("%s: %v, it said:\n%s", p.line, err, p.said.String())
	}
	return code
}

// dogear runs `dogear run job args...` to its end and returns its exit code.
func dogear(t *testing.T, job string, under []string, args ...string) int {
	t.Helper()
	return start(t, job, under, args...).exit(t)
}

// killed runs the job until so many tasks are done, and kills dogear then, if strace has not done so before: on which
// threads Go syncs differs from run to run.
func killed(t *testing.T, job, state string, goal int, under []string) {
	t.Helper()
	p := start(t, job, under)
	over := make(chan int)
	go func() {
		_ = p.Wait() // its error is the exit code
		over <- p.ProcessState.ExitCode()
	}()
	code, pid := 0, 0
	for ended := false; !ended; {
		select {
		case code = <-over:
			ended = true
		case <-time.After(2 * time.Millisecond):
			if pid != 0 {
				continue
			}
			if pid = working(state, goal); pid == 0 {
				continue
			}
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
				t.Error(err)
			}
		}
	}
	if code != -1 {
		t.Fatalf("the run that was to be killed ended with %d, it said:\n%s", code, p.said.String())
	}
}

// working returns the process that runs on a state file once so many tasks are done, and 0 before.
func working(state string, goal int) (pid int) {
	if _, err := os.Stat(state); err != nil {
		return 0
	}
	db, err := sql.Open("sqlite", "file:"+state+"?mode=ro")
	if err != nil {
		return 0
	}
	defer db.Close()
	// An error is a file that is being made.
	_ = db.QueryRow(`SELECT pid FROM runs, counters WHERE ended IS NULL AND done >= ?`, goal).Scan(&pid)
	return pid
}
