package cli

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"dogear/crawl/fetch"
)

// mostHosts is how many hosts have a line of their own below a bar.
const mostHosts = 3

// The states that a host is in, as events call them, the worst first.
const (
	hostAway    = "away"     // it does not answer
	hostRefuses = "refusing" // it refuses everybody
	hostWaits   = "waiting"  // it asked to be left alone for a while
	hostSlowed  = "slowed"   // it is asked more slowly since it complained
	hostWell    = "well"
)

var hostStates = []string{hostAway, hostRefuses, hostWaits, hostSlowed, hostWell}

// trouble is what keeps a host from being asked as the job says.
type trouble struct {
	host, state, text string
	until             time.Time
	rate              float64
}

// troubleOf says it of one host at a time; ok: there is any.
func troubleOf(h *fetch.Standing, now time.Time) (t trouble, ok bool) {
	t = trouble{host: h.Host, state: hostWell, until: h.Until, rate: h.Rate}
	wait := h.Until.Sub(now)
	var says []string
	switch {
	case !h.Outage.Since.IsZero():
		t.state = hostAway
		what := "away since "
		if h.Outage.Banned {
			t.state, what = hostRefuses, "refuses every request since "
		}
		says = append(says, what+h.Outage.Since.Format(time.TimeOnly), probe(wait)+": "+h.Outage.Why)
	case wait > 0:
		t.state = hostWaits
		says = append(says, "waiting "+seconds(wait)+", as it asked")
	}
	if h.Lowered {
		if t.state == hostWell {
			t.state = hostSlowed
		}
		says = append(says, slowed(h.Rate, h.Full))
	}
	t.text = visible(strings.Join(says, ", "))
	return t, t.state != hostWell
}

func slowed(rate, full float64) string {
	if full == 0 {
		return fmt.Sprintf("rate lowered to %s/s", slowSpeed(rate))
	}
	return fmt.Sprintf("rate lowered to %s/s of %s/s", slowSpeed(rate), slowSpeed(full))
}

// slowSpeed has the digits of rates below one a second too.
func slowSpeed(rate float64) string {
	if rate < 1 {
		return fmt.Sprintf("%.2g", rate)
	}
	return strings.TrimSuffix(speed(rate), ".0")
}

// probe says when the host is asked again: one request at a time.
func probe(wait time.Duration) string {
	if wait <= 0 {
		return "a probe is on its way"
	}
	return "next probe in " + seconds(wait)
}

// seconds is a wait as people say it: 12 s, 2m5s.
func seconds(d time.Duration) string {
	if d = time.Duration(math.Ceil(d.Seconds())) * time.Second; d < time.Minute {
		return fmt.Sprintf("%d s", int(d.Seconds()))
	}
	return d.String()
}

// troubles are those of all hosts, the worst first.
func troubles(hosts []fetch.Standing, now time.Time) []trouble {
	var all []trouble
	for i := range hosts {
		if t, ok := troubleOf(&hosts[i], now); ok {
			all = append(all, t)
		}
	}
	slices.SortStableFunc(all, func(a, b trouble) int {
		return cmp.Or(
			cmp.Compare(slices.Index(hostStates, a.state), slices.Index(hostStates, b.state)),
			b.until.Compare(a.until), cmp.Compare(a.rate, b.rate))
	})
	return all
}

// troubleLines has a line for each of the worst, and says how many more there are.
func troubleLines(s screen, all []trouble, most int) []string {
	var lines []string
	for _, t := range all[:min(len(all), most)] {
		lines = append(lines, s.line([]segment{{visible(t.host) + ": " + t.text, 0, yellow}}, 2))
	}
	if n := len(all) - most; n > 0 {
		lines = append(lines, s.line([]segment{{"and " + counted(int64(n), "more host"), 0, yellow}}, 2))
	}
	return lines
}
