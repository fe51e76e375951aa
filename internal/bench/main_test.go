package bench

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"dogear/internal/cli"
	"dogear/internal/practice"
	"dogear/internal/testenv"
)

const (
	// roleVariable makes this test binary one of the two that are compared.
	roleVariable = "DOGEAR_BENCH_ROLE"
	// peakVariable names the file into which it writes what memory it needed.
	peakVariable = "DOGEAR_BENCH_PEAK"

	dogearRole = "dogear"
	loopRole   = "loop"
)

func TestMain(m *testing.M) {
	practice.ChildMain()
	role := os.Getenv(roleVariable)
	if role == "" {
		os.Exit(testenv.Main(m))
	}
	code := play(role, os.Args[1:])
	if err := writePeak(os.Getenv(peakVariable)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// play is what a process of the comparison does. The arguments are dogear's, or the loop's URL, tasks and workers.
func play(role string, args []string) int {
	if role == dogearRole {
		return cli.Main(append([]string{"dogear"}, args...), cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	}
	tasks, err := strconv.ParseInt(args[1], 10, 64)
	if err != nil {
		panic(err)
	}
	workers, err := strconv.Atoi(args[2])
	if err != nil {
		panic(err)
	}
	if err := fetchAll(args[0], tasks, workers); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
