//go:build !windows

package cli

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
)

// glass is a terminal and what it shows.
type glass struct {
	*VT
	t           *testing.T
	master, tty *os.File
}

func newGlass(t *testing.T, width, height int) *glass {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tty.Close(); master.Close() })
	g := &glass{NewVT(width), t, master, tty}
	g.size(width, height)
	return g
}

func (g *glass) size(width, height int) {
	g.t.Helper()
	if err := pty.Setsize(g.master, &pty.Winsize{Rows: uint16(height), Cols: uint16(width)}); err != nil {
		g.t.Fatal(err)
	}
	g.Resize(width)
}

// look takes all that was written, and wants it on the screen.
func (g *glass) look(want string) {
	g.t.Helper()
	fmt.Fprint(g.tty, "\x00") // the end of it
	for buffer, over := make([]byte, 1024), false; !over; {
		n, err := g.master.Read(buffer)
		if err != nil {
			g.t.Fatal(err)
		}
		var text []byte
		text, _, over = bytes.Cut(buffer[:n], []byte{0})
		g.VT.Write(text)
	}
	if diff := cmp.Diff(want, g.Shown()); diff != "" {
		g.t.Errorf("(-want +shown)\n%s", diff)
	}
	if g.Strange != "" {
		g.t.Errorf("it wrote %q", g.Strange)
	}
}

func TestALiveBlockIsDrawnInItsPlace(t *testing.T) {
	g := newGlass(t, 80, 24)
	fmt.Fprintln(g.tty, "before")
	l := newLive(g.tty)
	l.draw([]string{"one", "two", "three"})
	g.look("before\none\ntwo\nthree")
	l.draw([]string{"a longer one", "2"})
	g.look("before\na longer one\n2")
	fmt.Fprintln(l, "a line above")
	g.look("before\na line above\na longer one\n2")
	fmt.Fprint(l, "\nand two\nmore")
	g.look("before\na line above\nand two\nmore\na longer one\n2")
	fmt.Fprint(g.tty, "^C") // the terminal does that
	l.draw([]string{"x"})
	g.look("before\na line above\nand two\nmore\nx")
	l.end([]string{"the last"})
	fmt.Fprintln(l, "below")
	g.look("before\na line above\nand two\nmore\nthe last\nbelow")
}

func TestALiveBlockSurvivesAResize(t *testing.T) {
	g := newGlass(t, 80, 24)
	fmt.Fprintln(g.tty, strings.Repeat("before ", 10))
	l := newLive(g.tty)
	block := func(width int) []string {
		return []string{strings.Repeat("x", width-1), "y", strings.Repeat("红", (width-1)/2)}
	}
	l.draw(block(80))
	for _, width := range []int{50, 20, 119, 60, 61, 7, 100} {
		before := strings.TrimRight(wrapAt(strings.Repeat("before ", 10), width), " ")
		g.size(width, 24)
		l.draw(block(width))
		g.look(before + "\n" + strings.Join(block(width), "\n"))
	}
}

// wrapAt breaks a text as a terminal does.
func wrapAt(text string, width int) string {
	var lines []string
	for ; len(text) > width; text = text[width:] {
		lines = append(lines, strings.TrimRight(text[:width], " "))
	}
	return strings.Join(append(lines, text), "\n")
}

func TestALiveBlockIsNoHigherThanTheTerminal(t *testing.T) {
	g := newGlass(t, 80, 4)
	l := newLive(g.tty)
	for range 3 {
		l.draw([]string{"1", "2", "3", "4", "5"})
	}
	g.look("1\n2\n3")
}

func TestALiveBlockIsWholeWhoeverWrites(t *testing.T) {
	g := newGlass(t, 80, 24)
	l := newLive(g.tty)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { fmt.Fprintln(l, "line"); l.draw([]string{"block", "of two"}) })
	}
	all.Wait()
	g.look(strings.Repeat("line\n", 8) + "block\nof two")
}
