package job

import (
	"fmt"
	"strconv"
	"strings"
)

// MaxConcurrency is the most requests at a time that a job may ask for.
const MaxConcurrency = 100_000

// What `concurrency: auto` means, and what is left out of {min, max}.
const (
	autoMin = 4
	autoMax = 1000
)

// ErrConcurrency says how a concurrency is written.
var ErrConcurrency = fmt.Errorf("a concurrency is a whole number from 1 to %d, or auto", MaxConcurrency)

// Concurrency is how many requests are made at the same time: always Max when Min is the same, else from Min up to what
// the sites bear, Max at most.
type Concurrency struct{ Min, Max int }

// Auto says that the number of requests at the same time follows the answers.
func (c Concurrency) Auto() bool { return c.Min < c.Max }

// ParseConcurrency reads a number or auto. Its error is ErrConcurrency.
func ParseConcurrency(text string) (Concurrency, error) {
	text = strings.TrimSpace(text)
	if text == "auto" {
		return Concurrency{autoMin, autoMax}, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > MaxConcurrency {
		return Concurrency{}, ErrConcurrency
	}
	return Concurrency{n, n}, nil
}

// concurrency reads 16, auto or {min: 50, max: 2000}.
func (l *loader) concurrency(n *node) {
	switch n.kind {
	case broken:
		return
	case dict:
		l.concurrencyRange(n)
		return
	case null:
		l.nothing(n, "concurrency")
		return
	}
	c, err := ParseConcurrency(n.text) // a list has none
	if err != nil {
		l.at(n, "concurrency is a whole number from 1 to %d, auto or {min: 50, max: 2000}, not %s%s", MaxConcurrency,
			n.quote(), meant(n, []string{"auto"}))
		return
	}
	l.job.Concurrency = c
}

// concurrencyRange fills what is left out so that it fits what is there.
func (l *loader) concurrencyRange(n *node) {
	m := concurrencyKeys.read(l.report, n)
	c := Concurrency{autoMin, autoMax}
	lower, upper := m["min"], m["max"]
	good := l.bound(&c.Min, lower, "min")
	good = l.bound(&c.Max, upper, "max") && good
	switch {
	case !good:
		return
	case lower == nil:
		c.Min = min(c.Min, c.Max)
	case upper == nil:
		c.Max = max(c.Min, c.Max)
	case c.Max < c.Min:
		l.at(upper, "max is less than min")
		return
	}
	l.job.Concurrency = c
}

// bound reads one end of a range; n is nil when it is left out.
func (l *loader) bound(to *int, n *node, what string) bool {
	if n == nil {
		return true
	}
	v, ok := l.integer(n, what, 1, MaxConcurrency)
	*to = int(v)
	return ok
}
