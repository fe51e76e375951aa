//go:build race

package powercut

// The race detector makes SQLite, which is compiled from C, many times slower; there is little to race here.
const cutsByDefault, runsByDefault = 6, 1
