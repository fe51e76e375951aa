package state

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// Cleanable is a state file as RemoveFinished sees it.
type Cleanable struct {
	Path         string
	Bytes        int64     // with its WAL
	Last         time.Time // heartbeat of the last run
	Done, Failed int64
	Stays        string // why it is not removed, for people; "" when it is
}

// Why a file stays.
const (
	staysForeign = "not a dogear state file"
	staysInUse   = "a run is working on it"
	staysYoung   = "its last run is not that long ago"
)

// Inspect says whether the file at path is the state of a finished job whose last sign of life was before a moment. It
// changes nothing; a file of another program is not even opened with SQLite, which might tidy it up. The error is one of
// reading it, of any kind.
func Inspect(ctx context.Context, path string, before time.Time) (Cleanable, error) {
	return inspect(ctx, path, before, false)
}

func inspect(ctx context.Context, path string, before time.Time, held bool) (Cleanable, error) {
	c := Cleanable{Path: path}
	ours, err := marked(path)
	if err != nil {
		return c, err
	}
	if !ours {
		c.Stays = staysForeign
		return c, nil
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if info, err := os.Stat(path + suffix); err == nil {
			c.Bytes += info.Size()
		}
	}
	s, err := Open(ctx, path)
	if err != nil {
		return c, err
	}
	defer s.Close()
	if !held && s.Running() {
		c.Stays = staysInUse
		return c, nil
	}
	return c, s.Snapshot(ctx, func(s *Store) error { return c.read(ctx, s, before) })
}

// read fills in what the file says.
func (c *Cleanable) read(ctx context.Context, s *Store, before time.Time) error {
	p, err := s.Progress(ctx)
	if err != nil {
		return err
	}
	// The counters are a convenience, the rows are the truth.
	var open bool
	if err := s.q.QueryRowContext(ctx, openSQL).Scan(&open); err != nil {
		return fmt.Errorf("look for open tasks: %w", err)
	}
	runs, err := s.Runs(ctx, 1)
	if err != nil {
		return err
	}
	c.Done, c.Failed = p.Done, p.Failed
	switch {
	case len(runs) == 0:
		c.Stays = "it never ran"
		return nil
	case open || !p.Complete():
		c.Stays = fmt.Sprintf("unfinished, %d left", max(1, p.Pending+p.InFlight))
	case runs[0].EndedAt == nil:
		c.Stays = "its last run died"
	case runs[0].Ended != Finished:
		c.Stays = "its last run was " + runs[0].Ended
	case !runs[0].Heartbeat.Before(before):
		c.Stays = staysYoung
	}
	c.Last = runs[0].Heartbeat
	return nil
}

// RemoveFinished deletes the state file at path if Inspect, asked again under the lock, finds nothing that speaks against
// it; Stays says what did. Errors are those of Inspect and Remove. The lock file stays.
func RemoveFinished(ctx context.Context, path string, before time.Time) (Cleanable, error) {
	if c, err := Inspect(ctx, path, before); err != nil || c.Stays != "" {
		return c, err
	}
	l, err := lock(ctx, path)
	if err != nil {
		return Cleanable{Path: path}, err
	}
	c, err := inspect(ctx, path, before, true)
	if err == nil && c.Stays == "" {
		err = removeFiles(path)
	}
	return c, errors.Join(err, l.Close())
}

// removeFiles deletes a state file that this process has locked. The WAL first: without its database it means nothing, the
// other way round it could be read into a new one.
func removeFiles(path string) (err error) {
	target := followed(path)
	for _, suffix := range []string{"-wal", "-shm", freshSuffix, ""} {
		if e := os.Remove(target + suffix); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, fmt.Errorf("remove state file: %w", e))
		}
	}
	if err != nil {
		return err
	}
	return writeMarker(target, marker{}, true) // the next file of that name is another
}
