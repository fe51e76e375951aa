package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"dogear/crawl"
	"dogear/crawl/job"
	"dogear/export"
	"dogear/state"
)

const (
	// mirrorTasks is how many finished tasks a Redis mirror waits for, unless --mirror-every is over first.
	mirrorTasks = 10
	// mirrorLook is how often a mirror looks whether there is something to do.
	mirrorLook = 100 * time.Millisecond
	// mirrorEnd is how long the end of a run waits for its mirrors.
	mirrorEnd = 30 * time.Second
	// mirrorTries is how often the last write is tried, unless the one before failed already.
	mirrorTries = 3
)

const mirrorHelp = `Examples: dogear run products.yaml --mirror json:checkpoint.json
          dogear run products.yaml --mirror redis://:PASSWORD@127.0.0.1:6379/0 --mirror-every 1s

A mirror is a live copy of what dogear export json (or redis) writes. One that is down delays itself, never the crawl; what
it misses waits in the state file, and on the disk.

`

func mirrorFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "mirror", Usage: "keep a copy of the progress at `TARGET`: json:FILE, redis://HOST:6379/0, or redis (as REDIS_HOST, … say); several are fine"},
		&cli.StringFlag{Name: "mirror-every", Value: "5s", Usage: "bring it up to date every `DURATION`; Redis after 10 tasks already"},
	}
}

// mirrorOptions are what --mirror and --mirror-every ask for.
type mirrorOptions struct {
	targets []string
	every   time.Duration
}

func readMirrors(c *cli.Context) (mirrorOptions, error) {
	o := mirrorOptions{targets: c.StringSlice("mirror")}
	var err error
	if o.every, err = job.ParseDuration(c.String("mirror-every")); err != nil || o.every < mirrorLook {
		return o, usagef("--mirror-every is written 5s or 1m, from 100ms on, not %q", c.String("mirror-every"))
	}
	return o, nil
}

// mirror keeps one copy of a job's progress up to date. Its goroutine owns it from start to the end of stop.
type mirror struct {
	pace
	name   string // without a password
	repair string // the command that does the same by hand
	cursor *state.Mirror
	open   func(ctx context.Context, s *state.Store) (sink, error)
	warn   func(text string)

	done    int64 // tasks that had finished at the last write
	writes  int64
	took    time.Duration // all writes together
	failing bool          // the user has been told
	err     error         // that the last write ended with
}

// mirrors are those of a run.
type mirrors struct {
	all     []*mirror
	began   time.Time
	lasted  time.Duration
	over    chan struct{}
	running sync.WaitGroup
	store   *state.Store
	cancel  context.CancelFunc
	err     error // they could not be started
}

// newMirrors reads the targets. Nothing is connected or written yet.
func newMirrors(o mirrorOptions, t target, j *job.Job) (*mirrors, error) {
	ms := &mirrors{over: make(chan struct{})}
	seen := map[string]bool{}
	for _, text := range o.targets {
		m, err := newMirror(text, t, j)
		if err != nil {
			return nil, err
		}
		if seen[m.name] {
			return nil, usagef("--mirror: %s is there twice", m.name)
		}
		seen[m.name] = true
		m.every = o.every
		ms.all = append(ms.all, m)
	}
	return ms, nil
}

func newMirror(text string, t target, j *job.Job) (*mirror, error) {
	if path, ok := strings.CutPrefix(text, "json:"); ok {
		return newJSONMirror(path, t, j)
	}
	url := text
	if text == "redis" {
		url = ""
	} else if !strings.HasPrefix(text, "redis://") && !strings.HasPrefix(text, "rediss://") {
		return nil, usagef("--mirror is json:FILE, redis://HOST:6379/0 or redis, which is where REDIS_HOST, … say") // it may hold a password
	}
	to, err := redisTarget(j, url, "--mirror")
	if err != nil {
		return nil, err
	}
	m := &mirror{name: to.String(), pace: pace{tasks: mirrorTasks}, cursor: &state.Mirror{Target: to.String()}}
	m.repair = fmt.Sprintf("dogear export redis %s --url …", shown(t))
	if url == "" {
		m.repair = fmt.Sprintf("dogear export redis %s", shown(t))
	}
	m.open = func(ctx context.Context, s *state.Store) (sink, error) {
		page, c := &pacedPage{job: j}, checkpointOf(j)
		c.Page = page.current
		r, err := export.NewRedisMirror(ctx, c, s, to)
		return &redisSink{r, page, m.cursor}, err
	}
	return m, nil
}

