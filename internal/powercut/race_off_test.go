//go:build !race

package powercut

const cutsByDefault, runsByDefault = 24, 3
