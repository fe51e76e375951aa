package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"dogear/crawl"
	"dogear/crawl/job"
	"dogear/internal/logs"
	"dogear/state"
)

func logFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "log-dir",
			Usage: "keep a log in `DIR`, as JSON lines, a file a day: 30 days of everything, 90 of errors"},
		&cli.StringFlag{Name: "log-level",
			Usage: "the least `LEVEL` that goes into it: debug (every task), info, warn (every failed attempt), " +
				"error (every failed task); without --log-dir the log goes to stderr", DefaultText: "info"},
	}
}

// logOptions are what the log flags ask for.
type logOptions struct {
	dir   string
	level slog.Level
	given bool // a level was
}

func readLog(c *cli.Context) (logOptions, error) {
	o := logOptions{dir: c.String("log-dir"), given: c.IsSet("log-level")}
	if c.IsSet("log-dir") && o.dir == "" {
		return o, usagef("--log-dir takes a folder")
	}
	switch text := c.String("log-level"); text {
	case "debug", "info", "warn", "error":
		return o, o.level.UnmarshalText([]byte(text))
	case "":
		if !o.given {
			return o, nil
		}
	}
	return o, usagef("--log-level is debug, info, warn or error, not %q", c.String("log-level"))
}

// runLog is the log of a run. A nil one does nothing.
type runLog struct {
	job    *job.Job
	logger *slog.Logger
	file   *logs.Log // nil: it goes to stderr
	to     string    // the folder
}

// newRunLog opens what is asked for, nil when nothing is. trouble hears when the files can't be written any more.
func newRunLog(j *job.Job, o logOptions, stderr slog.Handler, trouble func(string)) (*runLog, error) {
	l := &runLog{job: j, to: o.dir}
	name := j.Hide(j.Name)
	switch {
	case o.dir != "":
		file, err := logs.Open(logs.Options{Dir: o.dir, Job: name, Level: o.level, Now: time.Now(),
			Trouble: func(err error) {
				trouble(fmt.Sprintf("%v: the crawl goes on without a log until that works again", err))
			}})
		if err != nil {
			return nil, fmt.Errorf("--log-dir %s: %w; make it writable, or name another", o.dir, err)
		}
		l.file, l.logger = file, slog.New(file.Handler()).With("job", name)
	case o.given:
		l.logger = slog.New(stderr)
	default:
		return nil, nil
	}
	return l, nil
}

// logHandler is where a log without files goes: coloured above the bar of a terminal, else as logfmt.
func logHandler(w io.Writer, s screen, level slog.Level) slog.Handler {
	if s.terminal {
		return tinted(w, s, level)
	}
	return slog.NewTextHandler(w, &slog.HandlerOptions{Level: level})
}

func (l *runLog) started(p *crawl.Progress, statePath string) {
	if l == nil {
		return
	}
	c := p.Found.Counts
	l.logger.Info("run started", "total", c.Total(), "done", c.Done, "failed", c.Failed, "left", c.Left(),
		"new", p.Found.New, "recovered", p.Found.Recovered, "put_back", p.PutBack, "refreshed", p.Refreshed,
		"state", statePath, "pid", os.Getpid(), "version", Version)
}

func (l *runLog) warn(text string) {
	if l != nil {
		l.logger.Warn(text)
	}
}

// landed logs every failed attempt as a warning, every failed task as an error and, if asked to, every done task.
func (l *runLog) landed(outcomes []state.Outcome) {
	if l == nil {
		return
	}
	ctx := context.Background()
	done := l.logger.Enabled(ctx, slog.LevelDebug)
	for i := range outcomes {
		o := &outcomes[i]
		for k := range o.Failures {
			a := &o.Failures[k]
			l.logger.LogAttrs(ctx, slog.LevelWarn, "attempt failed", append(l.task(&o.Task), slog.Int("attempt",
				a.Number),
				status(a.Status), slog.String("kind", a.Kind), ms(a.Took), slog.String("error", a.Error),
				slog.Time("began", a.At))...)
		}
		switch {
		case o.State == state.Failed:
			l.logger.LogAttrs(ctx, slog.LevelError, "task failed", append(l.task(&o.Task), attempts(o),
				status(o.Status), slog.String("kind", o.Kind), ms(o.Took), slog.String("error", o.Error))...)
		case o.State == state.Done && done:
			l.logger.LogAttrs(ctx, slog.LevelDebug, "task done", append(l.task(&o.Task), attempts(o),
				status(o.Status), ms(o.Took), slog.Int64("bytes", o.Bytes), slog.Int("records", len(o.Rows)))...)
		}
	}
}

// task are the attributes of a task; its URL is as it may be shown.
func (l *runLog) task(t *state.Task) []slog.Attr {
	return append(make([]slog.Attr, 0, 10),
		slog.Int64("task", t.ID), slog.String("url", l.job.HideURL(t.URL)), slog.String("page", t.Page))
}

func attempts(o *state.Outcome) slog.Attr { return slog.Int("attempt", o.Task.Attempts+o.Attempts) }

func ms(d time.Duration) slog.Attr { return slog.Int64("ms", d.Milliseconds()) }

// status is null when there was no answer.
func status(code int) slog.Attr {
	if code == 0 {
		return slog.Any("status", nil)
	}
	return slog.Int("status", code)
}

// finish logs how the run ended, and closes the log.
func (l *runLog) finish(sum *summary, code int, err error) {
	if l == nil {
		return
	}
	switch {
	case err != nil:
		l.logger.Error("run failed", "exit", code, "error", l.job.Hide(err.Error()))
	case sum != nil:
		c, t := sum.Counts, sum.Tally
		l.logger.Info("run ended", "ended", sum.Ended, "exit", code, "done", c.Done, "failed", c.Failed, "left",
			c.Left(),
			"tasks", sum.did(), "retried", t.Retried, "records", t.Records, "rejects", t.Rejects, "bytes", t.Bytes,
			"seconds", sum.Took.Seconds())
	}
	if l.file != nil {
		l.file.Close()
	}
}
