package state

import "github.com/gofrs/flock"

// Report leaves word in the lock file that a reader of the file at path found it damaged, if err says so: the next run
// then looks at all of it, however large it is. While a run holds the file nothing is written, and where this user may
// not write; a later reader will find the same.
func Report(path string, err error) {
	path = followed(path)
	f, e := filesOf(path)
	if !IsDamage(err) || e != nil || f.main < 0 {
		return
	}
	l := flock.New(lockPath(path))
	defer l.Close()
	if free, e := l.TryLock(); e != nil || !free {
		return
	}
	m, e := readMarker(path)
	if e != nil || m.Salvaging != nil || m.Damaged != "" {
		return
	}
	m.Damaged = err.Error()
	_ = writeMarker(path, m, true) // a help to the next run, see mark
}
