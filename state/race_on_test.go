//go:build race

package state_test

// every is the step in which tests go through damages that are many alike. Under the race detector SQLite, which is
// compiled from C, is many times slower, and one goroutine alone uses it there.
const every = 6
