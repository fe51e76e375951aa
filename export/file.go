package export

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ToFile makes the file at path with what write gives it: whole, or not at all. A file that is there is replaced only when
// the new one is complete and on the disk.
func ToFile(path string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
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
