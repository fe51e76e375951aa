package powercut

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dogear/internal/testenv"
)

// traced are the system calls that can change a file, or make a change certain; those that a machine does not have are
// marked. A call that the model here does not know fails the test.
const traced = "trace=?open,openat,?creat,?write,writev,pwrite64,pwritev,?pwritev2,ftruncate,?truncate,?fallocate," +
	"?copy_file_range,?sendfile,?splice,fsync,fdatasync,?sync_file_range," +
	"?unlink,unlinkat,?rename,?renameat,?renameat2,?link,linkat,mmap,close"

// kill are the arguments that kill the first run at the 8th sync that one thread begins: a commit is written, is not
// synced, and the next run finds it all the same. It works without --seccomp-bpf only.
var kill = []string{"-e", "inject=fsync:signal=KILL:when=8"}

// record works on the job in three runs, and returns what happened to the files and the last run's state file.
func record(t *testing.T, s *shop, products int) (*history, string) {
	t.Helper()
	strace := testenv.Tool(t, "strace", "strace")
	job, state := s.folder(t)
	name := filepath.Base(state)
	h := newHistory(filepath.Dir(state), name, name+"-wal", name+"-journal")
	s.anew(t, delay)
	trace := filepath.Join(t.TempDir(), "trace")
	under := []string{strace, "-f", "-y", "-s", "1048576", "-e", "signal=none", "-e", traced, "-o", trace, "-P", h.folder}
	for _, name := range h.names {
		under = append(under, "-P", filepath.Join(h.folder, name))
	}
	killed(t, job, state, products/20, slices.Concat(under, kill))
	h.addFile(t, trace)
	under = append(under, "--seccomp-bpf") // faster
	dogear(t, job, under, "--limit", strconv.Itoa(products/12))
	h.addFile(t, trace)
	if code := dogear(t, job, under); code != exitSomeFailed {
		t.Fatalf("the last run ended with %d", code)
	}
	h.addFile(t, trace)
	return h, state
}

func (h *history) addFile(t *testing.T, path string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	before := len(h.ops)
	if err := h.add(f); err != nil {
		t.Fatal(err)
	}
	t.Logf("recorded %d operations in a trace of %d bytes", len(h.ops)-before, info.Size())
}

// summary counts what was recorded. A checkpoint is a series of writes to the database after which it is synced, when
// there is a WAL; atEnd are those before the WAL is removed. A WAL that nothing was written to is that of a reader.
type summary struct {
	writes, syncs, folderSyncs, checkpoints, atEnd int
	bytes                                          int64
}

func (h *history) sum() (s summary) {
	dirty, wal := false, walOf(h.names)
	there, used := false, false
	for _, o := range h.ops {
		switch {
		case o.kind == write:
			s.writes++
			s.bytes += int64(len(o.data))
			used = used || strings.HasSuffix(o.name, wal)
			dirty = dirty || there && o.name == h.names[0]
		case o.kind == syncFolder:
			s.folderSyncs++
		case o.kind == syncFile:
			s.syncs++
			if dirty && o.name == h.names[0] {
				s.checkpoints++
				dirty = false
			}
		case strings.HasSuffix(o.name, wal):
			there = o.kind == makeName
			s.atEnd += bit(!there && used)
			used = false
		}
	}
	return s
}
