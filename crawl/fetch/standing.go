package fetch

import (
	"cmp"
	"slices"
	"time"
)

// Standing is how a host may be asked now.
type Standing struct {
	Host  string    // and its port, where that is not its scheme's
	Rate  float64   // requests per second: the configured ones, or what the host has shown to bear; 0: no limit
	Until time.Time // it is left alone until then, if that is in the future
	Why   string    // what for

	Full    float64 // the configured rate; 0: no limit
	Lowered bool    // Rate is what the host has shown to bear, after it complained
	Outage  Outage  // the one that it is in; without Since: none
}

// Hosts returns all hosts that were asked, by name.
func (c *Client) Hosts(now time.Time) []Standing {
	hosts := c.hosts.all()
	all := make([]Standing, len(hosts))
	for i, h := range hosts {
		all[i] = h.breaker.standing(now)
		all[i].Full = h.turn.learned.full
		all[i].Rate, all[i].Lowered = h.turn.rate()
	}
	slices.SortFunc(all, func(a, b Standing) int { return cmp.Compare(a.Host, b.Host) })
	return all
}

func (b *breaker) standing(now time.Time) Standing {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := Standing{Host: b.outage.Host}
	if b.open != "" {
		s.Outage = b.outage
	}
	switch {
	case b.open == banned:
		s.Until, s.Why = b.next, "it refuses every request: "+b.outage.Why
	case b.open == away:
		s.Until, s.Why = b.next, "it does not answer: "+b.outage.Why
	}
	if b.leave.After(now) && b.leave.After(s.Until) {
		s.Until = b.leave
		s.Why = cmp.Or(s.Why, "it asked to be left alone")
	}
	return s
}

// rate is how many requests per second the host gets at most, 0: as many as there are; lowered: since it complained.
func (t *turn) rate() (rate float64, lowered bool) {
	t.learned.mu.Lock()
	rate, lowered = t.learned.rate, t.learned.rate > 0
	t.learned.mu.Unlock()
	rate = slower(t.learned.full, rate)
	if asked := t.asked.Load(); asked != nil {
		rate = slower(rate, float64(time.Second)/float64(asked.delay))
	}
	return rate, lowered
}

// slower is the lower of two rates, of which 0 is none.
func slower(a, b float64) float64 {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}
