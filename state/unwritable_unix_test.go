//go:build unix

package state_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"dogear/state"
)

func TestAFolderThatCannotBeWrittenIsRefusedWithThePermissionAsTheReason(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{filepath.Dir(dir), dir} {
		if err := os.Chmod(d, 0o555); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(d, 0o755) })
	}
	c := startChild(t, "unprivileged", filepath.Join(dir, "job.db"))
	if got := c.line(); got != "refused for its permissions" {
		t.Error(got)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 0 {
		t.Errorf("left in the folder: %v, %v", entries, err)
	}
}

func TestALockFileOfSomebodyElseIsRefusedWithThePermissionAsTheReason(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{filepath.Dir(dir), dir} {
		if err := os.Chmod(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "job.db.lock"), nil, 0); err != nil {
		t.Fatal(err)
	}
	c := startChild(t, "unprivileged", filepath.Join(dir, "job.db"))
	if got := c.line(); got != "refused for its permissions" {
		t.Error(got)
	}
}

// openUnprivileged tries to open a run as nobody, because root may write everywhere.
func openUnprivileged(path string) error {
	if os.Geteuid() == 0 {
		if err := syscall.Setuid(65534); err != nil {
			return err
		}
	}
	_, err := state.OpenRun(context.Background(), state.RunOptions{Path: path, Name: "job", Version: "test"}, epoch)
	if _, ok := errors.AsType[*state.UnwritableError](err); ok && errors.Is(err, fs.ErrPermission) {
		fmt.Println("refused for its permissions")
		return nil
	}
	fmt.Println(err)
	return nil
}
