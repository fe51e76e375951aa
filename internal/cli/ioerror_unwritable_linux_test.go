package cli_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dogear/internal/practice"
)

// Where nothing may be written a run says so and changes nothing, and what only reads works and leaves nothing behind.
func TestWhereNothingMayBeWrittenARunSaysSoAndReadingWorks(t *testing.T) {
	p := site(t, practice.Options{Products: 50})
	for _, c := range []struct {
		name  string
		began bool // there is a state file
		close func(t *testing.T, folder, state string)
	}{
		{"a folder", true, chmod(0o555, 0o644)},
		{"a folder without a state file", false, chmod(0o555, 0)},
		{"a file", true, chmod(0o777, 0o444)},
		{"a file system", true, remounted},
		{"a file system without a state file", false, remounted},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := smallDisk(t, "8m")
			path := filepath.Join(folder, "products.yaml")
			text := practice.ProductsJob(p.URL, 50, 4)
			err := errors.Join(os.Chmod(filepath.Dir(folder), 0o755), os.WriteFile(path, []byte(text), 0o644))
			if err != nil {
				t.Fatal(err)
			}
			writing, exitOfReading := [][]string{{"run"}}, 1
			if c.began {
				dogearRun(t, 0, "run", path, "--limit", "20")
				writing, exitOfReading = append(writing, []string{"retry"}, []string{"refresh", "--older-than", "0s"}), 0
			}
			c.close(t, folder, stateOf(path))
			before := everything(t, folder)
			for _, args := range writing {
				said := asNobody(t, 1, append(args, path)...)
				if !strings.Contains(said, stateOf(path)+" can't be written to") || !strings.Contains(said, "--state") {
					t.Errorf("%v said:\n%s", args, said)
				}
			}
			for _, args := range [][]string{{"status"}, {"failures"}, {"export", "csv"}} {
				asNobody(t, exitOfReading, append(args, path)...)
			}
			if diff := cmp.Diff(before, everything(t, folder)); diff != "" {
				t.Errorf("changed (-before +after):\n%s", diff)
			}
		})
	}
}

func chmod(folderMode, fileMode fs.FileMode) func(*testing.T, string, string) {
	return func(t *testing.T, folder, state string) {
		t.Helper()
		if fileMode != 0 {
			for _, name := range []string{state, state + ".lock"} {
				if err := os.Chmod(name, fileMode); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := os.Chmod(folder, folderMode); err != nil {
			t.Fatal(err)
		}
	}
}

func remounted(t *testing.T, folder, _ string) {
	t.Helper()
	if err := os.Chmod(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", folder, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
}

// asNobody runs dogear as a user whom permissions bind, which root is not, wants an exit code, and returns what it said.
// The test binary may lie where only root can reach it, so it is handed over open.
func asNobody(t *testing.T, want int, args ...string) string {
	t.Helper()
	c := command(t, args...)
	self, err := os.Open(c.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer self.Close()
	c.ExtraFiles, c.Path = []*os.File{self}, "/proc/self/fd/3"
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if code := c.exit(); code != want {
		t.Errorf("%v: exit %d, want %d; it said:\n%s", args, code, want, c.said())
	}
	return c.said()
}

// everything is all that is in a folder: names, modes and contents.
func everything(t *testing.T, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		found[path] = fmt.Sprintf("%s %x", info.Mode(), sha256.Sum256([]byte(read(t, path))))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
