package schema

import "strings"

// reader reads a date from left to right. Its methods take what they know and say whether they did.
type reader struct {
	s string
	i int
}

func (p *reader) done() bool { return p.i == len(p.s) }

// peek returns the next byte, 0 at the end.
func (p *reader) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

// take skips word if it comes next.
func (p *reader) take(word string) bool {
	if !strings.HasPrefix(p.s[p.i:], word) {
		return false
	}
	p.i += len(word)
	return true
}

func (p *reader) spaces() bool {
	start := p.i
	for p.peek() == ' ' || p.peek() == '\t' {
		p.i++
	}
	return p.i > start
}

// digits reads a number of at most most digits, and fails when there is none or another digit follows.
func (p *reader) digits(most int) (n, width int, ok bool) {
	for isDigit(p.peek()) && width <= most {
		n = n*10 + int(p.peek()-'0')
		p.i++
		width++
	}
	return n, width, 1 <= width && width <= most
}

// word reads Latin letters.
func (p *reader) word() string {
	start := p.i
	for isLatin(rune(p.peek())) {
		p.i++
	}
	return p.s[start:p.i]
}

func (p *reader) date(m *moment) bool {
	if isLatin(rune(p.peek())) {
		return p.named(m)
	}
	n, width, ok := p.digits(4)
	switch {
	case !ok:
		return false
	case width == 4:
		m.year = n
		return p.afterYear(m)
	case width > 2:
		return false
	}
	m.day = n
	if sign := p.peek(); sign == '/' || sign == '.' || sign == '-' && p.i+1 < len(p.s) && isDigit(p.s[p.i+1]) {
		return p.threeNumbers(m)
	}
	return p.monthAndYear(m)
}

// afterYear reads "-02-04" with any of - / . as the sign, or "年2月4日".
func (p *reader) afterYear(m *moment) (ok bool) {
	if p.take("年") {
		p.spaces()
		if m.month, _, ok = p.digits(2); !ok || !p.take("月") {
			return false
		}
		p.spaces()
		m.day, _, ok = p.digits(2)
		return ok && (p.take("日") || p.take("号") || p.take("號"))
	}
	sign := p.peek()
	if sign != '-' && sign != '/' && sign != '.' {
		return false
	}
	p.i++
	if m.month, _, ok = p.digits(2); !ok || p.peek() != sign {
		return false
	}
	p.i++
	m.day, _, ok = p.digits(2)
	return ok
}

// threeNumbers reads "04/02/2026", whose first number is in m.day. Half of the world puts the month there, so it is
// doubtful unless a number over 12, or two equal ones, settle it.
func (p *reader) threeNumbers(m *moment) bool {
	sign := p.peek()
	p.i++
	second, _, ok := p.digits(2)
	if !ok || p.peek() != sign {
		return false
	}
	p.i++
	year, width, ok := p.digits(4)
	if !ok || width != 4 && width != 2 {
		return false
	}
	m.year, m.month = year, second
	switch {
	case width == 2: // "26/02/04": not even the year is certain
		m.year, m.doubtful = fullYear(year), true
	case m.day <= 12 && second <= 12:
		m.doubtful = m.day != second
	}
	if second > 12 {
		m.day, m.month = m.month, m.day
	}
	return true
}

// named reads "Wed, 04 Feb 2026", "Wednesday, 04-Feb-26" and "February 4, 2026".
func (p *reader) named(m *moment) (ok bool) {
	word := p.word()
	if isWeekday(word) {
		p.take(",")
		p.spaces()
		if isLatin(rune(p.peek())) {
			word = p.word()
		} else {
			m.day, _, ok = p.digits(2)
			return ok && p.monthAndYear(m)
		}
	}
	if m.month = monthOf(word); m.month == 0 {
		return false
	}
	p.take(".")
	if !p.spaces() {
		return false
	}
	if m.day, _, ok = p.digits(2); !ok {
		return false
	}
	if !p.take(",") && p.peek() != ' ' {
		return false
	}
	p.spaces()
	width := 0
	m.year, width, ok = p.digits(4)
	return ok && width == 4
}

// monthAndYear reads " Feb 2026" or "-Feb-26" after a day. A year of two digits is read as RFC 822 and 850 mean it,
// which always have a time beside it; readMoment refuses one without.
func (p *reader) monthAndYear(m *moment) bool {
	if !p.take("-") && !p.spaces() {
		return false
	}
	if m.month = monthOf(p.word()); m.month == 0 {
		return false
	}
	p.take(".")
	if !p.take("-") && !p.spaces() {
		return false
	}
	year, width, ok := p.digits(4)
	if width == 2 {
		year, m.shortYear = fullYear(year), true
	}
	m.year = year
	return ok && (width == 2 || width == 4)
}

// fullYear follows POSIX (and package time): 69 to 99 are of the last century.
func fullYear(n int) int {
	if n >= 69 {
		return 1900 + n
	}
	return 2000 + n
}
