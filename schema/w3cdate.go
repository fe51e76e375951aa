package schema

import (
	"strings"
	"time"
)

// w3cForms are those of the W3C's note (https://www.w3.org/TR/NOTE-datetime), each with how long the time is that it
// leaves open, and the same without a zone, which many write and which is UTC here.
var w3cForms = []struct {
	layout              string
	years, months, days int
	rest                time.Duration
}{
	{layout: "2006-01-02", days: 1},
	{layout: time.RFC3339}, // seconds may have a fraction
	{layout: "2006-01-02T15:04Z07:00", rest: time.Minute},
	{layout: "2006-01-02T15:04:05"},
	{layout: "2006-01-02T15:04", rest: time.Minute},
	{layout: "2006-01", months: 1},
	{layout: "2006", years: 1},
}

// W3CTime reads a date or a time as sitemaps have them, and returns the first moment that it can mean and the first one
// after it; false when it is none.
func W3CTime(text string) (from, until time.Time, ok bool) {
	text = strings.TrimSpace(text)
	if len(text) > len("2006-01-02") && text[len("2006-01-02")] == ' ' {
		text = text[:len("2006-01-02")] + "T" + strings.TrimSpace(text[len("2006-01-02"):])
	}
	for _, f := range w3cForms {
		at, err := time.Parse(f.layout, text)
		if err != nil {
			continue
		}
		until := at.AddDate(f.years, f.months, f.days).Add(f.rest)
		if f.rest == 0 && f.years+f.months+f.days == 0 {
			until = at.Add(time.Second)
		}
		return at, until, true
	}
	return time.Time{}, time.Time{}, false
}
