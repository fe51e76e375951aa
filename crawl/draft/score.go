package draft

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// sampled is how many elements of a group are looked at to score it.
const sampled = 30

// leastScore is under which a group is no list that a page is about.
const leastScore = 2.0

// best returns the groups that may be what the page is about, the likeliest first.
func best(found []*group) []*group {
	for _, g := range found {
		g.parts = partsOf(spread(g.nodes, sampled))
		g.score = g.worth()
	}
	found = slices.DeleteFunc(found, func(g *group) bool { return g.score < leastScore })
	slices.SortStableFunc(found, func(a, b *group) int {
		return cmp.Or(
			cmp.Compare(math.Round(b.score*1000), math.Round(a.score*1000)),
			cmp.Compare(b.depth, a.depth), // the innermost of those that hold the same
			cmp.Compare(rank(b.class), rank(a.class)),
			cmp.Compare(len(b.nodes), len(a.nodes)),
		)
	})
	return found[:min(len(found), 12)]
}

// spread takes at most n of the elements, from all over the page.
func spread(nodes []*html.Node, n int) []*html.Node {
	if len(nodes) <= n {
		return nodes
	}
	var out []*html.Node
	for i := range n {
		out = append(out, nodes[i*len(nodes)/n])
	}
	return out
}

// worth scores a group: how many there are, how much varies in them, how much they say, and where they stand. One part
// that varies, or a link and its text in a menu, are no list.
func (g *group) worth() float64 {
	varying, size := 0.0, 0
	for i := range g.parts {
		p := &g.parts[i]
		if p.share() < 0.6 {
			varying += p.share() / 2
			continue
		}
		varying++
		if p.attr == "src" {
			varying += 0.5
		}
		size += len(p.example())
	}
	if varying < 2 {
		return 0
	}
	score := math.Log2(float64(len(g.nodes)+1)) * min(varying, 15) * (0.5 + min(float64(size), 120)/240)
	if marginal(g.nodes[0]) {
		score *= 0.2
	}
	return score
}

// margins are the words for what is on every page of a site.
var margins = []string{"nav", "navbar", "menu", "footer", "sidebar", "breadcrumb", "breadcrumbs", "pagination", "pager",
	"header", "cookie", "cookies", "banner", "social", "topbar", "toolbar"}

// marginal says whether an element stands in what is on every page.
func marginal(n *html.Node) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		switch {
		case p.DataAtom == atom.Body, p.DataAtom == atom.Main, p.DataAtom == atom.Article:
			return false
		case isMargin(p):
			return true
		}
	}
	return false
}

func isMargin(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Nav, atom.Header, atom.Footer, atom.Aside:
		return true
	}
	for _, word := range append(classes(n), attribute(n, "id")) {
		parts := strings.FieldsFunc(strings.ToLower(word), func(r rune) bool { return r == '-' || r == '_' })
		if slices.ContainsFunc(parts, func(w string) bool { return slices.Contains(margins, w) }) {
			return true
		}
	}
	return false
}
