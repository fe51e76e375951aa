//go:build linux || darwin || freebsd

package cli

import "golang.org/x/sys/unix"

// freeSpace is how many bytes this user may still write where path is; false: not known.
func freeSpace(path string) (int64, bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true
}
