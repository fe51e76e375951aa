package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"dogear/crawl/job"
	"dogear/export"
	"dogear/state"
)

const (
	// followEvery is how often what is committed is sent on while a run goes on.
	followEvery = 2 * time.Second
	// lastPatience is how long a server that is away at the end of a run is tried without getting on; hastyPatience is how
	// long the end takes in all after a Ctrl-C.
	lastPatience, hastyPatience = 20 * time.Second, 10 * time.Second
)

func syncFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "sync", Usage: "send the records on as they come: `mysql` (see dogear export mysql --help)"},
		dsnFlag(),
	}
}

// follower sends records on while a run goes on. A server that is away delays it, never the crawl. A nil one does nothing.
type follower struct {
	mysql     *export.MySQL
	target    *export.MySQLTarget
	job       string
	statePath string
	stderr    io.Writer

	cancel  context.CancelFunc
	stopped sync.WaitGroup
	store   *state.Store // of the goroutine, then of finish
	away    bool         // the user has been told
}

// newFollower makes what --sync asks for, nil without it. What can't get better by itself, as a wrong password or a column
// that does not fit, is an error before the crawl begins.
func newFollower(ctx context.Context, j *job.Job, o runOptions, stderr io.Writer) (*follower, error) {
	switch {
	case o.sync == "" && o.dsn != "":
		return nil, usagef("--dsn is for --sync mysql")
	case o.sync == "":
		return nil, nil
	case o.sync != "mysql":
		return nil, usagef("--sync takes mysql, not %q", o.sync)
	}
	target, err := mysqlTarget(j, o.dsn)
	if err != nil {
		return nil, err
	}
	tables, err := pickTables(j, "", false)
	if err != nil {
		return nil, err
	}
	to := export.MySQLOptions{Target: target, Job: j.Name, Tables: tables, Patience: lastPatience, Patient: true}
	f := &follower{mysql: export.NewMySQL(to), target: target, job: j.Name, statePath: o.statePath, stderr: stderr,
		cancel: func() {}}
	if err := f.mysql.Prepare(ctx); export.MySQLAway(err) {
		f.tell(err)
	} else if err != nil {
		return nil, errors.Join(err, f.mysql.Close())
	}
	return f, nil
}

// start begins to follow: the state file is there.
func (f *follower) start() {
	if f == nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	f.cancel = cancel
	f.stopped.Go(func() {
		tick := time.NewTicker(followEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			err := f.follow(ctx)
			if ctx.Err() != nil {
				return
			}
			f.tell(err)
			if err != nil && !export.MySQLAway(err) {
				return // it will not get better; finish says it again
			}
		}
	})
}

func (f *follower) follow(ctx context.Context) (err error) {
	if f.store == nil {
		if f.store, err = state.Open(ctx, f.statePath); err != nil {
			return err
		}
	}
	return f.mysql.Follow(ctx, f.store)
}

// tell says once that the server is away, and once that it is back.
func (f *follower) tell(err error) {
	switch {
	case err == nil && f.away:
		fmt.Fprintf(f.stderr, "%s: %s is back\n", f.job, f.target)
	case err != nil && !f.away:
		fmt.Fprintf(f.stderr, "%s: %s does not take the records now; the crawl goes on: %s\n",
			f.job, f.target, visible(err.Error()))
	}
	f.away = err != nil
}

// finish sends all that is left when the crawl is over. A second Ctrl-C leaves at once.
func (f *follower) finish(ctx context.Context) (err error) {
	if f == nil {
		return nil
	}
	f.cancel()
	f.stopped.Wait()
	defer func() { err = errors.Join(err, f.close()) }()
	if ctx.Err() != nil {
		hasty, cancel := context.WithTimeout(context.WithoutCancel(ctx), hastyPatience)
		defer cancel()
		ctx = hasty
	}
	if f.store == nil {
		if f.store, err = state.Open(ctx, f.statePath); err != nil {
			return err
		}
	}
	if f.away {
		fmt.Fprintf(f.stderr, "%s: waiting for %s, %v at most\n", f.job, f.target, lastPatience)
	}
	if _, err = f.mysql.Send(ctx, f.store); err != nil {
		return fmt.Errorf("not all records are in %s: %w\n  dogear export mysql brings the rest", f.target, err)
	}
	fmt.Fprintf(f.stderr, "%s: all records are in %s\n", f.job, f.target)
	return nil
}

// leave ends the following of a run that failed.
func (f *follower) leave() {
	if f != nil {
		f.cancel()
		f.stopped.Wait()
		_ = f.close() // the run's own error matters
	}
}

func (f *follower) close() error {
	if f == nil {
		return nil
	}
	err := f.mysql.Close()
	if f.store != nil {
		err = errors.Join(err, f.store.Close())
	}
	return err
}
