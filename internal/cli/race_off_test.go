//go:build !race

package cli_test

// few leaves all of the points at which a process is killed, or its disk fails: see its twin for the race detector.
func few[T any](all []T) []T { return all }
