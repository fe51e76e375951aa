package cli

import (
	"errors"
	"fmt"
	"io"

	"dogear/crawl"
	"dogear/crawl/job"
	"dogear/state"
)

// The exit codes, also in the help.
const (
	exitComplete    = 0
	exitError       = 1
	exitUsage       = 2 // or a bad job file
	exitSomeFailed  = 3
	exitLocked      = 4
	exitStopped     = 5 // by itself: too many failures
	exitInterrupted = 130
)

const exitHelp = `Exit codes: 0 complete; 1 error; 2 usage or a bad job file; 3 finished, some tasks failed;
4 another run holds the file; 5 stopped by itself (too many failures); 130 interrupted, resumable.`

// usageError is a command line that can't be meant.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// outcome is how a command ended that did what it was asked to, with an exit code that says more than 0.
type outcome struct{ code int }

func (o outcome) Error() string { return fmt.Sprintf("exit %d", o.code) }

// ended turns an exit code into what a command returns.
func ended(code int) error {
	if code == exitComplete {
		return nil
	}
	return outcome{code}
}

// exitCode prints err for people, if there is anything to say, and picks the exit code.
func exitCode(err error, stderr io.Writer) int {
	var o outcome
	if errors.As(err, &o) {
		return o.code
	}
	var usage *usageError
	var choice *crawl.ChoiceError
	var bad *job.Error
	var changed *crawl.ChangedError
	var locked *state.LockedError
	switch {
	case err == nil:
		return exitComplete
	case errors.As(err, &bad):
		fmt.Fprintln(stderr, bad)
		return exitUsage
	case errors.As(err, &changed):
		fmt.Fprintf(stderr, "dogear: %v\n", changed)
		return exitUsage
	case errors.As(err, &usage), errors.As(err, &choice):
		fmt.Fprintf(stderr, "dogear: %v\n", err)
		return exitUsage
	case errors.As(err, &locked):
		fmt.Fprintf(stderr, "dogear: %v\n", locked)
		return exitLocked
	}
	fmt.Fprintf(stderr, "dogear: %v\n", told(err))
	if damaged := (*state.DamagedError)(nil); state.IsDamage(err) && !errors.As(err, &damaged) {
		fmt.Fprintln(stderr, state.DamageHint)
	}
	return exitError
}

// told leaves out what was being done when the disk refused, which says no more than the error of the disk itself.
func told(err error) error {
	var full *state.FullError
	var disk *state.DiskError
	var unwritable *state.UnwritableError
	switch {
	case errors.As(err, &full):
		return full
	case errors.As(err, &disk):
		return disk
	case errors.As(err, &unwritable):
		return unwritable
	}
	return err
}
