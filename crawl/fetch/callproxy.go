package fetch

import (
	"errors"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/common"
)

// route is what a call knows of its way through proxies. The zero value is that of a client without any.
//
// A failure that is the proxy's for certain costs the task nothing: the attempt is made again through another one.
// One that may be the proxy's or the site's (a CONNECT answered with 502, a connection cut) is made again once,
// through another proxy if there is one. If that fails too, the site is to blame, and it is a failure like any other;
// if not, it was the proxy.
type route struct {
	via   *proxy // of the attempt under way, or of the next; nil: to be chosen
	probe bool   // the attempt is via's probe

	suspect *proxy  // through it the last try failed, and nobody knows yet whose fault it was
	blame   error   // why; nil: the answer had begun, so the proxy is not to blame
	lost    float64 // what it would cost the proxy
	free    int     // tries that cost nothing
	began   time.Time
}

// choose finds the proxy of an attempt, and waits for one as long as a lease allows. false: there is none, or the
// call was stopped; the task goes back without losing an attempt.
func (c *call) choose() bool {
	c.leaveRoute() // an attempt that ended for another reason may have left one
	for {
		now := time.Now()
		via, probe, at, changed := c.client.proxies.choose(c.route.suspect, now)
		if via != nil {
			c.route.via, c.route.probe = via, probe
			return true
		}
		if c.route.began.IsZero() {
			c.route.began = now
		}
		left := c.client.options.LeaseWait - now.Sub(c.route.began)
		if left <= 0 {
			c.result.RetryAt = at
			return false
		}
		if sleep(c.ctx, c.abort, min(at.Sub(now), left), changed) != nil {
			c.result.Stopped = true
			return false
		}
	}
}

// routing is the failsafe-go policy that has an attempt choose its proxy. It stands before the turn and the bulkhead,
// so that those who wait for a proxy hold up nobody, least of all the probe.
type routing struct{}

// ToExecutor makes it a failsafe.Policy. It has no state per execution, so it is its own executor.
func (r routing) ToExecutor(*call) any { return r }

// Apply has every attempt of a call choose its proxy; the call is found in the context.
func (r routing) Apply(inner func(failsafe.Execution[*call]) *common.PolicyResult[*call]) func(failsafe.Execution[*call]) *common.PolicyResult[*call] {
	return func(exec failsafe.Execution[*call]) *common.PolicyResult[*call] {
		c, ok := exec.Context().Value(callKey{}).(*call)
		if ok && c.client.proxies != nil && !c.choose() {
			return &common.PolicyResult[*call]{Error: errStopped, Done: true}
		}
		return inner(exec)
	}
}

// passed takes note of an exchange that brought an answer. Two refusals that may be the proxy's or the site's are the
// site's.
func (c *call) passed(status int, now time.Time) {
	p, r := c.client.proxies, &c.route
	if p == nil || r.via == nil {
		return
	}
	p.worked(r.via, now)
	same := errors.Is(r.blame, connectError(status))
	if r.suspect != nil && r.suspect != r.via && r.blame != nil && !same {
		p.failed(r.suspect, false, r.lost, r.blame, now)
	}
	r.via, r.suspect, r.blame, r.began = nil, nil, nil, time.Time{}
}

// excused takes note of an exchange that broke; true when it costs nothing and is made again.
func (c *call) excused(err error, now time.Time) bool {
	p, r := c.client.proxies, &c.route
	if p == nil || r.via == nil {
		return false
	}
	via, probe := r.via, r.probe
	r.via = nil
	var broke *proxyError
	through := errors.As(err, &broke)
	kind := errorKind(err)
	switch {
	case through && broke.own || through && probe && kind == Network:
		p.failed(via, probe, healthLost, broke, now)
		c.tryAgain(via, now)
		return true
	case !through && kind != Network: // an answer came, or a wait ended
		if kind != Timeout && err != errStopped {
			p.worked(via, now)
		}
		p.release(via, probe)
		return false
	}
	p.release(via, probe)
	if r.suspect != nil {
		r.suspect, r.blame = nil, nil
		return false
	}
	if r.suspect = via; through {
		r.blame, r.lost = broke, healthLost
		if broke.known {
			r.lost = healthSpent
		}
	}
	c.tryAgain(via, now)
	return true
}

// tryAgain makes the attempt again at once, or after a moment when only this proxy is left.
func (c *call) tryAgain(via *proxy, now time.Time) {
	p, o := c.client.proxies, &c.client.options
	c.route.free++
	switch {
	case c.route.free > 4*len(p.list)+4:
		c.result.RetryAt = now.Add(o.MaxDelay)
	case p.others(via):
		c.again, c.wait = true, 0
	default:
		c.again, c.wait = true, min(o.Delay, o.LeaseWait)
	}
}

// leaveRoute gives back a proxy that was chosen and not used.
func (c *call) leaveRoute() {
	if c.route.via != nil {
		c.client.proxies.release(c.route.via, c.route.probe)
		c.route.via = nil
	}
}

// viaKey finds the route of an exchange in its context.
type viaKey struct{}

// Value has the route of the attempt.
func (h *hop) Value(key any) any {
	if _, ok := key.(viaKey); ok {
		return &h.call.route
	}
	return h.Context.Value(key)
}
