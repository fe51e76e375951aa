//go:build !unix

package state_test

import "errors"

func openUnprivileged(string) error { return errors.New("no such role here") }
