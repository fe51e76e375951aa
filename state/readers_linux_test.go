package state_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"dogear/state"
)

// The lines are those of Linux 6.1 for SQLite 3.40 on the device 254:0.
func TestWhoReadsAWALIsReadFromTheLocks(t *testing.T) {
	for _, c := range []struct {
		name, locks string
		want        []int64
	}{
		{"nobody", "", nil},
		{"a connection that does not read", "1: POSIX  ADVISORY  READ 7207 fe:00:99 128 128", nil},
		{"a reader", "5: POSIX  ADVISORY  READ 7207 fe:00:99 124 124", []int64{7207}},
		{"a reader of the file alone", "5: POSIX  ADVISORY  READ 7207 fe:00:99 123 123", []int64{7207}},
		{"a lock that was joined with its neighbour", "5: POSIX  ADVISORY  READ 7207 fe:00:99 127 128", []int64{7207}},
		{"a reader with two connections, and another",
			"1: POSIX  ADVISORY  READ 9 fe:00:99 124 124\n2: POSIX  ADVISORY  READ 8 fe:00:99 125 126\n" +
				"3: POSIX  ADVISORY  READ 9 fe:00:99 126 126", []int64{8, 9}},
		{"a writer", "4: POSIX  ADVISORY  WRITE 7207 fe:00:99 120 120", nil},
		{"the database itself", "2: POSIX  ADVISORY  READ 7207 fe:00:99 1073741826 1073742335", nil},
		{"another kind of lock", "3: FLOCK  ADVISORY  READ 7207 fe:00:99 0 EOF", nil},
		{"one that waits", "5: -> POSIX  ADVISORY  READ 7207 fe:00:99 124 124", nil},
		{"a process that has no number here", "5: POSIX  ADVISORY  READ 0 fe:00:99 124 124", nil},
		{"another file", "5: POSIX  ADVISORY  READ 7207 fe:00:199 124 124", nil},
		{"the same number on another disk",
			"5: POSIX  ADVISORY  READ 7 fe:01:99 124 124\n6: POSIX  ADVISORY  READ 8 fe:00:99 124 124", []int64{8}},
		{"a file system that has two device numbers", "5: POSIX  ADVISORY  READ 7 00:2e:99 124 124", []int64{7}},
		{"what is no lock", "5: POSIX\nPOSIX POSIX ADVISORY READ x y z 1\n\n5: POSIX ADVISORY READ 7 99 124 124", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := state.ReadLocks([]byte(c.locks), &syscall.Stat_t{Dev: 254 << 8, Ino: 99}); !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

// What this system's stat and its /proc/locks say of one file fits together, whatever the file system.
func TestALockOfThisProcessIsFound(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "job.db-shm"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lock := syscall.Flock_t{Type: syscall.F_RDLCK, Start: 124, Len: 1}
	if err := syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &lock); err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	locks, err := os.ReadFile("/proc/locks")
	if err != nil {
		t.Fatal(err)
	}
	if got := state.ReadLocks(locks, info.Sys().(*syscall.Stat_t)); !slices.Equal(got, []int64{int64(os.Getpid())}) {
		t.Errorf("%v, want pid %d; the locks:\n%s", got, os.Getpid(), strings.TrimSpace(string(locks)))
	}
}
