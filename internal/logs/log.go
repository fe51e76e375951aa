package logs

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const (
	keepDays, keepErrorDays = 30, 90
	// waiting is how many lines may wait for the disk before who writes them does.
	waiting = 4096
	// chunk is from how many bytes on lines are written though more are waiting.
	chunk = 64 << 10
)

// Options say where a log is kept.
type Options struct {
	Dir   string // made if absent
	Job   string // the files are called after it
	Level slog.Level
	Now   time.Time // which files are old
	// Trouble is told when the log can't be written, and again when that happens after it could; by the goroutine that
	// writes it. nil: nobody is.
	Trouble func(error)
}

// Log is an open log. Close it when nobody uses its Handler any more.
type Log struct {
	options Options
	lines   chan line
	written sync.WaitGroup
	all     series
	errors  series
	failing bool

	sweeping sync.WaitGroup
	busy     atomic.Bool        // somebody sweeps
	over     context.Context    // ends the sweeping
	cancel   context.CancelFunc // ends over

	mu     sync.Mutex // of buffer, and so of the formatting
	buffer bytes.Buffer
}

type line struct {
	day   string
	text  []byte
	error bool
}

// Open opens the log of today. An error says that the folder can't be made, or not be written to.
func Open(o Options) (*Log, error) {
	l, err := newLog(o)
	if err == nil {
		l.written.Go(l.write)
	}
	return l, err
}

func newLog(o Options) (*Log, error) {
	name := fileName(o.Job)
	l := &Log{
		options: o, lines: make(chan line, waiting),
		all: series{dir: o.Dir, name: name}, errors: series{dir: o.Dir, name: name + "-errors"},
	}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return nil, fmt.Errorf("make the folder of the log: %w", err)
	}
	if err := l.all.open(day(o.Now)); err != nil {
		return nil, err
	}
	l.over, l.cancel = context.WithCancel(context.Background())
	l.sweep(day(o.Now))
	return l, nil
}

// Handler returns what slog writes to. A record goes to the file of its own day.
func (l *Log) Handler() slog.Handler {
	return &handler{l, slog.NewJSONHandler(&l.buffer, &slog.HandlerOptions{Level: l.options.Level})}
}

// Close writes what is left. The Handler may not be used any more.
func (l *Log) Close() {
	close(l.lines)
	l.written.Wait()
	l.cancel()
	l.sweeping.Wait()
	l.tell(l.all.close())
	l.tell(l.errors.close())
}

// handler formats where it is called and leaves the writing to the log's goroutine.
type handler struct {
	log *Log
	slog.Handler
}

func (h *handler) Handle(ctx context.Context, r slog.Record) error {
	l := h.log
	l.mu.Lock()
	l.buffer.Reset()
	err := h.Handler.Handle(ctx, r)
	text := bytes.Clone(l.buffer.Bytes())
	l.mu.Unlock()
	if err == nil {
		l.lines <- line{day(r.Time), text, r.Level >= slog.LevelError}
	}
	return err
}

func (h *handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &handler{h.log, h.Handler.WithAttrs(attrs)}
}

func (h *handler) WithGroup(name string) slog.Handler {
	return &handler{h.log, h.Handler.WithGroup(name)}
}

// write takes lines until there are no more, and writes when none waits.
func (l *Log) write() {
	for first := range l.lines {
		l.take(first)
		for more := true; more; {
			select {
			case next, open := <-l.lines:
				if more = open; open {
					l.take(next)
				}
			default:
				more = false
			}
		}
		l.flush()
	}
}

// take keeps a line for the next flush. With a new day the files of the old one are written first.
func (l *Log) take(n line) {
	if l.all.day != n.day && l.all.day != "" {
		l.flush()
		l.sweep(n.day)
	}
	l.all.add(n)
	if n.error {
		l.errors.add(n)
	}
	if l.all.pending.Len() >= chunk {
		l.flush()
	}
}

func (l *Log) flush() {
	err := l.all.flush()
	if other := l.errors.flush(); err == nil {
		err = other
	}
	l.tell(err)
}

// tell tells of trouble once, until there is none.
func (l *Log) tell(err error) {
	if err != nil && !l.failing && l.options.Trouble != nil {
		l.options.Trouble(err)
	}
	l.failing = err != nil
}

// sweep compresses and removes files of other days than this one, beside everything else.
func (l *Log) sweep(today string) {
	if !l.busy.CompareAndSwap(false, true) {
		return // the next day will do
	}
	all, errors := l.all.name, l.errors.name
	l.sweeping.Go(func() {
		defer l.busy.Store(false)
		// Whatever is wrong with old files, today's matter more; the next time they are tried again.
		_ = sweep(l.over, l.options.Dir, all, today, keepDays)
		_ = sweep(l.over, l.options.Dir, errors, today, keepErrorDays)
	})
}
