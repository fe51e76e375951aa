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

// timeOfDay reads "T06:30:00.123Z", " 14:30", " 2:30 PM", "14时30分", "下午2:30", or nothing.
func (p *reader) timeOfDay(m *moment) (ok bool) {
	comma := p.take(",")
	if p.done() {
		return !comma
	}
	if !p.take("T") && !p.take("t") && !p.spaces() && p.s[p.i-1] < 0x80 { // 日 needs no space after it
		return false
	}
	m.clock = true
	morning, afternoon := p.take("上午"), p.take("下午")
	p.spaces()
	if m.hour, _, ok = p.digits(2); !ok {
		return false
	}
	m.doubtful = m.doubtful || morning && m.hour == 12 // noon to some, midnight to others
	if p.take("时") || p.take("時") || p.take("點") || p.take("点") {
		return p.chineseMinutes(m) && m.half(morning, afternoon)
	}
	return p.minutes(m) && m.half(morning, afternoon) && p.englishHalf(m) && p.zone(m)
}

// minutes reads ":30" or ":30:00.123".
func (p *reader) minutes(m *moment) (ok bool) {
	width := 0
	if !p.take(":") {
		return false
	}
	if m.min, width, ok = p.digits(2); !ok || width != 2 {
		return false
	}
	if p.take(":") {
		if m.sec, width, ok = p.digits(2); !ok || width != 2 || !p.fraction(m) {
			return false
		}
	}
	return true
}

// englishHalf reads " PM", or nothing.
func (p *reader) englishHalf(m *moment) bool {
	at := p.i
	p.spaces()
	word := p.word()
	morning, afternoon := strings.EqualFold(word, "AM"), strings.EqualFold(word, "PM")
	if !morning && !afternoon {
		p.i = at
	}
	return m.half(morning, afternoon)
}

// half puts an hour of twelve into its half of the day. An hour that says its half itself may have it said again.
func (m *moment) half(morning, afternoon bool) bool {
	switch {
	case morning && m.hour == 12:
		m.hour = 0
	case morning:
		return m.hour < 12
	case afternoon && m.hour == 0:
		return false
	case afternoon && m.hour < 12:
		m.hour += 12
	}
	return true
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

// mailZones are the zones that RFC 822 (section 5) gives names to, in hours. CST is left out of them, see namedZone.
var mailZones = map[string]int{"EST": -5, "EDT": -4, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7}

// zone reads "Z", "GMT", "+08:00", " +0800", "GMT+8", or nothing, and the remark in parentheses that mail and browsers
// add to it.
func (p *reader) zone(m *moment) bool {
	p.spaces()
	if c := p.peek(); c == '+' || c == '-' {
		return p.offset(m) && p.remark()
	}
	word := strings.ToUpper(p.word())
	if c := p.peek(); (c == '+' || c == '-') && (word == "GMT" || word == "UTC") {
		return p.offset(m) && p.remark()
	}
	return m.namedZone(word)
}

// namedZone takes the name of a zone; "" is UTC. Other names than these are not guessed; CST is six hours behind UTC in
// Chicago and eight ahead of it in Shanghai.
func (m *moment) namedZone(name string) bool {
	switch name {
	case "", "Z", "GMT", "UTC", "UT":
		return true
	case "CST":
		m.doubtful = true
		return true
	}
	hours, ok := mailZones[name]
	m.offset = hours * 3600
	return ok
}

// remark skips " (China Standard Time)": it only repeats the offset before it.
func (p *reader) remark() bool {
	at := p.i
	if !p.spaces() || !p.take("(") {
		p.i = at
		return true
	}
	for p.peek() != ')' && !p.done() {
		p.i++
	}
	return p.take(")")
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
