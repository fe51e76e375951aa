package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// turnEvery is how often somebody who waits for a lock looks whether it is free.
const turnEvery = 50 * time.Millisecond

// ToFileInTurn is ToFile for a file that several write again and again: they take turns, under a lock on PATH.lock,
// which stays. What a writer that was killed left beside the file is removed. It waits for its turn until ctx ends.
func ToFileInTurn(ctx context.Context, path string, write func(io.Writer) error) (err error) {
	if target, e := filepath.EvalSymlinks(path); e == nil {
		path = target
	}
	if info, e := os.Stat(path); e == nil && !info.Mode().IsRegular() {
		return ToFile(path, write) // nothing to replace, and a lock beside /dev/stdout would be odd
	}
	l := flock.New(path + ".lock")
	if _, err := l.TryLockContext(ctx, turnEvery); err != nil {
		if p, ok := errors.AsType[*fs.PathError](err); ok {
			err = p.Err // the name of the lock would only puzzle
		}
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() {
		if e := l.Unlock(); err == nil {
			err = e
		}
	}()
	sweep(path, time.Now().Add(2*partAge)) // the lock says that nobody writes to any of them
	return ToFile(path, write)
}
