package powercut

import (
	"os"
	"testing"

	"dogear/internal/cli"
	"dogear/internal/practice"
)

// beDogear makes this test binary behave as dogear.
const beDogear = "DOGEAR_TEST_BE_DOGEAR"

func TestMain(m *testing.M) {
	practice.ChildMain()
	if os.Getenv(beDogear) != "" {
		streams := cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
		os.Exit(cli.Main(append([]string{"dogear"}, os.Args[1:]...), streams))
	}
	os.Exit(m.Run())
}
