package draft

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
)

// maxPages is more than a page can say in earnest.
const maxPages = 1_000_000

// numbered is a URL with a number in it.
type numbered struct {
	before, after string
	value         int
}

func (n numbered) url(number string) string { return n.before + number + n.after }

// pageNumbers are the places of a URL where a number counts pages.
var pageNumbers = []*regexp.Regexp{
	regexp.MustCompile(`(?i)[?&;](?:page|p|pg|paged|page_?no|page_?num(?:ber)?|current_?page|pn)=` +
		`(0|[1-9]\d{0,5})(?:[&;#]|$)`),
	regexp.MustCompile(`(?i)/(?:page|p|pg)[/_-]?(0|[1-9]\d{0,5})(?:[/?#.]|$)`),
	regexp.MustCompile(`(?i)[/_-](?:page|list|index)[_-]?(0|[1-9]\d{0,5})\.[a-z]{2,5}(?:[?#]|$)`),
}

// idNumbers are those where it may be an id.
var idNumbers = []*regexp.Regexp{
	regexp.MustCompile(`(?i)[?&](?:[a-z_]*id)=(0|[1-9]\d{0,9})(?:[&#]|$)`),
	regexp.MustCompile(`/(0|[1-9]\d{0,9})(?:\.json)?/?(?:[?#]|$)`),
}

func pageNumber(url string) (numbered, bool) { return firstNumber(url, pageNumbers) }

func firstNumber(url string, patterns []*regexp.Regexp) (numbered, bool) {
	for _, p := range patterns {
		m := p.FindStringSubmatchIndex(url)
		if m == nil {
			continue
		}
		if v, err := strconv.Atoi(url[m[2]:m[3]]); err == nil {
			return numbered{url[:m[2]], url[m[3]:], v}, true
		}
	}
	return numbered{}, false
}

var bareNumber = regexp.MustCompile(`^(0|[1-9]\d{0,6})$`)

// in returns the number that another URL has in this place.
func (n numbered) in(url string) (int, bool) {
	rest, ok := strings.CutPrefix(url, n.before)
	if !ok {
		return 0, false
	}
	rest, ok = strings.CutSuffix(rest, n.after)
	if !ok || !bareNumber.MatchString(rest) {
		return 0, false
	}
	v, err := strconv.Atoi(rest)
	return v, err == nil && v <= maxPages
}

// pages makes a range of the start.
func (o *outline) pages(n numbered, first, last int, why string) {
	o.start = n.url("{" + strconv.Itoa(first) + ".." + strconv.Itoa(last) + "}")
	o.notes = append(o.notes, why)
	o.next = "pages " + strconv.Itoa(first) + " to " + number(last) + " in start"
}

// ids tells how to ask for a range, where a URL has what may be an id.
func (o *outline) ids(url string) {
	if _, counts := pageNumber(url); counts || strings.HasSuffix(o.each, "[*]") {
		return
	}
	n, ok := firstNumber(url, idNumbers)
	if !ok {
		return
	}
	last := strconv.Itoa(n.value)
	if n.value < 2 {
		last = "100"
	}
	o.hint("The number in the URL may be an id. To fetch a range, with your highest id in the place of "+last+
		"; one that is missing is no failure then:",
		"  start: "+scalar(n.url("{1.."+last+"}")),
		"  expect: {status: [200, 404]}")
}

// number is a number as people read it.
func number(n int) string { return humanize.Comma(int64(n)) }
