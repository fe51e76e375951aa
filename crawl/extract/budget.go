package extract

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

// defaultTimeout is for pages that are made to be slow; an honest page of 10 MB takes less than a second.
const defaultTimeout = 30 * time.Second

// stepsPerLook is how many steps are made between two looks at the time: so many that looking costs nothing, so few
// that they are done in no time even where one step goes through 100,000 siblings (li:nth-child(2)).
const stepsPerLook = 1024

// The records of a page may hold its text several times over, but not without end: 500 elements in each other, each a
// record with all the text within, would make gigabytes out of megabytes.
const (
	textPerPage = 16 << 20 // bytes
	textPerByte = 4        // and as many more for each byte of the page
)

// What a page can have too much of.
var (
	errSlow  = errors.New("the page takes too long to take apart")
	errLarge = errors.New("the records of the page hold far more text than the page")
)

// budget ends what would go on for too long, or grow too large. Its time starts with the first look at it, which small
// pages never need.
type budget struct {
	timeout time.Duration
	until   time.Time
	steps   int   // left until the next look
	text    int   // bytes left
	within  int   // bytes left, of JSON in elements
	over    error // what there was too much of; it stays so
}

func newBudget(timeout time.Duration, page int) budget {
	return budget{timeout: timeout, steps: stepsPerLook, text: textPerPage + textPerByte*page,
		within: scriptsPerPage + page}
}

// step says whether there may be another step.
func (b *budget) step() bool {
	if b.steps--; b.steps <= 0 {
		b.look()
	}
	return b.over == nil
}

// look looks at the time, and says whether there may be another step.
func (b *budget) look() bool {
	b.steps = stepsPerLook
	if now := time.Now(); b.until.IsZero() {
		b.until = now.Add(b.timeout)
	} else if now.After(b.until) && b.over == nil {
		b.over = fmt.Errorf("%w: more than %v", errSlow, b.timeout)
	}
	return b.over == nil
}

// take counts n bytes of text.
func (b *budget) take(n int) {
	if b.text -= n; b.text < 0 && b.over == nil {
		b.over = errLarge
	}
}

// hold counts n bytes of JSON in an element.
func (b *budget) hold(n int) {
	if b.within -= n; b.within < 0 && b.over == nil {
		b.over = errScripts
	}
}

// timedReader hands out a page in pieces, until its time is over: so x/net/html, which on some pages takes time that grows
// with the square of their length (golang/go #76279), is stopped from within.
type timedReader struct {
	text   *bytes.Reader
	budget *budget
}

func (r timedReader) Read(p []byte) (int, error) {
	r.budget.look()
	if r.budget.over != nil {
		return 0, r.budget.over
	}
	return r.text.Read(p)
}

// matcher is a CSS selector that matches nothing any more when the budget is spent. It is a goquery.Matcher.
type matcher struct {
	css    cascadia.Selector
	budget *budget
}

// Match says whether n is an element that the selector matches.
func (m matcher) Match(n *html.Node) bool {
	return n.Type == html.ElementNode && m.budget.step() && m.css.Match(n)
}

// MatchAll returns n and its descendants, as far as they match, in the order of the document.
func (m matcher) MatchAll(n *html.Node) []*html.Node {
	var found []*html.Node
	if m.Match(n) {
		found = append(found, n)
	}
	return append(found, cascadia.QueryAll(n, m)...)
}

// Filter returns those of the nodes that match.
func (m matcher) Filter(nodes []*html.Node) []*html.Node {
	var found []*html.Node
	for _, n := range nodes {
		if m.Match(n) {
			found = append(found, n)
		}
	}
	return found
}
