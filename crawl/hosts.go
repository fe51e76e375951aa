package crawl

import (
	"errors"
	"fmt"
	"time"

	"dogear/crawl/fetch"
	"dogear/state"
)

// maxThrottles is how often a host may tell one task to wait before the task fails: at the longest wait of 10 minutes
// that is 16 hours.
const maxThrottles = 100

// remember tells the client what earlier runs learned of hosts.
func (p *plan) remember(hosts []state.Host, now time.Time) {
	known := make([]fetch.Learned, len(hosts))
	for i, h := range hosts {
		known[i] = fetch.Learned{Host: h.Name, Rate: h.Rate, LeaveUntil: h.LeaveUntil}
	}
	p.client.Remember(known, now)
}

// keepHosts has the next commit keep what was learned of hosts since the last time.
func (p *plan) keepHosts(run *state.Run, now time.Time) {
	learned := p.client.Learned(now)
	if len(learned) == 0 {
		return
	}
	hosts := make([]state.Host, len(learned))
	for i, l := range learned {
		hosts[i] = state.Host{Name: l.Host, Rate: l.Rate, LeaveUntil: l.LeaveUntil}
	}
	run.KeepHosts(hosts)
}

// attend keeps what was learned of hosts every heartbeat, and tells the user at once which are away and which are back.
func (e *engine) attend(now time.Time) {
	for _, outage := range e.client.Outages() {
		e.warn("%s", describe(outage, e.options.Job.Retry.MaxWait))
	}
	if now.Sub(e.attended) >= heartbeat {
		e.attended = now
		e.keepHosts(e.state, now)
	}
}

// describe says that a host is away or back.
func describe(o fetch.Outage, longest time.Duration) string {
	since := o.Since.Format(time.TimeOnly)
	switch {
	case !o.Until.IsZero() && o.Banned:
		return fmt.Sprintf("%s gives pages again, after %v: the crawl goes on", o.Host, away(o))
	case !o.Until.IsZero():
		return fmt.Sprintf("%s answers again, after %v: the crawl goes on", o.Host, away(o))
	case o.Banned:
		return fmt.Sprintf("%s refuses every request (%s) since %s: one try after 30 s, then ever more seldom, "+
			"up to every %v; nothing is lost", o.Host, o.Why, since, longest)
	}
	return fmt.Sprintf("%s does not answer (%s) since %s: one try every 10 s, nothing is lost", o.Host, o.Why, since)
}

func away(o fetch.Outage) time.Duration {
	d, unit := o.Until.Sub(o.Since), time.Second
	switch {
	case d < time.Second:
		unit = time.Millisecond
	case d < 10*time.Second:
		unit = 100 * time.Millisecond
	}
	return d.Round(unit)
}

// judge tells the client whether a page was what was wanted: when a host refuses everybody, it is not the task's fault.
func (p *plan) judge(o *state.Outcome, request fetch.Request, r *fetch.Result) {
	if o.Kind != string(fetch.Blocked) {
		p.client.Good(r)
		return
	}
	refusal := p.client.Blocked(request, r, errors.New(o.Error))
	o.Attempts = refusal.Made
	if refusal.Final {
		o.State, o.NotBefore = state.Failed, time.Time{}
	} else {
		o.State, o.NotBefore = state.Pending, refusal.RetryAt
	}
}
