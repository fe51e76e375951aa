//go:build race

package cli_test

// few leaves one in three of the points at which a process is killed, or its disk fails. Under the race detector SQLite,
// which is compiled from C, is many times slower, and a killed process has little to race.
func few[T any](all []T) []T {
	var some []T
	for i := 0; i < len(all); i += 3 {
		some = append(some, all[i])
	}
	return some
}
