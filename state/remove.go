package state

import (
	"context"
	"errors"
)

// Remove deletes the state file at path, if there is one. It returns *LockedError when a run holds it, ErrForeign when
// it is not dogear's; a damaged one goes like any other. The lock file stays: two processes must never lock two files
// of one name.
func Remove(ctx context.Context, path string) error {
	f, err := filesOf(followed(path))
	if err != nil {
		return err
	}
	// While a damaged one is set aside none is there, but the next run would bring back what was in it.
	m, err := readMarker(followed(path))
	if err != nil || f.main < 0 && f.wal < 0 && m.Salvaging == nil {
		return explainDisk(path, err)
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
	return errors.Join(removeFiles(path), l.Close())
}
