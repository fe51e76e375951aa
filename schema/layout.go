package schema

import (
	"fmt"
	"strings"
	"time"
)

// layout reads dates that are all written in one way, which the job file says. A text fits it as a whole or not at all.
type layout struct {
	forms    []string // for package time; several where one directive of strptime has several spellings
	strptime bool
	zoned    bool // an offset stands in it: then the name of a zone beside it says nothing more

	// How many there are in a text that fits. Package time reads a fraction of a second that no layout asks for, and
	// takes . and , for the same.
	points, commas int
	fractionless   bool // a text may lack the fraction (".999")
	signs          bool // it has parts in which package time takes a sign for a digit
}

// longestLayout is in bytes. What a layout is checked for takes time that grows with its square.
const longestLayout = 200

// sample is a time of which no number stands for two parts, and no part is what package time takes for one that is
// missing.
var sample = time.Date(1999, time.November, 27, 22, 48, 57, 123456789, time.UTC)

// newLayout reads a layout: with a % in it as strptime's, else as that of package time. It must say year, month and
// day; for a clock also which half of the day an hour of twelve is in.
func newLayout(written string, clock bool) (*layout, error) {
	if len(written) > longestLayout {
		return nil, fmt.Errorf("it is longer than %d bytes; take what stands around the date off with match", longestLayout)
	}
	text := strings.TrimSpace(narrow(written))
	l := &layout{forms: []string{text}}
	if strings.Contains(text, "%") {
		forms, err := strptime(text)
		if err != nil {
			return nil, err
		}
		l.forms, l.strptime = forms, true
	}
	l.measure()
	return l, l.check(clock)
}

// measure finds out what the layout holds by writing with it.
func (l *layout) measure() {
	form := l.forms[0]
	text := sample.Format(form)
	l.points, l.commas = strings.Count(text, "."), strings.Count(text, ",")
	l.fractionless = !l.strptime && !l.pointed(sample.Truncate(time.Second).Format(form))
	l.signs = !strings.Contains(text, "1999") || strings.Contains(text, ".1") || strings.Contains(text, ",1")
	l.zoned = inZone(time.Hour).Format(form) != inZone(2*time.Hour).Format(form)
}

// pointed reports whether a text has all the points and commas.
func (l *layout) pointed(text string) bool {
	return strings.Count(text, ".") == l.points && strings.Count(text, ",") == l.commas
}

// inZone is the sample as clocks of another zone show it.
func inZone(east time.Duration) time.Time {
	s := sample
	zone := time.FixedZone("UTC", int(east.Seconds()))
	return time.Date(s.Year(), s.Month(), s.Day(), s.Hour(), s.Minute(), s.Second(), s.Nanosecond(), zone)
}

// parse never looks at the zone of the machine, as time.Parse does.
func (l *layout) parse(s string) (time.Time, bool) {
	s = strings.TrimSpace(narrow(s))
	if !l.fractionless && !l.pointed(s) {
		return time.Time{}, false
	}
	if l.strptime {
		s = strings.ReplaceAll(s, "_", wideLine)
	}
	for _, form := range l.forms {
		if at, err := time.ParseInLocation(form, s, time.UTC); err == nil {
			return at, !l.signs || !signForDigit(form, s)
		}
	}
	return time.Time{}, false
}

// signForDigit reports whether a sign stands in the place of a digit: to package time "+5" and "-5" are years of two
// digits, and ".+50" is a fraction.
func signForDigit(form, s string) bool {
	for i := range len(s) {
		if s[i] == '+' || s[i] == '-' {
			if _, err := time.ParseInLocation(form, s[:i]+"5"+s[i+1:], time.UTC); err == nil {
				return true
			}
		}
	}
	return false
}

// read is readMoment for texts whose layout is known.
func (l *layout) read(s string) (moment, finding) {
	at, ok := l.parse(s)
	if !ok {
		return moment{}, unreadable
	}
	name, offset := at.Zone()
	if !l.zoned {
		at = at.UTC() // package time remembers the 8 of GMT+8, but leaves the clock as it was read
	}
	m := moment{
		year: at.Year(), month: int(at.Month()), day: at.Day(), hour: at.Hour(), min: at.Minute(), sec: at.Second(),
		ms: at.Nanosecond() / 1e6, offset: offset,
	}
	switch {
	case !l.zoned && !strings.HasPrefix(name, "GMT") && !m.namedZone(name):
		return m, unreadable
	case !m.exists():
		return m, unreadable
	case m.doubtful:
		return m, ambiguous
	}
	return m, good
}
