package cli

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"dogear/crawl"
)

// extracting shows how reading again goes: a bar on a terminal, a line every 10 s elsewhere.
type extracting struct {
	name  string
	w     io.Writer
	bars  *mpb.Progress // nil elsewhere
	bar   *mpb.Bar      // from the first batch on
	pages atomic.Int64  // read by the drawing goroutine
	said  time.Time
}

func newExtracting(name string, w io.Writer, quiet bool) *extracting {
	if quiet {
		w = io.Discard
	}
	d := &extracting{name: name, w: w, said: time.Now()}
	if drawable(w) {
		d.bars = mpb.New(mpb.WithOutput(w), mpb.WithRefreshRate(barEvery), mpb.WithAutoRefresh())
	}
	return d
}

// Write writes whole lines, above the bar if there is one.
func (d *extracting) Write(lines []byte) (int, error) {
	if d.bars != nil {
		return d.bars.Write(lines)
	}
	return d.w.Write(lines)
}

// watch is called after each batch, by one goroutine.
func (d *extracting) watch(p crawl.RereadProgress) {
	d.pages.Store(p.Pages)
	switch {
	case d.bars != nil:
		if d.bar == nil {
			right := func(decor.Statistics) string { return " " + counted(d.pages.Load(), "page") }
			d.bar = d.bars.New(0, mpb.BarStyle(), mpb.BarFillerTrim(),
				mpb.PrependDecorators(decor.Name(d.name+" ")), mpb.AppendDecorators(decor.Any(right)))
		}
		d.bar.SetTotal(p.Last+1, false) // one more than there is: a full bar would end before stop
		d.bar.SetCurrent(p.At)
	case time.Since(d.said) > lineEvery:
		d.said = time.Now()
		fmt.Fprintf(d.w, "%s: %s read, task %s of %s\n", d.name, counted(p.Pages, "page"), count(p.At), count(p.Last))
	}
}

// stop ends the showing; nothing is written after it.
func (d *extracting) stop() {
	if d.bar != nil {
		d.bar.SetTotal(-1, true)
	}
	if d.bars != nil {
		d.bars.Wait()
	}
}
