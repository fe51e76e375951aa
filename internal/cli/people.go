package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/lmittmann/tint"

	"dogear/state"
)

// shownFailures is how many tasks of each kind of failure are shown above a bar as they fail.
const shownFailures = 3

// people are told on stderr what matters while a run goes on: on a terminal warnings and failed tasks, with the time
// and in colour; elsewhere warnings, as lines like any other.
type people struct {
	w      io.Writer // of whole lines
	name   string    // of the job
	target target
	screen screen
	tinted slog.Handler
	failed map[string]int // so many of each kind; of the engine's goroutine
}

func newPeople(w io.Writer, s screen, name string, t target) *people {
	return &people{w: w, name: name, target: t, screen: s, tinted: tinted(w, s, slog.LevelInfo),
		failed: map[string]int{}}
}

// tinted is for a terminal. What goes there must be visible, messages too.
func tinted(w io.Writer, s screen, level slog.Level) slog.Handler {
	return tint.NewTextHandler(w, &tint.Options{Level: level, TimeFormat: time.TimeOnly, NoColor: !s.colour})
}

// tintedHead is how wide what stands before a message is: 15:04:05 WRN.
const tintedHead = 13

func (p *people) warn(text string) {
	if !p.screen.terminal {
		fmt.Fprintf(p.w, "%s: %s\n", p.name, visible(text))
		return
	}
	p.say(slog.LevelWarn, p.screen.wrap(visible(text), tintedHead))
}

func (p *people) say(level slog.Level, text string) {
	// The terminal has nobody to tell of its own errors.
	_ = p.tinted.Handle(context.Background(), slog.NewRecord(time.Now(), level, text, 0))
}

// landed shows the first failed tasks of each kind, and then says where the others are.
func (p *people) landed(outcomes []state.Outcome, hide func(string) string) {
	if !p.screen.terminal {
		return
	}
	for i := range outcomes {
		o := &outcomes[i]
		if o.State != state.Failed {
			continue
		}
		p.failed[o.Kind]++
		switch n := p.failed[o.Kind]; {
		case n <= shownFailures:
			p.say(slog.LevelError, p.failure(o, hide(o.Task.URL)))
		case n == shownFailures+1:
			text := fmt.Sprintf("more %s failures are counted, not shown: dogear failures %s --kind %s",
				o.Kind, shown(p.target), o.Kind)
			p.say(slog.LevelError, p.screen.wrap(visible(text), tintedHead))
		}
	}
}

// failure is one line: the end of the URL and the beginning of the reason stay.
func (p *people) failure(o *state.Outcome, url string) string {
	head, reason := o.Kind+"  ", visible(o.Error)
	width := max(p.screen.width-tintedHead-len(head)-between, 20)
	url = fitURL(visible(url), max(width/2, width-cellWidth(reason)))
	return head + url + "  " + fit(reason, max(width-cellWidth(url), 1))
}
