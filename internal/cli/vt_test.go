package cli

import (
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// VT is a terminal that knows what dogear writes to one: text, CR, LF, cursor up, erase to the end, colours. It has no
// upper end: what scrolls away stays. Like most, it breaks the lines that it shows again when it becomes narrower.
type VT struct {
	width   int
	lines   []vtLine
	row     int
	col     int
	rest    []byte // of a sequence that has not come whole
	Strange string // what it was told and does not know
}

// vtLine is a line on the screen; soft: it goes on in the next, since it was too long.
type vtLine struct {
	cells []rune
	soft  bool
}

// NewVT returns an empty one, so many columns wide.
func NewVT(width int) *VT { return &VT{width: width, lines: make([]vtLine, 1)} }

// Write takes what a program writes.
func (v *VT) Write(b []byte) (int, error) {
	n := len(b)
	b = append(v.rest, b...)
	for len(b) > 0 {
		used := v.one(b)
		if used == 0 {
			break
		}
		b = b[used:]
	}
	v.rest = append([]byte(nil), b...)
	return n, nil
}

// one takes one character or sequence, 0: not whole yet.
func (v *VT) one(b []byte) int {
	switch {
	case b[0] == '\r':
		v.col = 0
	case b[0] == '\n':
		v.row++
		v.reach()
	case b[0] == 0x1b:
		return v.sequence(b)
	case b[0] < ' ':
		v.Strange += string(b[0])
	default:
		if !utf8.FullRune(b) {
			return 0
		}
		r, size := utf8.DecodeRune(b)
		v.put(r)
		return size
	}
	return 1
}

func (v *VT) sequence(b []byte) int {
	end := strings.IndexFunc(string(b[min(2, len(b)):]), func(r rune) bool { return r >= '@' && r <= '~' })
	if len(b) < 3 || end < 0 {
		return 0
	}
	arg, n := string(b[2:2+end]), 0
	for _, r := range arg {
		n = n*10 + int(r-'0')
	}
	switch b[2+end] {
	case 'A':
		v.row = max(v.row-n, 0)
	case 'K':
		v.erase()
	case 'J':
		if v.row == 0 && v.col == 0 && len(v.lines) > 1 {
			v.Strange += "all is erased at once, " // of which tmux keeps a copy
		}
		v.lines = v.lines[:v.row+1]
		v.erase()
	case 'm':
	default:
		v.Strange += string(b[:3+end])
	}
	return 3 + end
}

// erase erases to the end of the line.
func (v *VT) erase() {
	line := &v.lines[v.row]
	line.cells, line.soft = line.cells[:min(v.col, len(line.cells))], false
}

func (v *VT) put(r rune) {
	wide := runewidth.RuneWidth(r)
	if v.col+wide > v.width {
		v.lines[v.row].soft = true
		v.row, v.col = v.row+1, 0
		v.reach()
	}
	line := &v.lines[v.row]
	for len(line.cells) < v.col+wide {
		line.cells = append(line.cells, ' ')
	}
	for i := range wide {
		line.cells[v.col+i] = 0
	}
	if wide > 0 {
		line.cells[v.col] = r
	}
	v.col += wide
}

func (v *VT) reach() {
	for len(v.lines) <= v.row {
		v.lines = append(v.lines, vtLine{})
	}
}

// Resize shows all lines again at another width, with the cursor where the same text ends.
func (v *VT) Resize(width int) {
	old := v.lines
	v.lines, v.width = make([]vtLine, 1), width
	row, col := v.row, v.col
	v.row, v.col = 0, 0
	for i, line := range old {
		if i == row {
			col = min(col, width-1)
			defer func(at int) { v.row, v.col = at, col }(v.row)
		}
		for _, r := range line.cells {
			if r != 0 {
				v.put(r)
			}
		}
		if !line.soft && i < len(old)-1 {
			v.row, v.col = v.row+1, 0
			v.reach()
		}
	}
}

// Shown is what stands on the screen, without what is empty at its end.
func (v *VT) Shown() string {
	var all []string
	for _, line := range v.lines {
		all = append(all, strings.TrimRight(strings.ReplaceAll(string(line.cells), "\x00", ""), " "))
	}
	return strings.TrimRight(strings.Join(all, "\n"), "\n")
}
