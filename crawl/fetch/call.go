package fetch

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// maxThrottles is how often one call lets itself be throttled before it hands the task back: throttling costs no
// attempt, so without an end a worker could be held for ever.
const maxThrottles = 20

// call is one Do: a request, and what came of its attempts so far. It belongs to the goroutine that runs Do.
type call struct {
	client     *Client
	ctx, abort context.Context
	execution  callContext // what the policies run under
	request    Request
	target     target
	robots     bool   // it is for a robots.txt: see fetchRobots
	hostLine   string // of the request for a robots.txt
	visit      visit  // the gate it passed last: its request's host
	at         *visit // where the attempt ended: that, or where a redirect led

	result    Result
	throttles int
	own       bool // it failed while its host was well
	route     route

	// What the retry policy asks: whether to make another attempt, after what wait.
	again  bool
	wait   time.Duration
	resume time.Time // when the wait is over
}

// attempt makes one exchange and decides what follows from it. It is what the policies run, and always returns the
// call itself.
func (c *call) attempt() (*call, error) {
	c.again = false
	if c.ctx.Err() != nil || c.abort.Err() != nil {
		c.result.Stopped = true
		c.leave()
		return c, nil
	}
	slot, err := c.visit.host.turn.place(c.ctx, c.abort)
	if err != nil {
		c.result.Stopped = true
		c.leave()
		return c, nil
	}
	started := time.Now()
	if c.visit.host.breaker.bars(&c.visit, started) {
		slot.land()
		c.again, c.wait = true, 0 // back to the gate
		return c, nil
	}
	answer, err := c.measured(started, slot)
	now := time.Now()
	took := now.Sub(started)
	if err == nil {
		c.passed(answer.status, now)
	}
	switch {
	case err == errStopped:
		c.result.Stopped = true
	case isA[*robotsUnknown](err): // that of where a redirect led
		var unknown *robotsUnknown
		errors.As(err, &unknown)
		c.refused(unknown)
	case outOfFiles(err):
		c.outOfFiles(now)
	case err == errPutOff: // by the host of a redirect; RetryAt is set
	case err != nil && c.excused(err, now):
		c.observe(errorKind(err), answer.status, took)
	case err == nil && good(answer.status, c.request.Accept):
		c.at.lives(started, now)
		c.at.host.pleased(&answer, now)
		c.collect()
		c.result.Made++
		c.result.Page = answer.page(now, took)
		if c.robots {
			c.result.Page.Body = answer.body
			c.observe("", answer.status, took)
		}
	case err == nil:
		c.refusing(&answer, started, now)
	default:
		c.broken(&Failure{errorKind(err), answer.status, bare(err), answer.url, took}, started, now)
	}
	c.leave()
	return c, nil
}

// leave gives back what the attempt had of its hosts. A probe of a host that refuses goes on until the page is judged.
func (c *call) leave() {
	if c.result.Page == nil {
		c.visit.end()
	}
	if c.at != &c.visit {
		c.at.end()
	}
}

// failed keeps a failure and decides what follows: the end, another attempt after a wait, or the task goes back until
// the wait is over. asked is the wait that the server asked for, 0 if none.
func (c *call) failed(f *Failure, asked time.Duration, now time.Time) {
	o := &c.client.options
	made := c.made()
	c.keep(f, made+1, now)

	retries := 0 // of this kind of cost
	if f.Kind == Throttled {
		c.throttles++
		retries = c.throttles
	} else {
		c.result.Made++
		made++
		retries = made
	}
	if !f.Kind.passes() || f.Kind != Throttled && made >= o.Attempts {
		c.result.Failure = f
		return
	}
	c.wait = asked
	if asked == 0 {
		c.wait = o.backOff(f.Kind, retries, rand.Float64())
	}
	c.resume = now.Add(c.wait)
	switch {
	case c.throttles >= maxThrottles:
		c.result.RetryAt = now.Add(max(c.wait, o.MaxDelay))
	case c.wait > o.LeaseWait:
		c.result.RetryAt = c.resume
	default:
		c.again = true
	}
}

// finish returns the result. A call with neither a page nor an end was stopped in a wait; what is left of a back-off
// is still owed to the server.
func (c *call) finish(now time.Time) Result {
	r := &c.result
	if r.Page == nil {
		c.visit.end()
	}
	c.leaveRoute()
	if r.Page == nil && r.Failure == nil && r.RetryAt.IsZero() {
		r.Stopped = true
		if c.resume.After(now) {
			r.RetryAt = c.resume
		}
	}
	return *r
}
