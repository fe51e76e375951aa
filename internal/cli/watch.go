package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"syscall"
	"time"

	"dogear/state"
)

const (
	watchEvery = time.Second
	// watchShare keeps what looking costs below a tenth of the time, however many tasks have failed.
	watchShare = 10
	// watchPatience is how many looks in a row may find the file damaged before that is believed: one that is being
	// removed, or set aside, looks so for a moment.
	watchPatience = 3
)

// watchStatus shows a job until its run ends, or until Ctrl-C, which is no failure.
func watchStatus(ctx context.Context, s Streams, t target) error {
	if !drawable(s.Out) {
		return usagef("--watch needs a terminal; for a program, run `dogear status --json %s` now and then, "+
			"or `dogear run --json %[1]s`", shown(t))
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	w := &watching{target: t, screen: newScreen(s.Out), out: newLive(s.Out)}
	over, err := w.run(ctx)
	if err != nil || !over {
		w.out.end(w.out.block)
		return err
	}
	w.out.end(nil)
	r, err := readStatus(context.WithoutCancel(ctx), t)
	if err != nil {
		return err
	}
	return r.print(s.Out)
}

// watching is a status that is shown again and again.
type watching struct {
	target  target
	screen  screen
	out     *live
	seen    bool // a run was at work
	known   bool // the file was there
	damaged int  // looks in a row
}

// run looks until there is nothing more to come; over is false when the user has seen enough.
func (w *watching) run(ctx context.Context) (over bool, err error) {
	for {
		began := time.Now()
		over, err := w.look(ctx, began)
		if ctx.Err() != nil {
			return false, nil
		}
		if over || err != nil {
			return over, err
		}
		timer := time.NewTimer(max(watchEvery, watchShare*time.Since(began)))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return false, nil
		}
	}
}

// look shows the job once. over: its run has ended, or there is nothing left to run.
func (w *watching) look(ctx context.Context, now time.Time) (over bool, err error) {
	w.screen.width, _ = w.out.size()
	g, err := glanceAt(ctx, w.target, now)
	if err != nil {
		return false, w.unreadable(err)
	}
	w.damaged, w.known = 0, true
	word := ""
	switch {
	case g.running:
		w.seen = true
	case w.seen, g.progress.Complete():
		return true, nil
	default:
		word = fmt.Sprintf("no run is working on it; waiting for one: dogear run %s", shown(w.target))
	}
	w.out.draw(g.block(w.screen, word))
	return false, nil
}

// unreadable says what there is to wait for, or returns what waiting does not mend.
func (w *watching) unreadable(err error) error {
	newer := (*state.NewerError)(nil)
	word := fmt.Sprintf("%s can't be read now (%v): trying again", w.target.statePath, err)
	switch {
	case errors.Is(err, state.ErrForeign), errors.As(err, &newer):
		return err
	case state.IsDamage(err):
		if w.damaged++; w.damaged > watchPatience {
			return err
		}
	case errors.Is(err, state.ErrNone) && w.known:
		w.seen = false
		word = fmt.Sprintf("%s was removed, as by dogear reset; waiting for a run: dogear run %s",
			w.target.statePath, shown(w.target))
	case errors.Is(err, state.ErrNone):
		if _, stat := os.Stat(w.target.jobPath); errors.Is(stat, fs.ErrNotExist) {
			return err // a name that was typed wrong
		}
		word = fmt.Sprintf("%s is not there yet; waiting for a run: dogear run %s", w.target.statePath, shown(w.target))
	}
	w.out.draw(w.screen.words(word))
	return nil
}
