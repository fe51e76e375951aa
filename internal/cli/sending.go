package cli

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"dogear/export"
)

// sending shows how an export goes: a bar for each table on a terminal, a line every 10 s elsewhere.
type sending struct {
	name string
	w    io.Writer
	bars *mpb.Progress // nil elsewhere

	mu    sync.Mutex
	bar   *mpb.Bar
	table string
	rows  atomic.Int64 // of the table; the drawing goroutine reads it while watch waits for that goroutine
	said  time.Time
}

func newSending(name string, w io.Writer, quiet bool) *sending {
	d := &sending{name: name, w: w, said: time.Now()}
	if quiet {
		d.w = io.Discard
	}
	if drawable(d.w) {
		d.bars = mpb.New(mpb.WithOutput(d.w), mpb.WithRefreshRate(barEvery), mpb.WithAutoRefresh())
	}
	return d
}

// watch takes what the export tells after each transaction.
func (d *sending) watch(p export.MySQLProgress) {
	d.mu.Lock()
	defer d.mu.Unlock()
	next := p.Table != d.table
	d.table = p.Table
	d.rows.Store(p.Rows)
	switch {
	case d.bars != nil:
		if next {
			d.end()
			d.bar = d.bars.New(0, mpb.BarStyle(), mpb.BarFillerTrim(), mpb.PrependDecorators(decor.Name(p.Table+" ")),
				mpb.AppendDecorators(decor.Any(d.right)))
		}
		d.bar.SetTotal(max(p.Last, p.Seq)+1, false)
		d.bar.SetCurrent(p.Seq)
	case time.Since(d.said) > lineEvery:
		d.said = time.Now()
		fmt.Fprintf(d.w, "%s: %s of %s sent\n", d.name, counted(p.Rows, "row"), p.Table)
	}
}

func (d *sending) right(decor.Statistics) string {
	return " " + counted(d.rows.Load(), "row")
}

func (d *sending) warn(text string) {
	if d.bars != nil {
		fmt.Fprintf(d.bars, "%s: %s\n", d.name, visible(text)) // above the bar
		return
	}
	fmt.Fprintf(d.w, "%s: %s\n", d.name, visible(text))
}

// end leaves the bar that is there as it is.
func (d *sending) end() {
	if d.bar != nil {
		d.bar.SetTotal(-1, true)
		d.bar = nil
	}
}

// stop ends the showing; nothing is written after it.
func (d *sending) stop() {
	d.mu.Lock()
	d.end()
	d.mu.Unlock()
	if d.bars != nil {
		d.bars.Wait()
	}
}
