package state

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Remove deletes the state file at path, if there is one. It returns *LockedError when a run holds it, ErrForeign when it
// is not dogear's. The lock file stays: two processes must never lock two files of one name.
func Remove(ctx context.Context, path string) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if s, err := Open(ctx, path); err == nil {
		s.Close()
	} else if errors.Is(err, ErrForeign) {
		return err
	}
	l, err := lock(ctx, path)
	if err != nil {
		return err
	}
	target := followed(path)
	// The WAL first: without its database it means nothing, the other way round it could be read into a new one.
	for _, suffix := range []string{"-wal", "-shm", ""} {
		if e := os.Remove(target + suffix); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, fmt.Errorf("remove state file: %w", e))
		}
	}
	return errors.Join(err, l.Close())
}
