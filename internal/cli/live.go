package cli

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"strings"
	"sync"

	"github.com/vbauerster/cupwriter"
)

// live is a block of lines at the end of a terminal that is drawn again where it stands; what is written to it goes
// above. Any number of goroutines may use it. mpb can do the same for bars, but not for lines that come and go, and it
// takes a terminal that was made narrower for one that still has the lines it drew.
type live struct {
	w io.Writer

	mu    sync.Mutex
	out   *cupwriter.Writer
	block []string // as it was drawn last
	width int      // of the terminal then
	ended bool
}

func newLive(w io.Writer) *live { return &live{w: w, out: cupwriter.New(w, false)} }

// size is how many columns and lines a block may have: a line that fills the last column would be two at the next
// resize, and the cursor stands below the block.
func (l *live) size() (width, height int) {
	width, height, err := l.out.GetTermSize()
	if err != nil || width <= 0 || height <= 0 {
		return plainWidth, 24
	}
	return max(width-1, 1), max(height-1, 1)
}

// draw puts a block in the place of the last one. Its lines have to fit.
func (l *live) draw(block []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.put(nil, block)
}

// Write writes whole lines above the block.
func (l *live) Write(lines []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return l.w.Write(lines)
	}
	l.put(bytes.TrimLeft(lines, "\n"), l.block)
	return len(lines), nil
}

// end draws a last time; what is written from now on goes below.
func (l *live) end(block []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.put(nil, block)
	l.ended = true
}

// put leaves errors of the terminal alone: a crawl does not end because nobody can look any more.
func (l *live) put(above []byte, block []string) {
	width, height := l.size()
	if len(above) > 0 && above[len(above)-1] != '\n' {
		above = append(bytes.Clone(above), '\n')
	}
	block = block[:min(len(block), height)]
	if runtime.GOOS == "windows" {
		l.putWindows(above, block)
	} else {
		l.putANSI(above, block, width+1)
	}
	l.block, l.width = block, width
}

// putANSI erases line by line: tmux keeps a copy of the screen when all of it is erased at once.
func (l *live) putANSI(above []byte, block []string, width int) {
	var out bytes.Buffer
	rows := len(l.block)
	if width <= l.width {
		rows += wrapped(l.block, width)
	}
	up := func() {
		if rows > 0 {
			fmt.Fprintf(&out, "\x1b[%dA", rows)
		}
		out.WriteByte('\r') // the terminal has put ^C there, or whatever was typed
	}
	up()
	if len(above) > 0 || len(block) == 0 { // lines above may be longer than those that stand there
		out.WriteString(strings.Repeat("\x1b[K\n", rows))
		up()
		out.Write(above)
	}
	for _, line := range block {
		out.WriteString("\x1b[K" + line + "\n")
	}
	if len(block) > 0 {
		out.WriteString("\x1b[J")
	}
	_, _ = out.WriteTo(l.w)
}

// putWindows leaves it to cupwriter, which asks the console.
func (l *live) putWindows(above []byte, block []string) {
	l.out.Write(above)
	for _, line := range block {
		l.out.WriteString(line + "\n")
	}
	_ = l.out.Flush(len(block))
}

var colours = regexp.MustCompile("\x1b\\[[0-9;]*m")

// wrapped is how many lines more than they were a block takes on a terminal that has become so narrow: terminals break
// the lines that they show again. The few that do not (xterm) lose as many of the lines above.
func wrapped(block []string, width int) (n int) {
	for _, line := range block {
		at := 0
		for _, r := range colours.ReplaceAllString(line, "") {
			wide := cells.RuneWidth(r)
			if at += wide; at > width {
				n, at = n+1, wide
			}
		}
	}
	return n
}
