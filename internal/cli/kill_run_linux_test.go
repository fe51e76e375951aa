package cli_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"dogear/internal/practice"
	"dogear/internal/testenv"
)

// bulk makes the records of products so large that they fill the log to a checkpoint midway, at 4000 pages.
func bulk(text string) string {
	const last = "stock, type: int}\n"
	return strings.Replace(text, last, last+"        much:       {value: "+strings.Repeat("much", 75_000)+"}\n", 1)
}

// threadPatience is how often a kill is tried: strace counts the calls of each thread, and Go moves the committer now
// and then.
const threadPatience = 15

func TestAfterAKillAtAnyPointTheSameCommandEndsAsAnUninterruptedOne(t *testing.T) {
	tool := testenv.Tool(t, "strace", "strace")
	p := site(t, practice.Options{Pages: 4})
	path := new(killPoint).begin(t, p)
	dogearRun(t, 3, "run", path)
	want := outcomeOf(t, stateOf(path))
	for _, k := range killPoints {
		for _, n := range k.when {
			t.Run(fmt.Sprintf("%s/%d", k.name, n), func(t *testing.T) {
				for range threadPatience {
					if k.kill(t, tool, p, n, want) {
						return
					}
				}
				t.Errorf("in %d kills none came where it should", threadPatience)
			})
		}
	}
}

// begin writes the job file into a new folder and makes the site as new.
func (k *killPoint) begin(t *testing.T, p *practice.Process) string {
	t.Helper()
	renewed(t, p, mixedFaults)
	text := fmt.Sprintf(mixedJob, p.URL, 120, 8)
	if k.bulk {
		text = bulk(text)
	}
	return writeJob(t, "job.yaml", text)
}

// kill kills the command before the n-th call, looks at what is left, and lets the same command end. It returns false
// when the kill came elsewhere, or not at all: then the calls were not all made by one thread.
func (k *killPoint) kill(t *testing.T, tool string, p *practice.Process, n int, want map[string][]string) bool {
	path := k.begin(t, p)
	if k.from != nil {
		k.from(t, path)
	}
	args := []string{"run", path}
	if k.args != nil {
		args = append(slices.Clone(k.args), path)
	}
	c := traced(t, tool, k.file.of(path), fmt.Sprintf("%s:signal=SIGKILL:when=%d", k.call, n), args...)
	reached := c.exit() == -1
	left := copied(t, stateOf(path))
	var asked map[string]int64
	if k.holds != "" {
		reached = reached && slices.Equal(rows(t, left, k.holds), []string{"1"})
		checkSound(t, left)
		asked = askedFor(t, p, left, k.final()...)
	}
	dogearRun(t, k.code(), args...)
	dogearRun(t, 3, "run", path) // has nothing to do, unless the command is one that only looks
	checkNotAskedAgain(t, p, asked)
	checkSound(t, stateOf(path))
	checkSame(t, want, outcomeOf(t, stateOf(path)), k.unlike()...)
	return reached
}

// code is what the command ends with when it is not disturbed.
func (k *killPoint) code() int {
	if k.args != nil && k.args[0] == "status" {
		return 0
	}
	return 3
}

// final are the states of tasks that the command does not ask for again.
func (k *killPoint) final() []string {
	switch {
	case k.args == nil || k.args[0] == "status":
		return []string{"done", "failed"}
	case k.args[0] == "retry":
		return []string{"done"}
	}
	return nil
}

// unlike is what a command changes that puts tasks back: the attempts of before stay.
func (k *killPoint) unlike() []string {
	if len(k.final()) == 2 {
		return nil
	}
	return []string{"attempts", "done with attempts that do not add up"}
}

// traced starts a command under strace, which does something to calls on a file ("": on any, or none).
func traced(t *testing.T, tool, file, inject string, args ...string) *crawler {
	t.Helper()
	c := command(t, args...)
	call, _, _ := strings.Cut(inject, ":")
	prefix := []string{tool, "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + call, "-e", "inject=" + inject}
	if file != "" {
		folder, err := filepath.EvalSymlinks(filepath.Dir(file))
		if err != nil {
			t.Fatal(err)
		}
		prefix = append(prefix, "-P", filepath.Join(folder, filepath.Base(file)))
	}
	c.Args = append(append(prefix, c.Path), args...)
	c.Path = tool
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // what strace leaves behind when it is killed is in its group
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if c.ProcessState == nil {
			syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		}
	})
	return c
}
