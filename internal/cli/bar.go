package cli

import (
	"strings"
	"time"
)

const (
	leastBar, mostBar = 10, 60 // columns
	longestName       = 24     // of a job, before a bar
)

// gauge is how far a crawl is, drawn as a bar with the numbers that matter most beside it.
type gauge struct {
	name            string
	finished, total int64
	perSecond       float64
	eta             string
	complete        bool // nothing is left: only then it shows 100%
}

// percent is that of the view progress, without its tenths.
func (g *gauge) percent() int64 {
	if g.complete {
		return 100
	}
	return min(g.finished*100/max(g.total, 1), 99)
}

// line is one line. Of a narrow one the percentage is left out first, then the bar; the counts stay.
func (g *gauge) line(s screen) string {
	name := fit(visible(g.name), min(longestName, max(s.width/4, 6)))
	percent, code := pad(count(g.percent()), 3, true)+"%", ""
	if g.complete {
		code = green
	}
	all := []segment{
		{name, 4, ""}, {strings.Repeat("=", leastBar), 2, "bar"}, {percent, 3, code},
		{count(g.finished) + "/" + count(g.total), 0, ""}, {speed(g.perSecond) + "/s", 1, ""}, {"ETA " + g.eta, 1, ""},
	}
	if g.complete {
		all[4].text, all[5].text = "", ""
	}
	all = fitting(all, s.width)
	for i := range all {
		if all[i].code == "bar" {
			return s.withBar(all, i, g)
		}
	}
	return s.line(all, 0)
}

// withBar gives the bar what the others leave.
func (s screen) withBar(all []segment, at int, g *gauge) string {
	width := min(leastBar+s.width-spread(all), mostBar)
	before, after := s.line(all[:at], 0), s.line(all[at+1:], 0)
	if before != "" {
		before += strings.Repeat(" ", between)
	}
	return before + s.bar(width, g.finished, g.total, g.complete) + strings.Repeat(" ", between) + after
}

// bar is drawn in ASCII: of other signs it depends on the font how wide they are.
func (s screen) bar(width int, finished, total int64, complete bool) string {
	inner := max(width-2, 1)
	n := int(int64(inner) * min(finished, total) / max(total, 1))
	if complete {
		return "[" + s.green(strings.Repeat("=", inner)) + "]"
	}
	n = min(n, inner-1)
	return "[" + s.green(strings.Repeat("=", n)+">") + strings.Repeat("-", inner-n-1) + "]"
}

// runBlock is what a terminal shows of a run: the gauge, the other numbers, and what is wrong with which host.
func (r *reading) runBlock(s screen, name string, hosts []trouble, now time.Time) []string {
	g := gauge{
		name: name, finished: r.Counts.Done + r.Counts.Failed, total: r.Counts.Total(), perSecond: r.perSecond,
		eta: r.shortETA(), complete: r.Counts.Left() == 0,
	}
	failures := segment{count(r.Counts.Failed) + " failed", 0, ""}
	if r.Counts.Failed > 0 {
		failures.code = red
	}
	block := []string{g.line(s), s.line([]segment{
		failures, {count(r.Tally.Retried) + " retried", 1, ""}, {r.flying(), 2, ""},
		{r.nextDue(now), 1, yellow}, {speed(r.overall) + "/s overall", 3, ""},
		{now.Sub(r.began).Truncate(time.Second).String(), 4, ""},
	}, 2)}
	return append(block, troubleLines(s, hosts, mostHosts)...)
}
