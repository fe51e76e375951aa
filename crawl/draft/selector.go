package draft

import (
	"slices"
	"strconv"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// mostTries is how many selectors are tried for a group.
const mostTries = 100

// eachSelector returns a selector that matches the elements of a group and nothing else on the page; "" when none of
// those that are tried does.
func (d *document) eachSelector(g *group) string {
	words := g.words()
	var tries []string
	if g.class != "" {
		tries = append(tries, words...)
	}
	for _, above := range scopes(g.nodes) {
		for _, word := range words {
			tries = append(tries, above+word)
		}
	}
	tries = append(tries, words...)
	tries = append(tries, g.holding()...)
	for _, above := range chains(g.nodes[0].Parent) {
		tries = append(tries, above+words[0])
	}
	for _, selector := range tries[:min(len(tries), mostTries)] {
		if only(d.root, selector, g.nodes) {
			return selector
		}
	}
	return ""
}

// words are the selectors for an element of the group by itself, the shortest first.
func (g *group) words() []string {
	switch {
	case g.class != "" && g.tag != "tr":
		return []string{"." + g.class, g.tag + "." + g.class}
	case g.class != "":
		return []string{"tr." + g.class, "tr." + g.class + ":has(td)"}
	case g.tag == "tr":
		return []string{"tr", "tr:has(td)"}
	}
	return []string{g.tag}
}

// holding are selectors for elements without a name by what stands in them that has one, or is a heading.
func (g *group) holding() []string {
	var out []string
	for c := range g.nodes[0].ChildNodes() {
		if c.Type != html.ElementNode {
			continue
		}
		if word := fieldWords(c, false)[0]; word != c.Data || headings[c.DataAtom] {
			out = append(out, g.tag+":haschild("+word+")")
		}
	}
	return out
}

// scopes are what can stand before the selector of an element so that only those within something match: with an id or
// a class first, nearest first.
func scopes(nodes []*html.Node) []string {
	parent := nodes[0].Parent
	child := " > "
	if slices.ContainsFunc(nodes, func(n *html.Node) bool { return n.Parent != parent }) {
		child = " "
	}
	var named, tags, both []string
	for p, up := parent, 0; p != nil && p.Type == html.ElementNode && up < 6; p, up = p.Parent, up+1 {
		if up > 0 {
			child = " "
		}
		for _, word := range callers(p) {
			named = append(named, word+child)
			if up > 0 {
				both = append(both, word+" "+parent.Data+" > ")
			}
		}
		tags = append(tags, p.Data+child)
	}
	return slices.Concat(named, both, tags)
}

// chains are the ways down to the children of an element by tags alone, the shortest first, from something with an id
// on or from <body>.
func chains(parent *html.Node) []string {
	var out []string
	chain := ""
	for p := parent; p != nil && p.Type == html.ElementNode && p.DataAtom != atom.Html; p = p.Parent {
		chain = p.Data + " > " + chain
		if len(out) < 12 {
			out = append(out, chain)
		}
	}
	if len(chain) < 200 {
		out = append(out, chain)
	}
	return out
}

// callers are the selectors that call an element by its id or a class.
func callers(n *html.Node) []string {
	var words, weaker []string
	if id := attribute(n, "id"); rank(id) == good {
		words = append(words, "#"+id)
	}
	for _, class := range classes(n) {
		switch rank(class) {
		case good:
			words = append(words, "."+class, n.Data+"."+class)
		case weak:
			weaker = append(weaker, "."+class, n.Data+"."+class)
		}
	}
	return append(words, weaker...)
}

// fieldSource returns the source of a part, a selector with @attr, that finds it in every item, and nothing else where
// it is missing; "" when there is none.
func fieldSource(items []*html.Node, p *part) string {
	suffix := ""
	if p.attr != "" {
		suffix = "@" + p.attr
	}
	if p.place == "" {
		return suffix
	}
	at := slices.IndexFunc(p.nodes, func(n *html.Node) bool { return n != nil })
	for _, selector := range fieldTries(p.nodes[at], items[at], p.attr != "") {
		css, err := cascadia.Parse(selector)
		if err != nil {
			continue
		}
		if p.isFound(items, css) {
			return selector + suffix
		}
	}
	return ""
}

func (p *part) isFound(items []*html.Node, css cascadia.Matcher) bool {
	for i, item := range items {
		if cascadia.Query(item, css) != p.nodes[i] {
			return false
		}
	}
	return true
}

// fieldTries are selectors that may find an element in its item, the best first.
func fieldTries(n, item *html.Node, withAttr bool) []string {
	words := fieldWords(n, withAttr)
	tries := slices.Clone(words)
	for p, up := n.Parent, 0; p != nil && p != item && up < 4; p, up = p.Parent, up+1 {
		for _, above := range fieldWords(p, false) {
			for _, word := range words {
				tries = append(tries, above+" "+word)
				if up == 0 {
					tries = append(tries, above+" > "+word)
				}
			}
		}
	}
	return tries
}

// fieldWords are the selectors for an element by itself. Where an attribute follows, the tag makes it easier to read:
// a.name@href.
func fieldWords(n *html.Node, withAttr bool) []string {
	var words, weaker []string
	if prop := attribute(n, "itemprop"); identifier.MatchString(prop) {
		words = append(words, "[itemprop="+prop+"]")
	}
	if headings[n.DataAtom] {
		words = append(words, n.Data)
	}
	for _, class := range classes(n) {
		two := []string{"." + class, n.Data + "." + class}
		if withAttr {
			slices.Reverse(two)
		}
		switch rank(class) {
		case good:
			words = append(words, two...)
		case weak:
			weaker = append(weaker, two...)
		}
	}
	if id := attribute(n, "data-testid"); rank(id) == good {
		words = append(words, "[data-testid="+id+"]")
	}
	if n.DataAtom == atom.Td || n.DataAtom == atom.Th {
		words = append(words, n.Data+":nth-child("+strconv.Itoa(childNumber(n))+")")
	}
	return append(append(words, n.Data), weaker...)
}

// childNumber is an element's number among its parent's, from 1.
func childNumber(n *html.Node) int {
	at := 1
	for p := n.PrevSibling; p != nil; p = p.PrevSibling {
		if p.Type == html.ElementNode {
			at++
		}
	}
	return at
}

var headings = map[atom.Atom]bool{atom.H1: true, atom.H2: true, atom.H3: true, atom.H4: true, atom.H5: true,
	atom.H6: true}
