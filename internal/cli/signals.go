package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// untilInterrupted returns a context that the first Ctrl-C (or SIGTERM) cancels: the run stops taking work and comes to an
// orderly end, which word announces. The second one leaves at once, which is safe too. Call stop when the run is over.
func untilInterrupted(parent context.Context, stderr io.Writer, word string) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	over := make(chan struct{})
	go func() {
		select {
		case <-over:
			return
		case <-signals:
		}
		fmt.Fprintf(stderr, "\n%s; Ctrl-C again leaves at once, which is safe too\n", word)
		cancel()
		select {
		case <-over:
		case <-signals:
			os.Exit(exitInterrupted)
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(over)
		cancel()
	}
}
