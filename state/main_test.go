package state_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"testing"

	"go.uber.org/goleak"
)

// childVariable makes the test binary another process that works on a state file. Its value names a role, the first
// argument is the file.
const childVariable = "DOGEAR_STATE_TEST_CHILD"

func TestMain(m *testing.M) {
	if role := os.Getenv(childVariable); role != "" {
		os.Exit(playRole(role, os.Args[1]))
	}
	goleak.VerifyTestMain(m)
}

// child is another process of this test. It ends at the latest with the test.
type child struct {
	t     *testing.T
	cmd   *exec.Cmd
	lines *bufio.Scanner // what it prints
}

func startChild(t *testing.T, role, path string) *child {
	t.Helper()
	cmd := exec.Command(os.Args[0], path)
	cmd.Env = append(os.Environ(), childVariable+"="+role)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err = cmd.StdinPipe(); err != nil { // it reads this to wait, and ends when we do
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &child{t: t, cmd: cmd, lines: bufio.NewScanner(out)}
	t.Cleanup(c.kill)
	return c
}

// line returns the next line that the child prints.
func (c *child) line() string {
	c.t.Helper()
	if !c.lines.Scan() {
		c.t.Fatalf("the child process ended early: %v", c.lines.Err())
	}
	return c.lines.Text()
}

// kill ends the child with SIGKILL, unless it has ended already.
func (c *child) kill() {
	if c.cmd.ProcessState == nil {
		c.cmd.Process.Kill()
		c.cmd.Wait()
	}
}

// untilKilled is how a child waits: until its parent closes the pipe or kills it.
func untilKilled() { io.Copy(io.Discard, os.Stdin) }
