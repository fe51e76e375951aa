//go:build unix

package state_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"dogear/state"
)

// To open a pipe would wait for ever.
func TestWhatIsNoFileIsRefusedByItsName(t *testing.T) {
	makes := map[string]func(path string) error{
		"a folder": func(path string) error { return os.Mkdir(path, 0o755) },
		"a pipe":   func(path string) error { return syscall.Mkfifo(path, 0o644) },
	}
	for what, make := range makes {
		for _, suffix := range []string{"", "-wal", ".lock"} {
			t.Run(what+" as job.db"+suffix, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
				defer cancel()
				path := filepath.Join(t.TempDir(), "job.db")
				if err := make(path + suffix); err != nil {
					t.Fatal(err)
				}
				if suffix != "" {
					if err := os.WriteFile(path, shelfImages().ended[""], 0o644); err != nil {
						t.Fatal(err)
					}
				}
				for name, try := range map[string]func() error{
					"OpenRun": func() error { _, err := state.OpenRun(ctx, newShelf(t).options(path), epoch); return err },
					"Open":    func() error { _, err := state.Open(ctx, path); return err },
					"Remove":  func() error { return state.Remove(ctx, path) },
				} {
					if err := try(); err == nil || !strings.Contains(err.Error(), "job.db"+suffix+" is not a file") {
						t.Errorf("%s: %v", name, err)
					}
				}
				if info, err := os.Stat(path + suffix); err != nil || info.Mode().IsRegular() {
					t.Errorf("it is not what it was: %v", err)
				}
			})
		}
	}
}
