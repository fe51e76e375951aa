//go:build unix

package crawl

import (
	"math"
	"syscall"
)

// maxFiles is how many files this process may have open; false: not known.
func maxFiles() (int, bool) {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l); err != nil {
		return 0, false
	}
	return int(min(uint64(l.Cur), math.MaxInt32)), true
}
