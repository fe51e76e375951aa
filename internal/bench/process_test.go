package bench

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// usage is what one process took.
type usage struct {
	took time.Duration // from its start to its exit
	cpu  time.Duration // user and system
	peak int64         // bytes resident at most; 0: the system does not say
}

// anyCPU lets a process run on all cores.
const anyCPU = -1

// process starts this test binary again in a role, and waits until it ends with the exit code want. With after > 0 it gets
// a Ctrl-C when that time is over.
type process struct {
	role  string
	args  []string
	cpu   int // the core it is kept on, or anyCPU
	after time.Duration
	want  int
}

func (p process) run(tb testing.TB) usage {
	tb.Helper()
	cmd, peak := p.command(tb), filepath.Join(tb.TempDir(), "peak")
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.Env = append(os.Environ(), roleVariable+"="+p.role, peakVariable+"="+peak)
	started := time.Now()
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	if p.after > 0 {
		defer time.AfterFunc(p.after, func() { _ = cmd.Process.Signal(os.Interrupt) }).Stop()
	}
	_ = cmd.Wait() // its error is the exit code
	took := time.Since(started)
	if code := cmd.ProcessState.ExitCode(); code != p.want {
		tb.Fatalf("%s %q: exit %d, want %d; it said:\n%s", p.role, p.args, code, p.want, said.Bytes())
	}
	return usage{took, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), readPeak(tb, peak)}
}

func (p process) command(tb testing.TB) *exec.Cmd {
	tb.Helper()
	self, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	args := append([]string{self}, p.args...)
	if p.cpu != anyCPU {
		args = append([]string{"taskset", "-c", strconv.Itoa(p.cpu)}, args...)
	}
	return exec.CommandContext(tb.Context(), args[0], args[1:]...)
}

// pinning returns why processes can't be kept on a core each, nil when they can.
func pinning() error {
	if runtime.NumCPU() < 2 {
		return fmt.Errorf("the site and the client can't have a core each: there is one")
	}
	if _, err := exec.LookPath("taskset"); err != nil {
		return fmt.Errorf("the site and the client can't be kept on a core each: %w", err)
	}
	return nil
}

// writePeak writes the most memory that this process had resident at once, in kB, to a file: empty where there is no
// /proc.
func writePeak(path string) error {
	if err := os.WriteFile(path, []byte(statusOf("self", "VmHWM:")), 0o644); err != nil {
		return fmt.Errorf("tell peak memory: %w", err)
	}
	return nil
}

// statusOf returns a number of kB from /proc/PID/status, as text; empty where there is none.
func statusOf(pid, name string) string {
	status, _ := os.ReadFile("/proc/" + pid + "/status")
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			return strings.Fields(rest)[0]
		}
	}
	return ""
}

// residentOf returns the bytes that a process has in memory now; 0: the system does not say.
func residentOf(pid int) int64 {
	kb, _ := strconv.ParseInt(statusOf(strconv.Itoa(pid), "VmRSS:"), 10, 64)
	return kb * 1024
}

// readPeak returns bytes.
func readPeak(tb testing.TB, path string) int64 {
	tb.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	if len(text) == 0 {
		return 0
	}
	kb, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		tb.Fatal(err)
	}
	return kb * 1024 // "kB" there means KiB
}
