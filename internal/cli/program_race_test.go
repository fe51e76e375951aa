//go:build race

package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// racing: the race detector is on.
const racing = true

// program is dogear without the race detector, under which SQLite, compiled from C, is many times slower: processes that
// are killed a hundred times are not where races are found. Package crawl's tests are.
func program(t *testing.T) string {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var built = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "dogear-program-")
	if err != nil {
		return "", err
	}
	afterAll = append(afterAll, func() { os.RemoveAll(folder) })
	path := filepath.Join(folder, "dogear.exe")
	if said, err := exec.Command("go", "build", "-o", path, "dogear").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build dogear: %w\n%s", err, said)
	}
	return path, nil
})
