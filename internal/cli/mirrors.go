package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"dogear/crawl"
	"dogear/state"
)

// mirror keeps one copy of a job's progress up to date. Its goroutine owns it from start to the end of stop.
type mirror struct {
	pace
	name   string // without a password
	repair string // the command that does the same by hand
	cursor *state.Mirror
	open   func(ctx context.Context, s *state.Store) (sink, error)
	warn   func(text string)

	done    int64 // tasks that had finished at the last write
	urls    int64 // all that are finished
	writes  int64
	failing bool  // the user has been told
	err     error // that the last write ended with
}

// errMirrorEnd says that a mirror was not through in time when the run ended.
var errMirrorEnd = fmt.Errorf("it was not through %v after the end of the run", mirrorEnd)

// mirrors are those of a run.
type mirrors struct {
	all     []*mirror
	began   time.Time
	lasted  time.Duration
	over    chan struct{}
	running sync.WaitGroup
	store   *state.Store
	cancel  context.CancelCauseFunc
	err     error // they could not be started
}

// start starts a goroutine for each mirror; crawl.Run calls it when the state file is there.
func (ms *mirrors) start(t target, p *crawl.Progress, warn func(string)) {
	if len(ms.all) == 0 {
		return
	}
	var ctx context.Context
	ctx, ms.cancel = context.WithCancelCause(context.Background()) // not the run's: the last write comes after its end
	if ms.store, ms.err = t.open(ctx); ms.err != nil {
		return
	}
	ms.began = time.Now()
	for _, m := range ms.all {
		m.warn, m.pace.began = warn, ms.began
		ms.running.Go(func() { m.err = m.run(ctx, ms.store, p, ms.over) })
	}
}

// stop lets every mirror write a last time. It takes mirrorEnd at the most.
func (ms *mirrors) stop() {
	if ms.cancel == nil {
		return
	}
	timer := time.AfterFunc(mirrorEnd, func() { ms.cancel(errMirrorEnd) })
	close(ms.over)
	ms.running.Wait()
	timer.Stop()
	ms.cancel(nil)
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
		took := ""
		if m.share > 0 {
			took = fmt.Sprintf(", %.1f%% of the time", 100*m.spent.Seconds()/max(ms.lasted.Seconds(), 0.001))
		}
		fmt.Fprintf(w, "  the mirror %s is up to date (%s%s)\n", m.name, counted(m.writes, "write"), took)
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
		last := p.Last()
		m.urls = last.Counts.Done + last.Counts.Failed
		changed := last.Tally.Done + last.Tally.Failed - m.done
		if (more || changed > 0) && m.due(time.Now(), changed, m.urls) {
			m.done += changed
			more = m.write(ctx, s, over)
		}
	}
}

// write brings the mirror up to date, or as close as it gets before the run is over. It reports whether it has to go
// on.
func (m *mirror) write(ctx context.Context, s sink, over <-chan struct{}) (more bool) {
	began := time.Now()
	for more = true; more; {
		var err error
		if more, err = s.sync(ctx, false); err != nil {
			m.failed(time.Now(), time.Since(began))
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
	m.wrote(now, now.Sub(began), m.urls)
	m.writes++
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
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		if m.failing || try == mirrorTries {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(time.Second):
			err = nil
		}
	}
}
