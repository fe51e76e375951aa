//go:build !unix

package crawl

// maxFiles is how many files this process may have open; false: not known.
func maxFiles() (int, bool) { return 0, false }
