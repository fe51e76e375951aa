package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mattn/go-isatty"

	"dogear/crawl"
)

const (
	barEvery   = 200 * time.Millisecond
	hostsEvery = time.Second // there may be thousands
	lineEvery  = 10 * time.Second
)

// display shows how a run goes: a bar on a terminal, a line now and then elsewhere. It says first what the run found.
type display struct {
	name    string
	w       io.Writer
	bar     bool
	every   time.Duration // between two lines
	over    chan struct{}
	stopped sync.WaitGroup
	above   atomic.Pointer[live] // what draws the bar, while there is one
}

func newDisplay(name string, w io.Writer, every time.Duration) *display {
	return &display{name: name, w: w, bar: drawable(w), every: every, over: make(chan struct{})}
}

// drawable reports whether w is a terminal that a bar can be drawn on.
func drawable(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd()) && os.Getenv("TERM") != "dumb"
}

// watch begins to show p; crawl.Run calls it.
func (d *display) watch(p *crawl.Progress) {
	d.found(p)
	if p.Last().Counts.Left() == 0 {
		return
	}
	show := d.lines
	if d.bar {
		show = d.bars
	}
	d.stopped.Go(func() { show(p) })
}

// stop ends the showing; nothing is written after it.
func (d *display) stop() {
	close(d.over)
	d.stopped.Wait()
}

// Write writes whole lines, above the bar while there is one: the bar would else be drawn over them.
func (d *display) Write(lines []byte) (int, error) {
	if bar := d.above.Load(); bar != nil {
		return bar.Write(lines)
	}
	return d.w.Write(lines)
}

// found says how the run begins, so that nobody has to wonder whether it resumed.
func (d *display) found(p *crawl.Progress) {
	c := p.Found.Counts
	if p.Found.New {
		fmt.Fprintf(d.w, "%s: a new crawl, %s to begin with\n", d.name, counted(c.Total(), "task"))
		return
	}
	if p.Found.Salvaged != nil && c.Ahead > 0 {
		// What is ahead may be there already: a number that adds both would be nonsense.
		fmt.Fprintf(d.w, "%s: carrying on: %s done, %s failed; the start values are gone through again for what is lost\n",
			d.name, count(c.Done), count(c.Failed))
		return
	}
	fmt.Fprintf(d.w, "%s: carrying on: %s of %s done, %s failed, %s left", d.name, count(c.Done), count(c.Total()), count(c.Failed), count(c.Left()))
	if p.Found.Recovered > 0 {
		fmt.Fprintf(d.w, " (%s %s claimed by a run that died)", count(p.Found.Recovered), wasOrWere(p.Found.Recovered))
	}
	fmt.Fprintln(d.w)
	if p.PutBack > 0 {
		fmt.Fprintf(d.w, "%s: %s put back to be tried again\n", d.name, counted(p.PutBack, "failed task"))
	}
	if p.Refreshed > 0 {
		fmt.Fprintf(d.w, "%s: %s put back to be fetched again\n", d.name, counted(p.Refreshed, "done task"))
	}
}

// lines writes a line now and then.
func (d *display) lines(p *crawl.Progress) {
	tick := time.NewTicker(d.every)
	defer tick.Stop()
	m := newMeter(p)
	for {
		select {
		case <-d.over:
			return
		case <-tick.C:
			v := m.read()
			fmt.Fprintf(d.w, "%s: %s of %s done, %s failed, %s in flight, %s retried, %s/s, ETA %s\n", d.name, count(v.Counts.Done),
				count(v.Counts.Total()), count(v.Counts.Failed), v.inFlight(), count(v.Tally.Retried), speed(v.perSecond), v.eta())
		}
	}
}

// bars draws a block of lines that moves, and leaves it as it was last, without the hosts.
func (d *display) bars(p *crawl.Progress) {
	m, s := newMeter(p), newScreen(d.w)
	out := newLive(d.w)
	d.above.Store(out)
	var hosts []trouble
	var looked time.Time
	tick := time.NewTicker(barEvery)
	defer tick.Stop()
	for {
		now := time.Now()
		s.width, _ = out.size()
		if now.Sub(looked) >= hostsEvery {
			hosts, looked = troubles(p.Hosts(now), now), now
		}
		out.draw(m.read().runBlock(s, d.name, hosts, now))
		select {
		case <-d.over:
			s.width, _ = out.size()
			out.end(m.read().runBlock(s, d.name, nil, time.Now()))
			return
		case <-tick.C:
		}
	}
}
