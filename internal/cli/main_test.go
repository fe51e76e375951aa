package cli_test

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"dogear/internal/cli"
	"dogear/internal/practice"
	"dogear/internal/testenv"
)

// beDogear makes this test binary behave as dogear: the tests kill real processes.
const beDogear = "DOGEAR_TEST_BE_DOGEAR"

func TestMain(m *testing.M) {
	practice.ChildMain()
	if os.Getenv(beDogear) != "" {
		os.Exit(dogear())
	}
	testscript.Main(servers{m}, map[string]func(){"dogear": func() { os.Exit(dogear()) }})
}

// servers stops, after the tests, the servers that they started.
type servers struct{ m *testing.M }

func (s servers) Run() int {
	defer func() {
		for _, f := range afterAll {
			f()
		}
	}()
	return testenv.Main(s.m)
}

// afterAll is done when the tests are over.
var afterAll []func()

func dogear() int {
	return cli.Main(append([]string{"dogear"}, os.Args[1:]...), cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
}
