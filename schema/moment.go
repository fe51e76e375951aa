package schema

import (
	"math"
	"strings"
	"time"
)

// moment is a date and time of day as read from a text.
type moment struct {
	year, month, day int
	hour, min, sec   int
	ms               int // of the second; finer digits are cut off
	offset           int // seconds east of UTC; without a zone in the text 0
	clock            bool
	shortYear        bool // two digits were written
	doubtful         bool // the same digits mean another date to other people
}

// The range of four-digit years, in Unix milliseconds: beyond it RFC 3339 has no form.
var (
	firstMS = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	lastMS  = time.Date(9999, 12, 31, 23, 59, 59, 999e6, time.UTC).UnixMilli()
)

// parseDate returns the date as it is written, whatever zone the text names.
func (f *Field) parseDate(s string) (any, finding) {
	m, found := f.moment(s)
	if found != good {
		return nil, found
	}
	b := make([]byte, 0, len("2006-01-02"))
	b = appendDigits(b, m.year, 4)
	b = appendDigits(append(b, '-'), m.month, 2)
	b = appendDigits(append(b, '-'), m.day, 2)
	return string(b), good
}

// parseDatetime returns Unix milliseconds. A text without a zone is taken as UTC, one without a time as midnight.
func (f *Field) parseDatetime(s string) (any, finding) {
	m, found := f.moment(s)
	if found != good {
		return nil, found
	}
	day := time.Date(m.year, time.Month(m.month), m.day, 0, 0, 0, 0, time.UTC).Unix()
	ms := (day+int64(m.hour*3600+m.min*60+m.sec-m.offset))*1000 + int64(m.ms)
	if ms < firstMS || ms > lastMS {
		return nil, unreadable
	}
	return ms, good
}

// moment reads a text by the field's layout, or else by what readMoment knows: never by both.
func (f *Field) moment(s string) (moment, finding) {
	if f.layout != nil {
		return f.layout.read(s)
	}
	return readMoment(s)
}

// readMoment knows ISO 8601 (with / and . for - as well, T or a space, seconds and fraction optional), the dates of
// HTTP and mail (RFC 822, 850, 1123), "4 February 2026", "Feb 4, 2026" and 2026年2月4日, with 24 hours or twice 12. A bare
// number is never taken for Unix time.
func readMoment(s string) (moment, finding) {
	p := reader{s: strings.TrimSpace(narrow(s))}
	var m moment
	if !p.date(&m) || !p.timeOfDay(&m) || !p.done() || !m.exists() {
		return m, unreadable
	}
	if m.doubtful || m.shortYear && !m.clock {
		return m, ambiguous
	}
	return m, good
}

func (m *moment) exists() bool {
	return m.year >= 1 && m.month >= 1 && m.month <= 12 && m.day >= 1 && m.day <= daysIn(m.year, m.month) &&
		m.hour <= 23 && m.min <= 59 && m.sec <= 59
}

func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// appendDigits writes n with leading zeros.
func appendDigits(b []byte, n, width int) []byte {
	for unit := int(math.Pow10(width - 1)); unit > 0; unit /= 10 {
		b = append(b, byte('0'+n/unit%10))
	}
	return b
}
