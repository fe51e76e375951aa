package cli

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"golang.org/x/text/width"
)

// count is a number as people read it: 50,000.
func count(n int64) string { return humanize.Comma(n) }

// counted is a number with its noun: 1 task, 2 tasks.
func counted(n int64, noun string) string {
	if n != 1 {
		noun = plural(noun)
	}
	return count(n) + " " + noun
}

func plural(noun string) string {
	if stem, ok := strings.CutSuffix(noun, "try"); ok {
		return stem + "tries"
	}
	if strings.HasSuffix(noun, "match") {
		return noun + "es"
	}
	return noun + "s"
}

// size is bytes as people read them: 1.2 MB.
func size(n int64) string { return humanize.Bytes(uint64(max(n, 0))) }

// round drops the digits of a duration that nobody reads.
func round(d time.Duration) time.Duration {
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond)
	case d < time.Minute:
		return d.Round(100 * time.Millisecond)
	}
	return d.Round(time.Second)
}

func perSecond(n int64, d time.Duration) string {
	if n == 0 || d <= 0 {
		return ""
	}
	return fmt.Sprintf(" (%s/s)", speed(float64(n)/d.Seconds()))
}

// speed is a rate with the digits that matter.
func speed(v float64) string {
	if v < 10 {
		return fmt.Sprintf("%.1f", v)
	}
	return count(int64(math.Round(v)))
}

// columns is how many a terminal needs for a text: two for what is Chinese.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += columnsOf(r)
	}
	return n
}

func columnsOf(r rune) int {
	if kind := width.LookupRune(r).Kind(); kind == width.EastAsianWide || kind == width.EastAsianFullwidth {
		return 2
	}
	return 1
}

// fit takes off a text what is more than so many columns.
func fit(s string, most int) string {
	if columns(s) <= most {
		return s
	}
	n := 1 // for the …
	for i, r := range s {
		if n += columnsOf(r); n > most {
			return s[:i] + "…"
		}
	}
	return s
}
