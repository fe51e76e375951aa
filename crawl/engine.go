package crawl

import (
	"context"
	"errors"
	"sync"
	"time"

	"dogear/state"
)

const (
	// commitEvery is the longest that a finished task waits for its commit.
	commitEvery = 50 * time.Millisecond
	// groupWeight is the most rows that a commit lands, so that pages full of records make short commits.
	groupWeight = 8 * state.GroupSize
	// heartbeat is the longest time between two commits, so that a watcher sees a live run and a clock that jumped is noticed.
	heartbeat = 2 * time.Second

	// How many tasks to keep claimed beyond those the workers hold, so that none stands idle during a commit.
	minAhead, maxAhead = 8, 2 * state.GroupSize
)

// engine is the committer. All of its fields belong to the goroutine that calls run.
type engine struct {
	*plan
	state    *state.Run
	queue    *queue             // to the workers
	outcomes chan state.Outcome // from the workers
	workers  sync.WaitGroup
	progress *Progress

	group       []state.Outcome // finished, not committed yet
	weight      int             // rows that group brings
	links       bool            // group brings links
	since       time.Time       // when the first of group came
	outstanding int             // tasks given to workers whose outcome has not come back
	ahead       int             // between minAhead and maxAhead
	limit       int             // tasks that workers may have now
	started     int             // workers: as many as the limit was at most
	load        load            // of the queue, as the last commit saw it
	claimed     int64           // in this run
	nextDue     time.Time       // when a pending task may be claimed; zero: none is pending
	committed   time.Time       // when the last commit was
	hire        func()          // starts a worker
	window      window          // when the concurrency follows the answers
	scarce      time.Time       // when the limit was last lowered because there were no files left
	attended    time.Time       // when what was learned of hosts was looked at
	lately      lately
	fields      fieldWatch         // that no page has filled so far
	failing     *Failing           // too many tasks fail: why the run stops by itself
	stop        context.CancelFunc // ends ctx, as the user might
	stopping    bool
	swollen     bool // the user has been told that the WAL is too large
}

func newEngine(p *plan, run *state.Run) *engine {
	e := &engine{
		plan: p, state: run, ahead: minAhead, limit: p.concurrency.Min, queue: newQueue(p.concurrency.Min),
		outcomes: make(chan state.Outcome, p.concurrency.Max+maxAhead),
		progress: &Progress{Found: run.Found, Began: time.Now(), client: p.client},
	}
	e.fields = watchFields(p.options.Job, run.Fields())
	e.queue.several = p.severalHosts()
	e.window.Concurrency = p.concurrency
	e.publish()
	return e
}

// run starts the workers and commits until the crawl has ended. It leaves no goroutine behind.
func (e *engine) run(ctx, abort context.Context) (ended string, err error) {
	abort, cutOff := context.WithCancel(abort)
	ctx, stop := context.WithCancel(ctx)
	e.stop = stop
	e.hire = func() { e.workers.Go(func() { e.work(ctx, abort) }) }
	defer func() {
		stop() // after an error tasks may still be queued, waiting or in flight
		cutOff()
		e.queue.close()
		e.dismiss()
	}()
	e.resize(e.limit)
	if e.options.Watch != nil {
		e.options.Watch(e.progress)
	}
	return e.loop(ctx, cutOff)
}

// loop commits when it is time to, and takes outcomes in between.
func (e *engine) loop(ctx context.Context, cutOff context.CancelFunc) (string, error) {
	stop := ctx.Done()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		// Not in the select alone: commits may follow one another without a wait.
		if !e.stopping && ctx.Err() != nil {
			stop, e.stopping = nil, true
			defer time.AfterFunc(e.grace(), cutOff).Stop()
		}
		e.drain()
		now := time.Now()
		e.regulate(now)
		wait := e.wake(now).Sub(now)
		if wait <= 0 {
			if ended, err := e.commit(ctx, now); ended != "" || err != nil {
				return ended, err
			}
			continue
		}
		if e.measure != nil {
			wait = min(wait, regulateEvery)
		}
		timer.Reset(wait)
		select {
		case o := <-e.outcomes:
			e.receive(o)
		case <-e.input.arrivals():
		case <-timer.C:
		case <-stop:
		}
	}
}

func (e *engine) grace() time.Duration {
	if e.options.Grace > 0 {
		return e.options.Grace
	}
	return Grace
}

// receive takes one outcome. One without a state is a task that was not got to: it goes back when the run closes.
func (e *engine) receive(o state.Outcome) {
	e.outstanding--
	if o.State == "" {
		return
	}
	e.watchFailures(&o)
	if len(e.group) == 0 {
		e.since = time.Now()
	}
	e.group = append(e.group, o)
	e.weight += o.Weight()
	e.links = e.links || len(o.Links) > 0
}

