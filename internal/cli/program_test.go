//go:build !race

package cli_test

import (
	"os"
	"testing"
)

// racing: the race detector is on.
const racing = false

// program is dogear: this test binary, which behaves as it when beDogear is set.
func program(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return self
}
