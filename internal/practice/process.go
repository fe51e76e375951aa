package practice

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// childVariable holds the options, as JSON, of the site that a process shall be.
const childVariable = "DOGEAR_PRACTICE"

// ErrNoChildMain is the error of StartProcess in a program that does not call
// ChildMain first: what it started again ran as itself, not as a site.
var ErrNoChildMain = errors.New("practice.ChildMain is not called first thing in main or TestMain")

// ChildMain turns the process into a practice site, and never returns, when
// StartProcess started it; otherwise it does nothing. Call it first in TestMain.
func ChildMain() {
	options, ok := os.LookupEnv(childVariable)
	if !ok {
		return
	}
	os.Exit(child(options, os.Stdin, os.Stdout, os.Stderr))
}

// child prints the URL and serves until in ends, which it does when the parent
// closes it or dies in any way. It returns the exit code.
func child(options string, in io.Reader, out, errs io.Writer) int {
	var o Options
	if err := json.Unmarshal([]byte(options), &o); err != nil {
		fmt.Fprintf(errs, "read %s: %v\n", childVariable, err)
		return 2
	}
	s, err := Start(o)
	if err != nil {
		fmt.Fprintln(errs, err)
		return 1
	}
	defer s.Close()
	fmt.Fprintln(out, s.URL)
	_, _ = io.Copy(io.Discard, in)
	return 0
}

// Process is a site in a process of its own. Close it.
type Process struct {
	Remote
	PID int

	cmd *exec.Cmd
	in  io.Closer
}

// StartProcess starts the running program again as a practice site: one that
// calls ChildMain first. With cpu >= 0 the process is kept on that core, where
// the system has taskset (Linux). When ctx ends the process is killed; when
// this process dies, it ends.
func StartProcess(ctx context.Context, o Options, cpu int) (*Process, error) {
	if _, is := os.LookupEnv(childVariable); is {
		return nil, ErrNoChildMain // or every child that forgot ChildMain would start one more
	}
	options, err := json.Marshal(o)
	if err != nil {
		return nil, fmt.Errorf("write options of practice site: %w", err)
	}
	cmd, err := command(ctx, cpu)
	if err != nil {
		return nil, fmt.Errorf("start practice process: %w", err)
	}
	cmd.Env = append(os.Environ(), childVariable+"="+string(options))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start practice process: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start practice process: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start practice process: %w", err)
	}
	p := &Process{PID: cmd.Process.Pid, cmd: cmd, in: in}
	if err := p.readURL(out); err != nil {
		return nil, fmt.Errorf("start practice process: %w", errors.Join(err, p.Close()))
	}
	return p, nil
}

// readURL waits for the first line that the process says.
func (p *Process) readURL(out io.Reader) error {
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return fmt.Errorf("read its URL: %w", err)
	}
	p.URL = strings.TrimSpace(line)
	if !strings.HasPrefix(p.URL, "http://") {
		return fmt.Errorf("it said %q: %w", p.URL, ErrNoChildMain)
	}
	return nil
}

// command is this program again, on a core of its own if that can be had. The
// arguments keep a test binary that forgot ChildMain from running its tests.
func command(ctx context.Context, cpu int) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := []string{self, "-test.run=^$"}
	if cpu >= 0 && runtime.GOOS == "linux" {
		if taskset, err := exec.LookPath("taskset"); err == nil {
			args = append([]string{taskset, "-c", strconv.Itoa(cpu)}, args...)
		}
	}
	return exec.CommandContext(ctx, args[0], args[1:]...), nil
}

// Close ends the process, by force if it has not ended within 5 seconds, and
// returns how it ended.
func (p *Process) Close() error {
	_ = p.in.Close()
	force := time.AfterFunc(5*time.Second, func() { _ = p.cmd.Process.Kill() })
	defer force.Stop()
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("end practice process: %w", err)
	}
	return nil
}
