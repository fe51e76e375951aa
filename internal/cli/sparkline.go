package cli

import (
	"time"

	"dogear/state"
)

// sparks are the heights of a column; the first is for nothing at all.
var sparks = []rune(" ▁▂▃▄▅▆▇█")

// sparkline draws how many tasks finished in each of so many equal pieces of span, of which the last ends at end; peak
// is the highest of them, per second.
func sparkline(ticks []state.Tick, end time.Time, span time.Duration, columns int) (line string, peak float64) {
	if columns < 1 {
		return "", 0
	}
	piece := max(span/time.Duration(columns), time.Second)
	sums := make([]int64, columns)
	var highest int64
	for _, t := range ticks {
		back := end.Sub(t.At) // a tick is a second, and begins then
		if back <= 0 {
			continue
		}
		if i := columns - 1 - int((back-1)/piece); i >= 0 {
			sums[i] += t.Finished
			highest = max(highest, sums[i])
		}
	}
	for _, n := range sums {
		height := int64(0)
		if n > 0 {
			height = 1 + (n-1)*int64(len(sparks)-2)/max(highest-1, 1)
		}
		line += string(sparks[height])
	}
	return line, float64(highest) / piece.Seconds()
}
