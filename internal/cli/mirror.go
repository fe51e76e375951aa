package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

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
	mirrorEnd = time.Minute
	// mirrorTries is how often the last write is tried, unless the one before failed already.
	mirrorTries = 3
)

const mirrorHelp = `Examples: dogear run products.yaml --mirror json:checkpoint.json
          dogear run products.yaml --mirror redis://:PASSWORD@127.0.0.1:6379/0 --mirror-every 1s

A mirror is a live copy of what dogear export json (or redis) writes. One that is down delays itself, never the
crawl; what it misses waits in the state file, on the disk. A JSON mirror takes 2 % of the time at most.

`

func mirrorFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "mirror",
			Usage: "keep a copy of the progress at `TARGET`: json:FILE, redis://HOST:6379/0 " +
				"or redis (as REDIS_HOST, … say); several are fine"},
		&cli.StringFlag{Name: "mirror-every", Value: "5s",
			Usage: "bring it up to date every `DURATION`; Redis after 10 tasks already"},
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
	if len(o.targets) > 0 && c.Bool("no-run") {
		return o, usagef("--mirror goes with a run, not with --no-run")
	}
	if o.every, err = job.ParseDuration(c.String("mirror-every")); err != nil || o.every < mirrorLook {
		return o, usagef("--mirror-every is written 5s or 1m, from 100ms on, not %q", c.String("mirror-every"))
	}
	return o, nil
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
		// The text is not shown: it may hold a password.
		return nil, usagef("--mirror is json:FILE, redis://HOST:6379/0 or redis, which is where REDIS_HOST, … say")
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
