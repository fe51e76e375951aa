//go:build !windows

package fetch

import "syscall"

const socketsEMFILE = syscall.EMFILE
