//go:build unix

package job

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// To open a pipe that nobody writes to would wait for ever, and no signal ends that.
func TestAPipeThatNobodyWritesToIsAFaultAndNoWait(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	j, err := Parse(filepath.Join(dir, "x.yaml"), []byte("start: {from: pipe}\nrecords: {fields: {a: b}}\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.CheckLists(true); err == nil || !strings.Contains(err.Error(), "no file that can be read twice") {
		t.Error(err)
	}
}
