//go:build !race

package state_test

// every is the step in which tests go through damages that are many alike: all of them.
const every = 1
