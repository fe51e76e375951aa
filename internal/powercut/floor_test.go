package powercut

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The format of a WAL: a header of 32 bytes, then frames, each a header of 24 bytes and a page. Bytes 4 to 8 of a
// frame's header are the size of the database after a commit, and 0 in a frame that ends none
// (https://sqlite.org/fileformat2.html#walformat).
const (
	walHeader   = 32
	frameHeader = 24
	pageSize    = 4096
)

// commitsOf returns, for each commit frame written to the WAL, the write that completes it: the last of the
// transaction.
func (h *history) commitsOf(wal string) (commits []*op) {
	var head *op
	for _, o := range h.ops {
		if o.kind != write || o.name != wal {
			continue
		}
		frame := o.at >= walHeader && (o.at-walHeader)%(frameHeader+pageSize) == 0
		switch {
		case frame && len(o.data) == frameHeader && binary.BigEndian.Uint32(o.data[4:]) != 0:
			head = o
		case head != nil && o.at == head.at+frameHeader && len(o.data) == pageSize:
			commits = append(commits, o)
			head = nil
		default:
			head = nil
		}
	}
	return commits
}

// errUnsynced is the error of a commit that nothing made certain before the next write.
var errUnsynced = errors.New("a commit was not synced before the next write to the WAL")

// answered checks, without a word of dogear's, that every commit was on the disk before anything else was done: what
// follows it in the history must be a sync of the WAL. So the floor is all that dogear can have answered for.
func (h *history) answered(wal string) (commits int, err error) {
	all := h.commitsOf(wal)
	last := map[*op]bool{}
	for _, o := range all {
		last[o] = true
	}
	for i, o := range h.ops {
		if !last[o] {
			continue
		}
		if i+1 == len(h.ops) || h.ops[i+1].kind != syncFile || h.ops[i+1].name != wal {
			return 0, fmt.Errorf("%w: %s", errUnsynced, o)
		}
	}
	return len(all), nil
}

// floors reads what must be there, and remembers it: cuts share their floors.
type floors struct {
	h       *history
	wal     string
	commits []*op
	scratch string // a folder
	known   map[int]state
}

// state is what is in the files at a moment, with nothing lost.
type state struct {
	rows     snapshot
	finished []string // URLs
}

func newFloors(h *history, scratch string) *floors {
	wal := walOf(h.names)
	return &floors{h: h, wal: wal, commits: h.commitsOf(wal), scratch: scratch, known: map[int]state{}}
}

func walOf(names []string) string {
	for _, name := range names {
		if strings.HasSuffix(name, "-wal") {
			return name
		}
	}
	return ""
}

// at returns the floor of a cut: the state at the start of the last sync of the WAL that ended before it. Before the
// first one nothing need be there.
func (f *floors) at(cut int) (state, int, error) {
	moment := 0
	for _, o := range f.h.ops {
		if o.kind == syncFile && o.name == f.wal && o.end < cut {
			moment = o.start
		}
	}
	s, err := f.exact(moment)
	return s, moment, err
}

// allowed are the floor, and the commits that were written after it and may be there.
func (f *floors) allowed(cut int) allowed {
	return func(i int) (snapshot, bool, error) {
		floor, moment, err := f.at(cut)
		if err != nil || i == 0 {
			return floor.rows, true, err
		}
		for _, o := range f.commits {
			if o.start < moment || o.start >= cut {
				continue
			}
			if i--; i == 0 {
				s, err := f.exact(o.start + 1)
				return s.rows, true, err
			}
		}
		return nil, false, nil
	}
}

// exact reads the files as the processes saw them at a moment.
func (f *floors) exact(moment int) (state, error) {
	if s, ok := f.known[moment]; ok {
		return s, nil
	}
	folder, err := os.MkdirTemp(f.scratch, "exact")
	if err != nil {
		return state{}, err
	}
	defer os.RemoveAll(folder)
	if err := put(folder, f.h.diskAt(moment).after(everything, f.h.names, newRandom(0))); err != nil {
		return state{}, err
	}
	s, err := readState(filepath.Join(folder, f.h.names[0]))
	if err != nil {
		return state{}, fmt.Errorf("read the exact state at moment %d: %w", moment, err)
	}
	f.known[moment] = s
	return s, nil
}

func readState(path string) (s state, err error) {
	db, err := open(path)
	if err != nil || db == nil {
		return s, err
	}
	defer db.Close()
	if s.rows, err = read(db); err != nil {
		return s, err
	}
	s.finished, err = tasksFinished(db)
	return s, err
}
