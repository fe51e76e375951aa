package cli_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"dogear/internal/practice"
)

// The scripts in testdata/script drive the real binary against a practice site at $SITE.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Condition: func(name string) (bool, error) {
			if name != "race" {
				return false, fmt.Errorf("there is no condition %q", name)
			}
			return racing, nil
		},
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "envsubst": envsubst, "steady": steady,
		},
		Setup: func(env *testscript.Env) error {
			s, err := practice.Start(practice.Options{Pages: 3, Products: 30})
			if err != nil {
				return err
			}
			env.Defer(s.Close)
			env.Setenv("SITE", s.URL)
			return nil
		},
	})
}

// exits CODE PROGRAM ARG... runs a program and wants this exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit %d, want %d", got, want)
	}
}

// varies is what two runs of a command print differently: ports, times, and URLs that were cut where their port is.
var varies = []struct {
	what *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`127\.0\.0\.1:\d+`), "SITE"},
	{regexp.MustCompile(`(?m) in (under 1ms|\d+ms|[\d.]+s)(,|$)`), " in TIME$2"},
	{regexp.MustCompile(`http:[^ \n]*…[^ \n]*/`), "http:…/"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT[\d:.]+Z`), "NOW"},
}

// steady FILE writes the last stdout into FILE, without what varies.
func steady(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: steady FILE")
	}
	text := ts.ReadFile("stdout")
	for _, v := range varies {
		text = v.what.ReplaceAllString(text, v.with)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// envsubst FILE fills in $NAME; $$ is a dollar sign.
func envsubst(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: envsubst FILE")
	}
	text := os.Expand(ts.ReadFile(args[0]), func(name string) string {
		if name == "$" {
			return "$"
		}
		return ts.Getenv(name)
	})
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}
