package state

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// unseen is what a reader is called who holds no lock that can be seen from here.
const unseen = "a reader that can't be named (it is in another container, or has just ended)"

// A read of the WAL is a shared lock on one of these bytes of the -shm file: 120 plus WAL_READ_LOCK(0) to (4), 3 to 7.
// See https://www.sqlite.org/walformat.html#wal_locks and UNIX_SHM_BASE in SQLite's os_unix.c.
const firstReadLock, lastReadLock = 120 + 3, 120 + 7

// walReaders returns the processes that read from the WAL whose index is shm.
func walReaders(shm string) ([]Reader, error) {
	info, err := os.Stat(shm)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	locks, err := os.ReadFile("/proc/locks")
	if err != nil {
		return nil, err
	}
	var readers []Reader
	for _, pid := range readLocks(locks, info.Sys().(*syscall.Stat_t)) {
		name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
		if errors.Is(err, fs.ErrNotExist) {
			continue // it has ended since
		}
		readers = append(readers, Reader{PID: pid, Name: strings.TrimSpace(string(name))})
	}
	return readers, nil
}

// readLocks returns who holds a read lock of the WAL on this file, each once, from the text of /proc/locks
// (proc_locks(5)). Of other containers it tells nothing. Its device is the file system's, which on btrfs and overlayfs
// need not be what stat says: then the inode has to do, and the bytes that are locked.
func readLocks(locks []byte, file *syscall.Stat_t) []int64 {
	device, inode := device(uint64(file.Dev)), strconv.FormatUint(file.Ino, 10)
	var same, alike []int64
	lines := bufio.NewScanner(bytes.NewReader(locks))
	for lines.Scan() {
		// 5: POSIX  ADVISORY  READ 7207 fe:00:9978174 124 124
		f := strings.Fields(lines.Text())
		if len(f) < 8 || f[1] != "POSIX" || f[3] != "READ" {
			continue
		}
		pid, _ := strconv.ParseInt(f[4], 10, 64)
		on := strings.LastIndexByte(f[5], ':')
		if pid <= 0 || on < 0 || f[5][on+1:] != inode || !isReadLock(f[6], f[7]) {
			continue
		}
		if alike = append(alike, pid); f[5][:on] == device {
			same = append(same, pid)
		}
	}
	if len(same) == 0 {
		same = alike
	}
	slices.Sort(same)
	return slices.Compact(same)
}

// device is a device number as /proc/locks writes it, in hexadecimal. How Linux packs one: gnu_dev_major(3).
func device(dev uint64) string {
	return fmt.Sprintf("%02x:%02x", dev>>8&0xfff|dev>>32&0xfffff000, dev&0xff|dev>>12&0xffffff00)
}

// isReadLock also knows a lock that the kernel has joined with the one on byte 128, which every connection holds.
func isReadLock(first, last string) bool {
	from, err := strconv.ParseInt(first, 10, 64)
	to, err2 := strconv.ParseInt(last, 10, 64) // or EOF, which SQLite never asks for
	return err == nil && err2 == nil && from <= lastReadLock && to >= firstReadLock
}
