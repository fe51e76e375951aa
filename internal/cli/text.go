package cli

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
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

func wasOrWere(n int64) string {
	if n == 1 {
		return "was"
	}
	return "were"
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
