package schema

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

var errNoDate = errors.New(`year, month and day must stand in it: as Go writes the 2nd of January 2006, 15:04:05, ` +
	`such as "02/01/2006 15:04", or as strptime does, such as "%d/%m/%Y %H:%M"`)

// looseFraction finds a fraction of a second with no second before it: package time writes one, and reads none.
var looseFraction = regexp.MustCompile(`(?:^|[^5])[.,](?:0+|9+)(?:\D|$)`)

var errFraction = errors.New("a fraction of a second (%f, or .000) stands behind its second and a point, and " +
	"before no other number")

// check refuses a layout that can't say which date is meant, whatever the texts are.
func (l *layout) check(clock bool) error {
	text := sample.Format(l.forms[0])
	names := []string{"year", "month", "day", "hour", "minute", "second"}
	for i, number := range []string{"1999", "11", "27", "22", "48", "57"} {
		if strings.Count(text, number) > 1 {
			return fmt.Errorf("the %s stands twice in it", names[i])
		}
	}
	at, ok := l.parse(text)
	if !ok || at.Format(time.DateOnly) != sample.Format(time.DateOnly) {
		return errNoDate
	}
	if looseFraction.MatchString(l.forms[0]) {
		return errFraction
	}
	if runsTogether(l.forms[0]) {
		return errors.New("numbers with nothing between them need all their digits: 01 and 02 and 03, not 1 and 2 and 3")
	}
	hour, minute, second := at.Clock()
	switch {
	case !clock:
		return nil
	case hour != sample.Hour() && (hour|minute|second) != 0:
		return errors.New("the time of day needs an hour of 24 (15 or %H), or one of 12 with PM (or %p) beside it")
	case minute != sample.Minute() && second != 0:
		return errors.New("the time of day has seconds, but no minutes (04 or %M)")
	}
	return l.checkZone()
}

// fixedZone finds what is only text to package time, which would take the times beside it for UTC.
var fixedZone = regexp.MustCompile(`[+](?:0[1-9]|1\d)(?::?[0-5]\d)?|-(?:0[1-689]|1[0-4]):?(?:00|30|45)|[A-Z]{2,5}$`)

func (l *layout) checkZone() error {
	zone := fixedZone.FindString(l.forms[0])
	if l.zoned || zone == "" || slices.Contains([]string{"UTC", "GMT", "UT", "MST", "PM"}, zone) {
		return nil
	}
	return fmt.Errorf("%q in it says no zone: that is -07:00 or MST, or %%z or %%Z for strptime; without one it is UTC",
		zone)
}

// runsTogether reports whether a layout misreads what it writes, because nothing parts two of its numbers: 111 is the
// 1st of November, or the 11th of January.
func runsTogether(form string) bool {
	ones := parts{1, 1, 1, 1, 1}
	has := func(i int) bool {
		t := ones
		t[i] = 11
		return t.in(form) != ones.in(form)
	}
	for i := range 3 * len(ones) {
		t := ones
		t[i/3] = []int{3, 10, 11}[i%3]
		at, err := time.ParseInLocation(form, t.in(form), time.UTC)
		if err != nil {
			return true
		}
		for j, n := range partsOf(at) {
			if has(j) && n != t[j] {
				return true
			}
		}
	}
	return false
}

// parts are month, day, hour, minute, second.
type parts [5]int

func (p parts) in(form string) string {
	return time.Date(sample.Year(), time.Month(p[0]), p[1], p[2], p[3], p[4], 0, time.UTC).Format(form)
}

func partsOf(t time.Time) parts {
	return parts{int(t.Month()), t.Day(), t.Hour(), t.Minute(), t.Second()}
}
