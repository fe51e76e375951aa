package export

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// partSuffix ends the name of a file that is not whole yet.
const partSuffix = ".part"

// partAge is how long ago a temporary was written to last that nobody writes any more.
const partAge = time.Hour

// ToFile makes the file at path with what write gives it: whole, or not at all. A file that is there is replaced only when
// the new one is complete and on the disk.
// A pipe or a device has no whole to replace: it is written to. A symbolic link is followed.
func ToFile(path string, write func(io.Writer) error) (err error) {
	if target, e := filepath.EvalSymlinks(path); e == nil {
		path = target
	}
	if info, e := os.Stat(path); e == nil && !info.Mode().IsRegular() && !info.IsDir() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return fmt.Errorf("write to device: %w", err)
		}
		return errors.Join(write(f), f.Close())
	}
	sweep(path, time.Now())
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*"+partSuffix)
	if err != nil {
		if p, ok := errors.AsType[*fs.PathError](err); ok {
			err = p.Err // the name of the file beside it would only puzzle
		}
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if err = errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return err
	}
	mode := os.FileMode(0o644)
	if old, e := os.Stat(path); e == nil {
		mode = old.Mode().Perm()
	}
	if err = os.Chmod(f.Name(), mode); err == nil {
		err = os.Rename(f.Name(), path)
	}
	return err
}

// sweep removes the temporaries that killed exports to path left. One that can't be removed does no harm.
func sweep(path string, now time.Time) {
	entries, _ := os.ReadDir(filepath.Dir(path)) // an unreadable folder has the next step fail, with a better word
	for _, e := range entries {
		middle, ok := strings.CutPrefix(e.Name(), "."+filepath.Base(path)+".")
		number, part := strings.CutSuffix(middle, partSuffix)
		if !ok || !part || strings.Trim(number, "0123456789") != "" {
			continue
		}
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > partAge {
			_ = os.Remove(filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
}
