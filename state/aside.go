package state

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// setAside stands in the marker while a damaged file is set aside and salvaged. Whatever ends the process, the next run
// finds it there and goes on with it.
type setAside struct {
	Name  string   `json:"aside"` // of the damaged file, beside the state file
	Why   string   `json:"why"`
	Saved *Salvage `json:"saved,omitempty"` // what the salvage came to: all that is left is to give the new file its name
}

// freshSuffix is what the name of the new file ends in until it is whole.
const freshSuffix = ".salvage"

// asideMark is in the name of every file that was set aside.
const asideMark = ".damaged-"

// asideName is where a damaged file of the state file at path goes: PATH.damaged-20261130T114056Z, of which nothing is
// there yet.
func asideName(path string, now time.Time) (string, error) {
	name := filepath.Base(path) + asideMark + now.UTC().Format("20060102T150405Z")
	for i := 1; ; i++ {
		try := name
		if i > 1 {
			try = fmt.Sprintf("%s-%d", name, i)
		}
		f, err := filesOf(filepath.Join(filepath.Dir(path), try))
		if err != nil {
			return "", err
		}
		if f.main < 0 && f.wal < 0 {
			return try, nil
		}
	}
}

// repair sets the damaged file at path aside, and puts in its place what can be read of it. m is the marker: killed at
// any point, a call with the marker that is left goes on from there. The user is told before that is forgotten.
func (r *Run) repair(ctx context.Context, o RunOptions, now time.Time, path string, m marker, why error) error {
	if m.Salvaging == nil {
		name, err := asideName(path, now)
		if err != nil {
			return err
		}
		m.Salvaging = &setAside{Name: name, Why: why.Error()}
		if err := writeMarker(path, m, true); err != nil {
			return err
		}
	}
	s := m.Salvaging
	if s.Saved == nil {
		if err := s.save(ctx, o, now, path, &m); err != nil {
			return fmt.Errorf("salvage %s: %w", path, r.explain(err))
		}
		if err := writeMarker(path, m, true); err != nil {
			return err
		}
	}
	if err := errors.Join(replace(path+freshSuffix, path), syncFolder(path)); err != nil {
		return err
	}
	r.told(s.Saved)
	r.left = marker{Job: m.Job, Created: m.Created, Run: m.Run, Beat: m.Beat, Ended: m.known()}
	return writeMarker(path, r.left, true)
}

// save moves the file aside and makes the new one, under another name.
func (s *setAside) save(ctx context.Context, o RunOptions, now time.Time, path string, m *marker) error {
	aside := filepath.Join(filepath.Dir(path), s.Name)
	if err := moveAside(path, aside); err != nil {
		return err
	}
	if err := removeFresh(path); err != nil { // half-made by a run that was killed
		return err
	}
	fresh := path + freshSuffix
	saved, err := salvage(ctx, o, now, m, aside, fresh)
	if err != nil {
		return err
	}
	if saved.Aside = aside; saved.Why == "" {
		saved.Why = s.Why
	}
	s.Saved = saved
	return syncFile(fresh)
}

// removeFresh removes what is there of the new file.
func removeFresh(path string) error {
	for _, suffix := range []string{"", "-journal", "-wal", "-shm"} {
		if err := os.Remove(path + freshSuffix + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("salvage %s: %w", path, err)
		}
	}
	return nil
}

// replace gives the new file its name, unless it has it already.
func replace(fresh, path string) error {
	if _, err := os.Lstat(fresh); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return os.Rename(fresh, path)
}

// dropWAL sets a -wal aside that is not the file's own.
func (r *Run) dropWAL(now time.Time, path string, v verdict) error {
	name, err := asideName(path, now)
	if err != nil {
		return err
	}
	aside := filepath.Join(filepath.Dir(path), name) + "-wal"
	if err := errors.Join(moveNew(path+"-wal", aside), removeShared(path), syncFolder(path)); err != nil {
		return err
	}
	r.told(&Salvage{Aside: aside, WAL: true, Missing: v.missing, Why: v.badWAL.Error()})
	return nil
}

// removeShared removes the index of a -wal that was moved.
func removeShared(path string) error {
	if err := os.Remove(path + "-shm"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("set %s aside: %w", path, err)
	}
	return nil
}

// moveAside moves the file and what belongs to it, the -wal first: by itself it would be read into the next file of
// that name.
func moveAside(path, aside string) error {
	if f, err := filesOf(path); err == nil && f.wal == 0 {
		// It holds nothing: whoever looked at the file last has made it.
		if err := os.Remove(path + "-wal"); err != nil {
			return fmt.Errorf("set %s aside: %w", path, err)
		}
	}
	for _, suffix := range []string{"-wal", "-journal", ""} {
		if err := moveNew(path+suffix, aside+suffix); err != nil {
			return err
		}
	}
	return errors.Join(removeShared(path), syncFolder(path))
}

// moveNew gives a file another name that nothing has. One that is not there has been moved already, or never was.
func moveNew(from, to string) error {
	if _, err := os.Lstat(from); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("set %s aside: %s is there already: %w", from, to, errors.Join(err, fs.ErrExist))
	}
	if err := os.Rename(from, to); err != nil {
		return fmt.Errorf("set a damaged file aside: %w", err)
	}
	return nil
}

// syncFolder makes new names last. Windows has no such thing.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("sync a folder: %w", err)
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil {
		return fmt.Errorf("sync a folder: %w", err)
	}
	return nil
}

// syncFile makes the content of a file last.
func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("sync a file: %w", err)
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("sync a file: %w", err)
	}
	return nil
}
