package fetch

import (
	"math/rand/v2"
	"net/http"
	"time"
)

// refusing is an answer whose status is no good.
func (c *call) refusing(a *answer, started, now time.Time) {
	f := &Failure{ClientFault, a.status, StatusError(a.status), a.url, now.Sub(started)}
	c.at.lives(started, now)
	c.collect()
	if a.status == http.StatusForbidden && !c.robots {
		if storm, v := c.visit.forbidden(c.request.Task, f, started, now); storm {
			f.Kind = Blocked
			c.blocked(f, v, now)
			return
		}
	}
	wait, asked := retryAfter(a.header, now, c.client.options.MaxWait)
	f.Kind = statusKind(a.status, asked)
	switch f.Kind {
	case Throttled:
		wait = max(wait, spent(a.header, now, c.client.options.MaxWait))
		c.at.host.turn.learned.cut(started, now)
		c.at.host.breaker.leaveUntil(now.Add(wait), now)
	case Server:
	default:
		wait = 0
	}
	if !c.robots && (a.status == http.StatusNotFound || a.status == http.StatusGone) {
		c.visit.good(started, now, false)
	} else {
		c.visit.inconclusive(now)
	}
	c.failed(f, wait, now)
}

// broken is an exchange without a whole answer.
func (c *call) broken(f *Failure, started, now time.Time) {
	if !isFault(f.Kind, f.Err) && !(c.at.probe && f.Kind == Timeout) {
		if f.Kind == TooLarge || f.Kind == Parse {
			c.at.lives(started, now)
		}
		c.at.inconclusive(now)
		c.collect()
		c.failed(f, 0, now)
		return
	}
	c.collect()
	v := c.at.fault(c.request.Task, f, now)
	switch {
	case v.excused:
		c.keep(f, c.made()+1, now)
		c.again, c.wait = true, 0 // the gate knows how long
	case v.owed > 0:
		c.owes(f, v, now)
	default:
		c.failed(f, 0, now)
	}
}

// owes keeps a failure of which is not known yet whether it was the task's.
func (c *call) owes(f *Failure, v verdict, now time.Time) {
	o := &c.client.options
	made := c.made() + v.owed
	c.keep(f, made, now)
	last := made >= o.Attempts
	if last && (v.owed >= v.least || c.own && v.next.IsZero()) {
		c.at.host.breaker.settleDebt(c.request.Task)
		c.result.Made += v.owed
		c.result.Failure = f
		return
	}
	c.wait = o.backOff(f.Kind, made, rand.Float64())
	c.resume = now.Add(c.wait)
	switch {
	case !v.next.IsZero():
		c.result.RetryAt = v.next
	case v.again, last, c.wait > o.LeaseWait:
		c.result.RetryAt = c.resume
	default:
		c.again = true
	}
}

// blocked keeps a refusal by status: a task whose host does not refuse everybody is asked for again slowly.
func (c *call) blocked(f *Failure, v verdict, now time.Time) {
	switch {
	case v.excused:
		c.keep(f, c.made()+1, now)
		c.result.RetryAt = v.next
	case v.owed > 0:
		c.owes(f, v, now)
	default:
		c.failed(f, c.client.options.MaxDelay, now)
	}
}

// made is how many counted attempts the task has had.
func (c *call) made() int { return c.request.Made + c.result.Made }

// keep keeps a failed attempt for the record.
func (c *call) keep(f *Failure, number int, now time.Time) {
	c.observe(f.Kind, f.Status, f.Took)
	c.result.Failed = append(c.result.Failed,
		Attempt{number, now.Add(-f.Took), f.Status, f.Kind, short(f.Err.Error()), f.Took})
}

// collect counts what turned out since to have been the task's own failures, and not the host's, or the other way
// round. It returns the last of them.
func (c *call) collect() *Failure {
	d := c.visit.host.breaker.charged(c.request.Task)
	own := d.attempts
	if c.at != &c.visit {
		own += c.at.host.breaker.charged(c.request.Task).attempts
	}
	c.result.Made += own
	c.own = c.own || own > 0
	return d.last
}

// Good says that the page of a result was what was wanted. Say this or Blocked for every page: it ends a run of
// refusals, and is what a host that refused everybody is waited for.
func (c *Client) Good(r *Result) {
	if r.visit != nil && r.Page != nil {
		r.visit.good(r.Page.At.Add(-r.Page.Took), r.Page.At, true)
	}
}

// Refusal is what a page that was not what was wanted comes to.
type Refusal struct {
	Final   bool      // the task has failed
	Made    int       // counted attempts of the call; in the place of Result.Made
	RetryAt time.Time // when it is to be tried again, if not Final
}

// Blocked says that the page of a result of r was not what was wanted, and why. When a run of such pages shows that the
// host refuses everybody, it costs no attempt.
func (c *Client) Blocked(request Request, r *Result, why error) Refusal {
	now, o := r.Page.At, &c.options
	refusal := Refusal{Made: r.Made, RetryAt: now.Add(o.MaxDelay)}
	if r.visit == nil {
		refusal.Final = request.Made+r.Made >= o.Attempts
		return refusal
	}
	v := r.visit.blocked(request.Task, request.Made > 0, &Failure{Blocked, r.Page.Status, why, r.Page.URL, r.Page.Took}, now)
	switch {
	case v.excused:
		refusal.Made, refusal.RetryAt = r.Made-1, v.next
	case v.owed > 0:
		refusal.Made, refusal.RetryAt = r.Made-1, v.next
		if request.Made+refusal.Made+v.owed >= o.Attempts && v.owed >= v.least {
			r.visit.host.breaker.settleDebt(request.Task)
			refusal.Made, refusal.Final = refusal.Made+v.owed, true
		}
	default:
		refusal.Final = request.Made+r.Made >= o.Attempts
	}
	return refusal
}
