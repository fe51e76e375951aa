package logs

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	packed = ".gz"
	making = ".tmp"
)

// sweep removes the files of a series that are older than keep days, and compresses those of the days before today.
// What can't be done to one file does not keep it from the others.
func sweep(ctx context.Context, dir, name, today string, keep int) error {
	now, err := time.Parse(time.DateOnly, today)
	if err != nil {
		return fmt.Errorf("sweep the logs: %w", err)
	}
	oldest := now.AddDate(0, 0, -keep).Format(time.DateOnly)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("sweep the logs: %w", err)
	}
	var failed []error
	for _, e := range entries {
		day, rest, ours := parse(e.Name(), name)
		if !ours || !e.Type().IsRegular() {
			continue
		}
		path := filepath.Join(dir, e.Name())
		switch {
		case ctx.Err() != nil:
			return errors.Join(failed...)
		case day < oldest, strings.HasSuffix(rest, making) && day < today:
			failed = append(failed, ignoreGone(os.Remove(path)))
		case day < today && rest == suffix:
			failed = append(failed, ignoreGone(compress(ctx, path)))
		}
	}
	return errors.Join(failed...)
}

// parse takes a file's name apart: NAME-DAY, and what follows. Files of other series, whose names may begin alike, and
// files of somebody else are not ours.
func parse(file, name string) (day, rest string, ours bool) {
	tail, ours := strings.CutPrefix(file, name+"-")
	if !ours || len(tail) <= len(time.DateOnly) {
		return "", "", false
	}
	day, rest = tail[:len(time.DateOnly)], tail[len(time.DateOnly):]
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return "", "", false
	}
	switch rest {
	case suffix, suffix + packed:
		return day, rest, true
	}
	return day, rest, strings.HasPrefix(rest, suffix+packed+".") && strings.HasSuffix(rest, making)
}

// compress puts FILE.gz in the place of a file. One that is there already, since the process was killed before the file
// was removed or another has written to it since, is kept: a gzip file may have several members (RFC 1952, 2.2).
func compress(ctx context.Context, path string) error {
	target := path + packed
	out, err := os.CreateTemp(filepath.Dir(path), filepath.Base(target)+".*"+making)
	if err != nil {
		return fmt.Errorf("compress %s: %w", path, err)
	}
	err = errors.Join(out.Chmod(0o644), pack(ctx, out, path, target), out.Close())
	if err == nil {
		err = os.Rename(out.Name(), target)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("compress %s: %w", path, err), os.Remove(out.Name()))
	}
	return os.Remove(path)
}

// pack writes what is compressed already, and then the file.
func pack(ctx context.Context, out *os.File, path, earlier string) error {
	if old, err := os.Open(earlier); err == nil {
		_, err = io.Copy(out, old)
		if err = errors.Join(err, old.Close()); err != nil {
			return err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	z := gzip.NewWriter(out)
	if _, err := io.Copy(z, &until{ctx, in}); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return out.Sync() // the original goes
}

// until reads until a context ends.
type until struct {
	ctx context.Context
	io.Reader
}

func (u *until) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.Reader.Read(p)
}

// ignoreGone is for files that another process has swept.
func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
