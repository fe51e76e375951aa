//go:build !windows

package cli_test

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"

	"dogear/internal/cli"
)

// onTerminal is a dogear on a terminal of its own.
type onTerminal struct {
	*crawler
	tty  *os.File
	mu   sync.Mutex
	vt   *cli.VT
	read chan struct{} // closed when all it wrote was read
}

func startOnTerminal(t *testing.T, width int, args ...string) *onTerminal {
	t.Helper()
	return startOnTerminalWith(t, width, "NO_COLOR=", args...)
}

// startOnTerminalWith is for one more variable of the environment.
func startOnTerminalWith(t *testing.T, width int, variable string, args ...string) *onTerminal {
	t.Helper()
	c := &onTerminal{crawler: &crawler{Cmd: exec.Command(program(t), args...)}, vt: cli.NewVT(width),
		read: make(chan struct{})}
	c.Env = append(os.Environ(), beDogear+"=1", "TERM=xterm-256color", variable)
	tty, err := pty.StartWithSize(c.Cmd, &pty.Winsize{Rows: 24, Cols: uint16(width)})
	if err != nil {
		t.Fatal(err)
	}
	c.tty = tty
	go func() {
		defer close(c.read)
		_, err := io.Copy(c, tty)
		if err != nil && !errors.Is(err, syscall.EIO) { // EIO is how Linux says that the other side is closed
			t.Error(err)
		}
	}()
	t.Cleanup(func() {
		c.Process.Kill()
		c.wait()
		tty.Close()
		<-c.read
	})
	return c
}

func (c *onTerminal) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.vt.Write(b)
	return c.crawler.Write(b)
}

// screen is what is shown now.
func (c *onTerminal) screen() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.vt.Shown()
}

// last is the screen when the process has ended with this code.
func (c *onTerminal) last(t *testing.T, want int) string {
	t.Helper()
	if code := c.exit(); code != want {
		t.Fatalf("exit %d, want %d; the screen:\n%s", code, want, c.screen())
	}
	<-c.read
	if c.vt.Strange != "" {
		t.Errorf("it wrote %q, which no terminal needs", c.vt.Strange)
	}
	return c.screen()
}

var (
	numbers = regexp.MustCompile(`\d[\d,.]*`)
	aTime   = regexp.MustCompile(`\b(N(h|m|s|ms))+\b`)
	aPath   = regexp.MustCompile(`(/[^/ ]+)+/`)
	spaces  = regexp.MustCompile(`  +`)
	barOnly = regexp.MustCompile(`\[=*>?-*\]`)
)

// steadyScreen is a screen without what two runs show differently.
func steadyScreen(text string) string {
	text = strings.ReplaceAll(aPath.ReplaceAllString(text, "…/"), "\n  ", "\n· ")
	text = barOnly.ReplaceAllString(aTime.ReplaceAllString(numbers.ReplaceAllString(text, "N"), "T"), "[BAR]")
	return strings.ReplaceAll(spaces.ReplaceAllString(text, "  "), "\n· ", "\n  ")
}

func TestOnATerminalTheBarStaysAndTheSummarySaysWhatToTypeNext(t *testing.T) {
	_, path := faultySite(t)
	c := startOnTerminal(t, 200, "run", path)
	want := `products: a new crawl, N tasks to begin with
N:N:N ERR client  http:/…/N  HTTP N Not Found
N:N:N ERR server  http:/…/N  HTTP N Internal Server Error
products  [BAR]  N%  N/N
  N failed  N retried  N/s overall  T
products finished: N done, N failed, N left; this run: N tasks in T (N/s)
  N records, N rejects, N attempts retried, N kB read; all of it is in …/products.db
  failed  client N (N)  dogear failures …/products.yaml --kind client
   server N (N)  dogear retry …/products.yaml --kind server
  dogear failures …/products.yaml  what failed and why
  dogear retry …/products.yaml  try those again`
	if diff := cmp.Diff(want, steadyScreen(c.last(t, 3))); diff != "" {
		t.Errorf("(-want +shown)\n%s", diff)
	}
}

func TestCtrlCOnATerminalLeavesTheBarAndNoRemains(t *testing.T) {
	p := slowSite(t)
	path := slowJob(t, p)
	c := startOnTerminal(t, 160, "run", path, "--concurrency", "4")
	whenDone(t, c.crawler, stateOf(path), 20)
	if _, err := c.tty.WriteString("\x03"); err != nil {
		t.Fatal(err)
	}
	want := `products: a new crawl, N tasks to begin with
stopping: requests in flight may finish (N s at most); Ctrl-C again leaves at once, which is safe too
products  [BAR]  N%  N/N  N/s  ETA T
  N failed  N retried  N in flight  N/s overall  T
products interrupted: N done, N failed, N left; this run: N tasks in T (N/s)
  N records, N rejects, N attempts retried, N kB read; all of it is in …/products.db
  dogear run …/products.yaml  carries on`
	if diff := cmp.Diff(want, steadyScreen(c.last(t, 130))); diff != "" {
		t.Errorf("(-want +shown)\n%s", diff)
	}
}

func TestColoursAreForTerminalsAndForThoseWhoDidNotAskForNone(t *testing.T) {
	_, path := faultySite(t)
	for variable, colours := range map[string]bool{"NO_COLOR=1": false, "NO_COLOR=": true} {
		c := startOnTerminalWith(t, 100, variable, "run", "--fresh", path)
		if shown := c.last(t, 3); strings.Contains(c.said(), "\x1b[31m") != colours {
			t.Errorf("%s: red is there: %v\n%s", variable, !colours, shown)
		}
	}
	if c := dogearRun(t, 3, "run", "--fresh", path); strings.Contains(c.said(), "\x1b") {
		t.Errorf("in a pipe: %q", c.said())
	}
}