func (e *engine) full() bool { return len(e.group) >= state.GroupSize || e.weight >= groupWeight }

// drain takes what has come in, up to a full group.
func (e *engine) drain() {
	for !e.full() {
		select {
		case o := <-e.outcomes:
			e.receive(o)
		default:
			return
		}
	}
}

// room is how many tasks may be claimed now.
func (e *engine) room() int {
	if e.stopping {
		return 0
	}
	room := e.limit + e.ahead - e.outstanding
	if e.load.several {
		room += lookAhead
	}
	if e.options.Limit > 0 {
		room = int(min(int64(room), e.options.Limit-e.claimed))
	}
	return max(room, 0)
}

// starving reports whether a worker stands idle that a commit might give a task.
func (e *engine) starving() bool {
	held := e.outstanding
	if e.load.several {
		held = e.queue.load().busy // of the tasks of a full host the others have nothing
	}
	return held < e.limit && e.room() > 0
}

// wake is when the next commit is to be made.
func (e *engine) wake(now time.Time) time.Time {
	counts := e.state.Counts()
	addable := e.state.Addable() && !e.stopping
	switch {
	case e.full(), addable && e.input == nil, e.links && e.starving(),
		e.outstanding == 0 && (len(e.group) > 0 || e.over(counts)):
		return now
	}
	at := e.committed.Add(heartbeat)
	if addable { // line by line, it may be
		at = earlier(at, e.committed.Add(commitEvery))
	}
	if len(e.group) > 0 {
		at = earlier(at, e.since.Add(commitEvery))
	}
	if !e.nextDue.IsZero() && counts.Pending > 0 && e.starving() {
		at = earlier(at, e.nextDue)
	}
	return at
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// over reports whether this run has no more to do, once nothing is outstanding.
func (e *engine) over(c state.Counts) bool {
	return e.stopping || c.Left() == 0 || e.options.Limit > 0 && e.claimed >= e.options.Limit
}

// commit lands the group, claims the next tasks and hands them out. ended is how the run ended, or "" when it goes on.
func (e *engine) commit(ctx context.Context, now time.Time) (ended string, err error) {
	e.adapt()
	e.attend(now)
	want := e.room()
	e.state.KeepCookies(e.client.Cookies(now))
	began := time.Now()
	claimed, err := e.state.Commit(ctx, now, e.group, want)
	if errors.Is(err, state.ErrBusy) {
		e.warn("somebody else writes to %s (an open transaction in sqlite3?): waiting for it", e.options.Path)
		return "", nil // the group waits with us
	}
	if err != nil {
		return "", err
	}
	e.tell(time.Since(began))
	clear(e.group)
	e.group, e.weight, e.links, e.committed = e.group[:0], 0, false, now
	e.queue.recarry(e.state.Recarried())
	e.queue.put(claimed, now)
	e.outstanding += len(claimed)
	e.claimed += int64(len(claimed))
	if e.nextDue = now; len(claimed) < want {
		if e.nextDue, err = e.state.NextDue(ctx); err != nil {
			return "", err
		}
	}
	e.publish()
	e.watchWAL()
	e.watchProxies()
	e.watchFields()
	if e.state.Broken() != nil {
		e.stop()
	}
	if e.outstanding > 0 {
		return "", nil
	}
	if e.state.Counts().InFlight > 0 && !e.stopping {
		return "", e.state.Reclaim(ctx) // nobody has them: rows that were changed by hand
	}
	if !e.over(e.state.Counts()) {
		return "", nil
	}
	return e.end(ctx)
}

// adapt follows the speed: two commits' worth of tasks are kept ahead, more when workers had to wait for one.
func (e *engine) adapt() {
	e.load = e.queue.load()
	ahead := 2 * len(e.group)
	if e.outstanding < e.limit {
		ahead = max(ahead, 2*e.ahead)
	}
	e.ahead = min(max(ahead, minAhead), maxAhead)
}

// end says how the run ended. Whether the crawl is complete is read from the file, not believed from a counter.
func (e *engine) end(ctx context.Context) (string, error) {
	settled, err := e.state.Settled(ctx)
	switch {
	case err != nil:
		return "", err
	case e.state.Broken() != nil:
		return "", e.state.Broken()
	case settled:
		return state.Finished, nil
	case e.failing != nil:
		return state.Stopped, nil
	case e.stopping, ctx.Err() != nil: // the workers hear of it first, and hand their tasks back
		return state.Interrupted, nil
	case e.options.Limit > 0 && e.claimed >= e.options.Limit:
		return state.Stopped, nil
	}
	return "", nil
}
