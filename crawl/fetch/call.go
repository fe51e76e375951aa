package fetch

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// maxThrottles is how often one call lets itself be throttled before it hands the task back: throttling costs no
// attempt, so without an end a worker could be held for ever.
const maxThrottles = 100

// call is one Do: a request, and what came of its attempts so far. It belongs to the goroutine that runs Do.
type call struct {
	client     *Client
	ctx, abort context.Context
	request    Request
	target     target
	robots     bool   // it is for a robots.txt: see fetchRobots
	hostLine   string // of the request for a robots.txt

	result    Result
	throttles int
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
		return c, nil
	}
	started := time.Now()
	answer, err := c.measured(started)
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
	case err != nil && c.excused(err, now):
	case err == nil && good(answer.status, c.request.Accept):
		c.result.Made++
		c.result.Page = answer.page(now, took)
		if c.robots {
			c.result.Page.Body = answer.body
		}
	case err == nil:
		wait, asked := retryAfter(answer.header, now, c.client.options.MaxWait)
		kind := statusKind(answer.status, asked)
		if kind != Server && kind != Throttled {
			wait = 0
		}
		c.failed(&Failure{kind, answer.status, StatusError(answer.status), answer.url, took}, wait, now)
	default:
		c.failed(&Failure{errorKind(err), answer.status, bare(err), answer.url, took}, 0, now)
	}
	return c, nil
}

// failed keeps a failure and decides what follows: the end, another attempt after a wait, or the task goes back until
// the wait is over. asked is the wait that the server asked for, 0 if none.
func (c *call) failed(f *Failure, asked time.Duration, now time.Time) {
	o := &c.client.options
	made := c.request.Made + c.result.Made
	c.result.Failed = append(c.result.Failed, Attempt{made + 1, now.Add(-f.Took), f.Status, f.Kind, short(f.Err.Error()), f.Took})

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
	c.leaveRoute()
	if r.Page == nil && r.Failure == nil && r.RetryAt.IsZero() {
		r.Stopped = true
		if c.resume.After(now) {
			r.RetryAt = c.resume
		}
	}
	return *r
}
