package powercut

import (
	"errors"
	"testing"
)

// lying is the same history on a disk that says it has synced and has not: syncs of the files for which drop says so.
func (h *history) lying(drop func(o *op) bool) *history {
	l := *h
	l.ops = nil
	for _, o := range h.ops {
		if o.kind != syncFile || !drop(o) {
			l.ops = append(l.ops, o)
		}
	}
	return &l
}

// without is the same history on a disk that loses one write, synced or not, or one sync.
func (h *history) without(lost *op) *history {
	l := *h
	l.ops = nil
	for _, o := range h.ops {
		if o != lost {
			l.ops = append(l.ops, o)
		}
	}
	return &l
}

// wantCaught plays disks that break their promise: had dogear not synced, it would look the same, so the check must
// see it. Else it proves nothing.
func wantCaught(t *testing.T, f *floors) {
	t.Helper()
	h, db, wal := f.h, f.h.names[0], f.wal
	begun := h.lastAnew(wal)
	committed := h.syncedAt(f.commits[len(f.commits)-1]) // the last checkpoint has not begun
	for _, c := range []struct {
		name string
		disk *history
		cut  int
	}{
		{"a disk that ignores the syncs of the WAL, as with synchronous=OFF",
			h.lying(func(o *op) bool { return o.name == wal }), committed},
		{"a disk that loses the last synced commit frame", h.without(f.lastBefore(committed)), committed},
		// All of them: the last one may have had nothing new to sync.
		{"a disk that ignores the syncs of the database before the WAL is begun anew",
			h.lying(func(o *op) bool { return o.name == db && o.end < begun.start }), begun.end + 2},
	} {
		files := c.disk.diskAt(c.cut).after(nothing, h.names, newRandom(1))
		err := checkFiles(t, f, cut{c.cut, nothing}, files)
		if !errors.Is(err, errLost) && !errors.Is(err, errDamaged) {
			t.Errorf("%s: the check says %v", c.name, err)
		}
		t.Logf("%s: %.700v", c.name, err)
		if err := checkFiles(t, f, cut{c.cut, nothing}, h.diskAt(c.cut).after(nothing, h.names, newRandom(1))); err != nil {
			t.Errorf("an honest disk, at the same moment: %v", err)
		}
	}
	if _, err := h.lying(func(o *op) bool { return o.name == wal }).answered(wal); !errors.Is(err, errUnsynced) {
		t.Errorf("commits that are not synced: %v", err)
	}
}

// lastAnew is the last sync of a WAL's header over an older WAL.
func (h *history) lastAnew(wal string) *op {
	var found *op
	for i, o := range h.ops[1:] {
		before := h.ops[i]
		header := before.kind == write && before.name == wal && before.at == 0
		if header && o.kind == syncFile && o.name == wal {
			found = o
		}
	}
	return found
}

// syncedAt is the moment when a write to a file was synced, or the end.
func (h *history) syncedAt(o *op) int {
	for _, s := range h.ops {
		if s.kind == syncFile && s.name == o.name && s.start > o.end && s.end != never {
			return s.end + 1
		}
	}
	return h.clock
}

// lastBefore is the last commit frame that was synced before a moment.
func (f *floors) lastBefore(cut int) *op {
	_, synced, err := f.at(cut)
	if err != nil {
		return nil
	}
	var last *op
	for _, o := range f.commits {
		if o.end < synced {
			last = o
		}
	}
	return last
}
