package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"dogear/state"
)

// labelled is the column where what a label is for begins.
const labelled = 11

// block is what `status --watch` shows; word says what the watcher waits for, if it does.
func (g *glance) block(s screen, word string) []string {
	p := g.progress
	rate := g.perSecond()
	gauge := gauge{
		name: g.name, finished: p.Done + p.Failed, total: p.Total, perSecond: rate, eta: "?", complete: p.Complete(),
	}
	if left := p.Pending + p.InFlight; rate > 0 {
		gauge.eta = (time.Duration(float64(left)/rate+1) * time.Second).String()
	}
	failed := segment{count(p.Failed) + " failed", 0, ""}
	if p.Failed > 0 {
		failed.code = red
	}
	block := []string{gauge.line(s), s.line([]segment{
		failed, {count(p.InFlight) + " in flight", 2, ""}, {count(p.Pending) + " pending", 1, ""},
		{speed(g.overall()) + "/s overall", 3, ""},
	}, 2)}
	return append(append(block, s.words(word)...), g.details(s)...)
}

// words are lines that say what is to be known first.
func (s screen) words(text string) (lines []string) {
	if text == "" {
		return nil
	}
	for line := range strings.SplitSeq(s.wrap(visible(text), 2), "\n") {
		lines = append(lines, s.line([]segment{{strings.TrimSpace(line), 0, yellow}}, 2))
	}
	return lines
}

// details are the lines with a label; those without anything to say are left out.
func (g *glance) details(s screen) (lines []string) {
	add := func(label, code, text string) {
		if text != "" {
			lines = append(lines, s.labelled(label, code, text))
		}
	}
	if g.run != nil {
		add("run", "", g.runText())
		add("brought", "", fmt.Sprintf("%s, %s, %s retried, %s read", counted(g.run.Records, "record"),
			counted(g.run.Rejects, "reject"), counted(g.run.Retried, "attempt"), size(g.run.Bytes)))
	}
	add("rate", "", g.rateText(s.width-labelled))
	add("failed", red, g.failedText())
	for i, text := range g.hostTexts() {
		add(first(i, "hosts"), yellow, text)
	}
	add("slowest", "", g.slowestText())
	for i, e := range g.errors {
		add(first(i, "errors"), "", errorText(&e, s.width-labelled))
	}
	add("disk", "", g.diskText())
	if g.wal.Over() {
		add("", yellow, g.wal.String())
	}
	return lines
}

// labelled is a line of the details. It is for texts that may come from a site: nothing of them is obeyed.
func (s screen) labelled(label, code, text string) string {
	head := fit("  "+pad(label, labelled-2, false), s.width)
	if s.width <= labelled {
		return head
	}
	return s.paint(faint, head) + s.paint(code, fit(visible(text), s.width-labelled))
}

// first is a label for the first of several lines.
func first(i int, label string) string {
	if i > 0 {
		return ""
	}
	return label
}

func (g *glance) runText() string {
	r := g.run
	if g.running {
		return fmt.Sprintf("%d, for %s, pid %d on %s", r.ID, g.at.Sub(r.StartedAt).Truncate(time.Second), r.PID, r.Host)
	}
	return fmt.Sprintf("%d %s at %s", r.ID, r.Ended, r.Heartbeat.Local().Format(time.TimeOnly))
}

const mostSparks = 60

// rateSpans are how far back the sparkline may go.
var rateSpans = []time.Duration{time.Minute, 2 * time.Minute, ticksKept}

func (g *glance) rateText(width int) string {
	if len(g.ticks) == 0 {
		return ""
	}
	columns, span := mostSparks, rateSpans[0]
	for columns+24 > width && columns > 15 {
		columns /= 2
	}
	for _, s := range rateSpans {
		if span = s; g.at.Sub(g.ticks[0].At) <= s {
			break
		}
	}
	line, peak := sparkline(g.ticks, g.at.Truncate(time.Second), span, columns)
	if peak == 0 {
		return ""
	}
	return fmt.Sprintf("%s  %d min, peak %s/s", line, int(span.Minutes()), speed(peak))
}

func (g *glance) failedText() string {
	var texts []string
	for _, k := range byKind(g.failures) {
		texts = append(texts, k.text())
	}
	return strings.Join(texts, ", ")
}

func (g *glance) hostTexts() (texts []string) {
	for _, h := range g.hosts {
		var says []string
		if wait := h.LeaveUntil.Sub(g.at); wait > 0 {
			says = append(says, "left alone for "+seconds(wait))
		}
		if h.Rate > 0 {
			says = append(says, "rate lowered to "+slowSpeed(h.Rate)+"/s")
		}
		texts = append(texts, h.Name+": "+strings.Join(says, ", "))
	}
	return texts
}

func (g *glance) slowestText() string {
	var texts []string
	for _, h := range g.slowest {
		texts = append(texts, h.host+" "+round(h.mean).String())
	}
	return strings.Join(texts, ", ")
}

// errorText leaves the URL half of the room.
func errorText(e *state.FailedAttempt, width int) string {
	head := e.At.Local().Format(time.TimeOnly) + "  " + e.Kind + "  "
	left := max(width-len(head)-between, 20)
	text := visible(e.Error)
	return head + fitURL(visible(e.URL), max(left/2, left-cellWidth(text))) + "  " + text
}

func (g *glance) diskText() string {
	text := fmt.Sprintf("%s %s, WAL %s", filepath.Base(g.path), size(g.size), size(g.wal.Bytes))
	if g.free >= 0 {
		text += ", " + size(g.free) + " free"
	}
	return text
}
