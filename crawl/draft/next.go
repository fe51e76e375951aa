package draft

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"dogear/schema"
)

var (
	// nextWords are the texts of links to the next page, and lastWords those to the last.
	nextWords = regexp.MustCompile(`(?i)\bnext\b|下一页|下一頁|下页|下頁|次へ|^›$|^>$|^→$|^»$`)
	lastWords = regexp.MustCompile(`(?i)^\W*last( page)?\W*$|末页|末頁|尾页|尾頁|最后一页|^»»$|^>>$`)
	nextClass = regexp.MustCompile(`(?i)(^|[-_])next([-_]|$)|^pagination.*next`)
)

// longestLabel is how long the text of a link to the next page is at most, in bytes: more is a headline.
const longestLabel = 40

// nextPage says how the pages after this one are found: by a range, when the page shows which is the last, else by the
// link to the next.
func (o *outline) nextPage(d *document, p Page) {
	links := every(d.root, "a[href], link[rel~=next]", 20_000)
	next, label := d.next(links)
	if d.closed(o, p, links, next != nil) || next == nil {
		return
	}
	source := d.nextSource(next, label)
	if source == "" {
		return
	}
	o.follow, o.why = scalar(source), "the next page, here "+example(attribute(next, "href"))
	o.next = "the link " + source + ", followed as long as there is one"
	if n, ok := pageNumber(p.URL); ok {
		if n.value > 1 {
			o.notes = append(o.notes, "the pages before "+number(n.value)+" are not fetched")
		}
		all := n.url("{" + strconv.Itoa(min(n.value, 1)) + "..20}")
		o.notes = append(o.notes, "or, where the number of the last page is known: start: "+scalar(all))
	}
}

// next finds the link to the next page: the one that says so in rel, else in a class, else in its text.
func (d *document) next(links []*html.Node) (n *html.Node, label string) {
	var byClass, byText *html.Node
	for _, n := range links {
		to := d.link(attribute(n, "href"))
		if to == "" || !sameHost(to, d.url) || schema.KeyURL(to) == schema.KeyURL(d.url) {
			continue
		}
		text := textOf(n)
		switch {
		case slices.Contains(strings.Fields(strings.ToLower(attribute(n, "rel"))), "next"):
			return n, ""
		case byClass == nil && len(text) <= longestLabel && len(nextCallers(n)) > 0:
			byClass = n
		case len(text) <= longestLabel && nextWords.MatchString(text):
			if found := nextWords.FindString(text); byText == nil || found == "›" && label == "»" {
				byText, label = n, found
			}
		}
	}
	if byClass != nil {
		return byClass, label
	}
	return byText, label
}

// nextCallers are the selectors that call a link, or what it stands in alone, the next one.
func nextCallers(n *html.Node) []string {
	var out []string
	below := ""
	for p, up := n, 0; p != nil && tagName.MatchString(p.Data) && up < 3; p, up = p.Parent, up+1 {
		if id := attribute(p, "id"); identifier.MatchString(id) && nextClass.MatchString(id) {
			out = append(out, "#"+id+below)
		}
		for _, class := range classes(p) {
			if identifier.MatchString(class) && nextClass.MatchString(class) {
				out = append(out, p.Data+"."+class+below)
			}
		}
		below = " a"
	}
	if label := attribute(n, "aria-label"); strings.EqualFold(label, "next") {
		out = append(out, "a[aria-label="+label+"]")
	}
	return out
}

// nextSource returns a source that finds the next page and nothing else; "" when none of those that are tried does.
func (d *document) nextSource(next *html.Node, label string) string {
	var tries []string
	if rel := strings.ToLower(attribute(next, "rel")); rel == "next" {
		tries = append(tries, next.Data+"[rel=next]")
	} else if slices.Contains(strings.Fields(rel), "next") {
		tries = append(tries, next.Data+"[rel~=next]")
	}
	tries = append(tries, nextCallers(next)...)
	if label != "" {
		tries = append(tries, `a:contains("`+label+`")`)
	}
	to := d.link(attribute(next, "href"))
	for _, selector := range tries {
		found := every(d.root, selector, 20)
		elsewhere := func(n *html.Node) bool { return d.link(attribute(n, "href")) != to }
		if len(found) > 0 && !slices.ContainsFunc(found, elsewhere) {
			return selector + "@href"
		}
	}
	return ""
}

// closed makes a range of the page number in the URL, when the page shows which is the last: a link that says so, one
// beyond a gap (1 2 3 … 50), or all there are and none to a next page.
func (d *document) closed(o *outline, p Page, links []*html.Node, hasNext bool) bool {
	given, ok := pageNumber(p.URL)
	if !ok {
		return false
	}
	url, err := schema.Resolve("", p.URL)
	if err != nil {
		return false
	}
	n, ok := pageNumber(url)
	if !ok {
		return false
	}
	shown, last := []int{n.value}, -1
	for _, a := range links {
		v, ok := n.in(d.link(attribute(a, "href")))
		if !ok || a.DataAtom == atom.Link {
			continue
		}
		shown = append(shown, v)
		if text := textOf(a); len(text) <= longestLabel && lastWords.MatchString(text) {
			last = v
		}
	}
	slices.Sort(shown)
	shown = slices.Compact(shown)
	highest := shown[len(shown)-1]
	gap := len(shown) > 2 && highest-shown[len(shown)-2] > 1 && highest > n.value
	if len(shown) < 2 || hasNext && !gap && last != highest {
		return false
	}
	o.pages(given, min(shown[0], 1), highest, "the page shows links up to number "+number(highest))
	return true
}
