package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"dogear/state/btree"
)

// marker is what a run leaves in the lock file, as one line of JSON for people too: it tells the next run what the
// state file should look like. It is written in place, never by a rename: the lock is on this very file.
type marker struct {
	Job     string `json:"job,omitempty"`
	Created int64  `json:"created,omitempty"` // job.created_at
	Run     int64  `json:"run,omitempty"`
	PID     int    `json:"pid,omitempty"`
	Host    string `json:"host,omitempty"`
	Since   string `json:"since,omitempty"`    // when the run began
	WALSalt uint32 `json:"wal_salt,omitempty"` // the first salt of the -wal
	Beat    int64  `json:"beat,omitempty"`     // time of a commit that is in the file, Unix ms; at most a second old
	Ended   bool   `json:"ended,omitempty"`    // and all of it is in the file itself: there is no -wal
	Damaged string `json:"damaged,omitempty"`  // what SQLite said to that

	Salvaging *setAside `json:"salvaging,omitempty"` // a salvage has begun; nothing else but this counts then
}

// known reports whether a state file was ever committed to here.
func (m *marker) known() bool { return m.Created != 0 }

// same reports whether a file's job is the one that the marker is of.
func (m *marker) same(j jobID) bool { return j == jobID{m.Job, m.Created} }

// jobID tells jobs apart: the same name again may be another.
type jobID struct {
	name    string
	created int64
}

// died reports whether the last run did not end in order.
func (m *marker) died() bool { return m.known() && !m.Ended }

// markerAt is where the marker begins. Windows lets nobody but the holder's own handle read or write the bytes that are
// locked, which is the first one.
func markerAt() int64 {
	if runtime.GOOS == "windows" {
		return 1
	}
	return 0
}

const maxMarker = 64 << 10

// readMarker reads the marker of the state file at path. No lock file, an empty one, or one that holds something else
// are the zero marker.
func readMarker(path string) (m marker, err error) {
	if info, err := os.Stat(lockPath(path)); err == nil && !info.Mode().IsRegular() {
		return m, noFile(lockPath(path)) // to open a pipe would wait for ever
	}
	f, err := os.Open(lockPath(path))
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, fmt.Errorf("read the lock file: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.NewSectionReader(f, markerAt(), maxMarker))
	if err != nil {
		return m, fmt.Errorf("read the lock file: %w", err)
	}
	line, _, whole := strings.Cut(string(text), "\n")
	if !whole || json.Unmarshal([]byte(line), &m) != nil {
		return marker{}, nil
	}
	if s := m.Salvaging; s != nil && (!strings.Contains(s.Name, asideMark) || filepath.Base(s.Name) != s.Name) {
		return marker{}, nil // a salvage never wrote this
	}
	return m, nil
}

// writeMarker puts m into the lock file, which this process has locked. What is left behind its line from a longer one
// counts for nothing.
func writeMarker(path string, m marker, sync bool) (err error) {
	text, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("write the lock file: %w", err)
	}
	if m == (marker{}) {
		text = nil
	}
	f, err := os.OpenFile(lockPath(path), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("write the lock file: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.WriteAt(append(text, '\n'), markerAt()); err != nil {
		return fmt.Errorf("write the lock file: %w", err)
	}
	if err := f.Truncate(markerAt() + int64(len(text)) + 1); err != nil && runtime.GOOS != "windows" {
		return fmt.Errorf("write the lock file: %w", err)
	}
	if !sync {
		return nil
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("write the lock file: %w", err)
	}
	return nil
}

// mark writes down, after the first transaction, what the file looks like from now on. A marker is a help, not the
// guarantee: that it can't be written, on a full disk say, is no reason not to run.
func (r *Run) mark(now time.Time) {
	salt, _ := walSalt(followed(r.path) + "-wal")
	r.marker = marker{
		Job: r.job.name, Created: r.job.created, Run: r.ID, PID: os.Getpid(), Host: hostname(),
		Since: now.UTC().Format(time.RFC3339), WALSalt: salt, Beat: now.UnixMilli(),
	}
	_ = writeMarker(r.path, r.marker, true)
}

// beat keeps the marker no more than a second behind the commits.
func (r *Run) beat(now time.Time) {
	if !r.marker.known() {
		return
	}
	if age := now.UnixMilli() - r.marker.Beat; age >= 0 && age < 1000 {
		return
	}
	r.marker.Beat = now.UnixMilli()
	// When another connection begins the -wal anew, the next to write to it takes a salt by chance.
	if salt, ok := walSalt(followed(r.path) + "-wal"); ok {
		r.marker.WALSalt = salt
	}
	_ = writeMarker(r.path, r.marker, false)
}

// unmark writes down that the run has ended and its file is closed. While another process still reads the file its -wal
// stays, and with it what the marker says of it.
func (r *Run) unmark() error {
	m := r.marker
	r.marker = marker{} // without the lock it is another's to write
	if !m.known() || m.Damaged != "" {
		return nil
	}
	if _, err := os.Stat(followed(r.path) + "-wal"); err == nil {
		return nil
	}
	return writeMarker(r.path, marker{Job: m.Job, Created: m.Created, Run: m.Run, Beat: m.Beat, Ended: true}, true)
}

// walSalt reads the first salt of a -wal; ok is false when it has no frame, or no header that is one.
func walSalt(path string) (salt uint32, ok bool) {
	f, err := os.Open(path)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() <= walHeader {
		return 0, false
	}
	header, err := readAt(f, 0, walHeader)
	if err != nil {
		return 0, false
	}
	return btree.WALSalt(header)
}
