package cli

import (
	"slices"
	"strings"
)

const (
	gridIndent  = 2
	gridGap     = 2
	leastColumn = 12 // a text cut shorter than that says nothing
)

// column is a column of a grid.
type column struct {
	name, kind string
	right      bool                          // numbers
	whole      bool                          // never cut: a number without its last digits is another number
	cut        func(string, int) string      // shortens a cell
	paint      func(cell, raw string) string // colours a cell that is laid out; nil: none
	cells      []string
}

// grid lays columns out side by side, within a width: the names, the types, and a line for each row. It is "" when they
// do not fit at a width that can be read.
func grid(columns []column, width int) string {
	widths := columnWidths(columns, width-gridIndent-gridGap*(len(columns)-1))
	if widths == nil {
		return ""
	}
	var out strings.Builder
	line := func(cell func(c *column) string, paint bool) {
		var b strings.Builder
		for i := range columns {
			c := &columns[i]
			b.WriteString(strings.Repeat(" ", gridGap)) // gridIndent, for the first
			text := cell(c)
			laid := pad(c.fit(text, widths[i]), widths[i], c.right)
			if i == len(columns)-1 {
				laid = strings.TrimRight(laid, " ")
			}
			if paint && c.paint != nil {
				laid = c.paint(laid, text)
			}
			b.WriteString(laid)
		}
		out.WriteString(strings.TrimRight(b.String(), " ") + "\n")
	}
	line(func(c *column) string { return c.name }, false)
	line(func(c *column) string { return c.kind }, false)
	for row := range columns[0].cells {
		line(func(c *column) string { return c.cells[row] }, true)
	}
	return out.String()
}

func (c *column) fit(text string, width int) string {
	if c.cut == nil {
		return fit(text, width)
	}
	return c.cut(text, width)
}

// columnWidths shares out a width: each column gets what it needs, and when that is too much the widest are cut until
// all fit; nil when one would be cut too short.
func columnWidths(columns []column, width int) []int {
	need, least := make([]int, len(columns)), make([]int, len(columns))
	for i := range columns {
		need[i], least[i] = columns[i].needs()
	}
	if sum(least) > width {
		return nil
	}
	widths := slices.Clone(need)
	for over := sum(widths) - width; over > 0; over = sum(widths) - width {
		widest := -1
		for i := range widths {
			if widths[i] > least[i] && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		widths[widest]--
	}
	return widths
}

// needs returns the width in which nothing of a column is cut, and the least in which it can be read.
func (c *column) needs() (whole, least int) {
	for _, text := range append([]string{c.kind, c.name}, c.cells...) {
		whole = max(whole, cellWidth(firstRunes(text, 300)))
	}
	if c.whole {
		return whole, whole
	}
	return whole, max(min(whole, leastColumn), min(cellWidth(c.kind), whole))
}

func sum(numbers []int) (n int) {
	for _, v := range numbers {
		n += v
	}
	return n
}
