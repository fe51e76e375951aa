package schema

import (
	"slices"
	"strings"
)

var (
	months = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september",
		"october", "november", "december"}
	weekdays = []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
)

// monthOf knows a month by its English name or the first three letters of it, from 1; 0 for any other word.
func monthOf(word string) int { return nameIn(months, word) + 1 }

func isWeekday(word string) bool { return nameIn(weekdays, word) >= 0 }

func nameIn(names []string, word string) int {
	return slices.IndexFunc(names, func(name string) bool {
		return strings.EqualFold(word, name) || strings.EqualFold(word, name[:3]) || word == "Sept" && name == "september"
	})
}

// timeOfDay reads "T06:30:00.123Z", " 14:30", "14时30分", or nothing.
func (p *reader) timeOfDay(m *moment) (ok bool) {
	comma := p.take(",")
	if p.done() {
		return !comma
	}
	if !p.take("T") && !p.take("t") && !p.spaces() && p.s[p.i-1] < 0x80 { // 日 needs no space after it
		return false
	}
	m.clock = true
	if m.hour, _, ok = p.digits(2); !ok {
		return false
	}
	if p.take("时") || p.take("點") || p.take("点") {
		return p.chineseMinutes(m)
	}
	if !p.take(":") {
		return false
	}
	width := 0
	if m.min, width, ok = p.digits(2); !ok || width != 2 {
		return false
	}
	if p.take(":") {
		if m.sec, width, ok = p.digits(2); !ok || width != 2 || !p.fraction(m) {
			return false
		}
	}
	return p.zone(m)
}

func (p *reader) chineseMinutes(m *moment) (ok bool) {
	if m.min, _, ok = p.digits(2); !ok || !p.take("分") {
		return false
	}
	if p.done() {
		return true
	}
	m.sec, _, ok = p.digits(2)
	return ok && p.take("秒")
}

// fraction reads any number of digits and keeps milliseconds.
func (p *reader) fraction(m *moment) bool {
	if p.peek() != '.' && p.peek() != ',' {
		return true
	}
	p.i++
	unit, start := 100, p.i
	for isDigit(p.peek()) {
		m.ms += int(p.peek()-'0') * unit
		unit /= 10
		p.i++
	}
	return p.i > start
}

// mailZones are the zones that RFC 822 (section 5) gives names to, in hours. CST is left out of them, see zone.
var mailZones = map[string]int{"EST": -5, "EDT": -4, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7}

// zone reads "Z", "GMT", "+08:00", " +0800", or nothing. Other names of zones are not guessed; CST is six
// hours behind UTC in Chicago and eight ahead of it in Shanghai.
func (p *reader) zone(m *moment) bool {
	p.spaces()
	if c := p.peek(); c == '+' || c == '-' {
		return p.offset(m)
	}
	word := strings.ToUpper(p.word())
	switch word {
	case "", "Z", "GMT", "UTC", "UT":
		return true
	case "CST":
		m.doubtful = true
		return true
	}
	hours, ok := mailZones[word]
	m.offset = hours * 3600
	return ok
}

func (p *reader) offset(m *moment) bool {
	sign := 1
	if p.peek() == '-' {
		sign = -1
	}
	p.i++
	n, width, ok := p.digits(4)
	minutes := 0
	switch {
	case !ok || width == 3:
		return false
	case width == 4:
		n, minutes = n/100, n%100
	case p.take(":"):
		if minutes, width, ok = p.digits(2); !ok || width != 2 {
			return false
		}
	}
	m.offset = sign * (n*3600 + minutes*60)
	return n <= 23 && minutes <= 59
}
