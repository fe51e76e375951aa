//go:build !unix

package state

// access leaves it to the first write to find out.
func access(string) error { return nil }
