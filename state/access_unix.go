//go:build unix

package state

import "syscall"

// access asks whether this user may write to a file or into a folder, without opening it.
func access(path string) error {
	const write = 2 // W_OK
	return syscall.Access(path, write)
}