func newJSONMirror(path string, t target, j *job.Job) (*mirror, error) {
	if info, err := os.Stat(filepath.Dir(path)); path == "" || err != nil || !info.IsDir() {
		return nil, usagef("--mirror json:FILE: there is no folder for the file %q", path)
	}
	m := &mirror{name: "json:" + path, pace: pace{share: jsonShare}}
	m.repair = fmt.Sprintf("dogear export json %s --out %s", shown(t), quoted(path))
	m.open = func(_ context.Context, s *state.Store) (sink, error) { return &jsonSink{checkpointOf(j), s, path}, nil }
	return m, nil
}

// cursors are those of the mirrors that are told what changes.
func (ms *mirrors) cursors() []*state.Mirror {
	var all []*state.Mirror
	for _, m := range ms.all {
		if m.cursor != nil {
			all = append(all, m.cursor)
		}
	}
	return all
}

// start starts a goroutine for each mirror; crawl.Run calls it when the state file is there.
func (ms *mirrors) start(t target, p *crawl.Progress, warn func(string)) {
	if len(ms.all) == 0 {
		return
	}
	var ctx context.Context
	ctx, ms.cancel = context.WithCancel(context.Background()) // not the run's: the last write comes after its end
	if ms.store, ms.err = t.open(ctx); ms.err != nil {
		return
	}
	ms.began = time.Now()
	for _, m := range ms.all {
		m.warn = warn
		ms.running.Go(func() { m.err = m.run(ctx, ms.store, p, ms.over) })
	}
}

// stop lets every mirror write a last time. It takes mirrorEnd at the most.
func (ms *mirrors) stop() {
	if ms.cancel == nil {
		return
	}
	timer := time.AfterFunc(mirrorEnd, ms.cancel)
	close(ms.over)
	ms.running.Wait()
	timer.Stop()
	ms.cancel()
	if ms.store != nil {
		ms.err = errors.Join(ms.err, ms.store.Close())
	}
	ms.lasted = time.Since(ms.began)
}

// report says how the mirrors ended.
func (ms *mirrors) report(w, errs io.Writer) {
	if ms.cancel == nil {
		return
	}
	for _, m := range ms.all {
		if err := errors.Join(m.err, ms.err); err != nil {
			fmt.Fprintf(errs, "the mirror %s is not up to date: %s\n  %s\n", m.name, visible(err.Error()), m.repair)
			continue
		}
		share := 100 * m.took.Seconds() / max(ms.lasted.Seconds(), 0.001)
		fmt.Fprintf(w, "  the mirror %s is up to date (%s, %.1f%% of the time)\n", m.name, counted(m.writes, "write"), share)
	}
}

// run writes when it is time to, until the run is over, and then a last time.
func (m *mirror) run(ctx context.Context, store *state.Store, p *crawl.Progress, over <-chan struct{}) error {
	s, err := m.open(ctx, store)
	if err != nil {
		return err
	}
	tick := time.NewTicker(mirrorLook)
	defer tick.Stop()
	for more := true; ; {
		select {
		case <-over:
			return errors.Join(m.finish(ctx, s), s.close())
		case <-tick.C:
		}
		t := p.Last().Tally
		changed := t.Done + t.Failed - m.done
		if (more || changed > 0) && m.due(time.Now(), changed) {
			m.done += changed
			more = m.write(ctx, s, over)
		}
	}
}

// write brings the mirror up to date, or as close as it gets before the run is over. It reports whether it has to go on.
func (m *mirror) write(ctx context.Context, s sink, over <-chan struct{}) (more bool) {
	began := time.Now()
	for more = true; more; {
		var err error
		if more, err = s.sync(ctx, false); err != nil {
			m.failed(time.Now())
			if !m.failing && ctx.Err() == nil {
				m.warn(fmt.Sprintf("the mirror waits, the crawl goes on: %v", err))
			}
			m.failing = true
			return true
		}
		select {
		case <-over:
			return more
		default:
		}
	}
	m.count(began)
	if m.failing {
		m.warn("the mirror " + m.name + " is up to date again")
	}
	m.failing = false
	return false
}

func (m *mirror) count(began time.Time) {
	now := time.Now()
	m.wrote(now, now.Sub(began))
	m.writes++
	m.took += now.Sub(began)
}

// finish writes the last time, all the way.
func (m *mirror) finish(ctx context.Context, s sink) (err error) {
	began := time.Now()
	for try := 1; ; try++ {
		for more := true; more && err == nil; {
			more, err = s.sync(ctx, true)
		}
		if err == nil {
			m.count(began)
			return nil
		}
		if m.failing || try == mirrorTries || ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(time.Second):
			err = nil
		}
	}
}
