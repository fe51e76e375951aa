package fetch

import (
	"cmp"
	"slices"
	"time"
)

// Learned is what is worth keeping of a host for the next run.
type Learned struct {
	Host       string    // and its port, where that is not its scheme's
	Rate       float64   // requests per second now; 0: the configured ones
	LeaveUntil time.Time // it asked to be left alone until then; zero: it did not
}

// Outage is a time in which a host was only probed.
type Outage struct {
	Host   string
	Banned bool   // it answered, but refused; otherwise it did not answer
	Why    string // how it failed
	Since  time.Time
	Until  time.Time // when it was back; zero: it goes on
}

// Remember tells the client what an earlier run learned of hosts, before the first Do. Each of them is taken to have
// answered before. A time to leave it alone is no longer than Options.MaxWait from now: a clock may have been wrong.
func (c *Client) Remember(hosts []Learned, now time.Time) {
	for _, l := range hosts {
		h := c.hosts.get(l.Host)
		h.turn.learned.restore(l.Rate, now)
		b := h.breaker
		if limit := now.Add(c.options.MaxWait); l.LeaveUntil.After(limit) {
			l.LeaveUntil = limit
		}
		b.leaveUntil(l.LeaveUntil, now)
		b.mu.Lock()
		b.lived, b.pleased, b.touched = true, true, false
		b.settle()
		b.mu.Unlock()
	}
}

// Learned returns the hosts of which something changed since the last call.
func (c *Client) Learned(now time.Time) []Learned {
	var changed []Learned
	for _, h := range c.hosts.all() {
		if l, touched := h.learned(now); touched {
			changed = append(changed, l)
		}
	}
	return changed
}

func (h *host) learned(now time.Time) (l Learned, touched bool) {
	b, r := h.breaker, h.turn.learned
	b.mu.Lock()
	l.Host = b.outage.Host
	if b.leave.After(now) {
		l.LeaveUntil = b.leave
	}
	touched, b.touched = b.touched, false
	b.mu.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	l.Rate = r.rate
	touched, r.touched = touched || r.touched, false
	return l, touched
}

// Outages returns what began and what ended since the last call, in the order of time.
func (c *Client) Outages() []Outage {
	var all []Outage
	for _, h := range c.hosts.all() {
		b := h.breaker
		b.mu.Lock()
		all = append(all, b.notices...)
		b.notices = nil
		b.mu.Unlock()
	}
	slices.SortStableFunc(all, func(a, b Outage) int { return cmp.Or(a.Since.Compare(b.Since), a.Until.Compare(b.Until)) })
	return all
}
