package draft

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// part is what stands in the elements of a group at the same place: a text, or an attribute.
type part struct {
	place  string       // how the place is recognised: tags, with a class where there is one
	attr   string       // "": the text
	nodes  []*html.Node // in each element of the group; nil where the place is missing
	values []string     // "" where it is missing
	again  bool         // an element has several in this place: the first is meant
}

// mostParts is how many descendants of an element are looked at.
const mostParts = 150

// gatherer finds the places of a group's elements.
type gatherer struct {
	items  int
	places map[string]*placed
	order  []*placed
}

type placed struct {
	place string
	nodes []*html.Node
	quiet bool // its text is part of the text around it
	again bool
}

// partsOf returns what varies between the elements, in the order of the page.
func partsOf(items []*html.Node) []part {
	g := &gatherer{items: len(items), places: map[string]*placed{}}
	for i, item := range items {
		left := mostParts
		g.look(i, item, "", false, &left)
	}
	parts := ownParts(items)
	for _, p := range g.order {
		parts = append(parts, p.readings()...)
	}
	parts = slices.DeleteFunc(parts, func(p part) bool { return !p.varies() })
	return withoutLabels(withoutTwins(withoutSpares(parts)))
}

// look notes the descendants of the i-th item.
func (g *gatherer) look(i int, n *html.Node, above string, within bool, left *int) {
	cell := 0
	for c := n.FirstChild; c != nil && *left > 0; c = c.NextSibling {
		if !partial(c) {
			continue
		}
		*left--
		cell++
		place, named := placeOf(c, above, cell)
		p := g.places[place]
		if p == nil {
			p = &placed{place: place, nodes: make([]*html.Node, g.items), quiet: within && !named && inline[c.DataAtom]}
			g.places[place] = p
			g.order = append(g.order, p)
		}
		if p.nodes[i] == nil {
			p.nodes[i] = c
		} else {
			p.again = true
		}
		g.look(i, c, place, within || tells(c), left)
	}
}

// placeOf describes where an element stands in its item. What has a name of its own is found by it, wherever it stands;
// a cell of a table is known by its number.
func placeOf(n *html.Node, above string, cell int) (place string, named bool) {
	if prop := attribute(n, "itemprop"); identifier.MatchString(prop) {
		return n.Data + "[" + prop + "]", true
	}
	if n.DataAtom == atom.Td || n.DataAtom == atom.Th {
		return n.Data + ":nth-child(" + strconv.Itoa(cell) + ")", true
	}
	for _, class := range classes(n) {
		if rank(class) == good {
			return n.Data + "." + class, true
		}
	}
	return above + ">" + n.Data, false
}

// tells says whether an element has text of its own. A cell counts as a whole.
func tells(n *html.Node) bool {
	return n.DataAtom == atom.Td || n.DataAtom == atom.Th || ownText(n) != ""
}

// readings are what can be read at a place.
func (p *placed) readings() []part {
	var parts []part
	read := func(attr string, value func(*html.Node) string) {
		q := part{place: p.place, attr: attr, nodes: p.nodes, values: make([]string, len(p.nodes)), again: p.again}
		for i, n := range p.nodes {
			if n != nil {
				q.values[i] = value(n)
			}
		}
		parts = append(parts, q)
	}
	n := p.nodes[slices.IndexFunc(p.nodes, func(n *html.Node) bool { return n != nil })]
	if !p.quiet {
		read("", textIfTold)
	}
	for _, attr := range telling[n.DataAtom] {
		read(attr, func(n *html.Node) string { return written(n, attr) })
	}
	if attribute(n, "itemprop") != "" && attribute(n, "content") != "" {
		read("content", func(n *html.Node) string { return attribute(n, "content") })
	}
	return parts
}

func textIfTold(n *html.Node) string {
	if !tells(n) {
		return ""
	}
	return textOf(n)
}

// written is an attribute, unless it is a picture in itself, as pages have them until the real one is loaded.
func written(n *html.Node, attr string) string {
	value := attribute(n, attr)
	if strings.HasPrefix(value, "data:") {
		return ""
	}
	return value
}

// telling are the attributes that say something. What pages load later stands in data-src, and then src is the same for
// all.
var telling = map[atom.Atom][]string{
	atom.A: {"href", "title"}, atom.Img: {"data-src", "data-original", "src", "alt"}, atom.Time: {"datetime"},
}

var dataName = regexp.MustCompile(`^data-(?:[a-z]+-)?(?:id|sku|asin|code|price|title|name)$`)

// ownParts are the attributes of the items themselves that say something. Their own text no field can have.
func ownParts(items []*html.Node) []part {
	var names []string
	for _, a := range items[0].Attr {
		known := a.Key == "href" && items[0].DataAtom == atom.A
		if known || dataName.MatchString(a.Key) {
			names = append(names, a.Key)
		}
	}
	var parts []part
	for _, name := range names {
		p := part{attr: name, nodes: items}
		for _, item := range items {
			p.values = append(p.values, attribute(item, name))
		}
		parts = append(parts, p)
	}
	return parts
}

// share is in how much of the group the part is, from 0 to 1.
func (p *part) share() float64 {
	n := 0
	for _, v := range p.values {
		if v != "" {
			n++
		}
	}
	return float64(n) / float64(len(p.values))
}

// example is the first value.
func (p *part) example() string {
	for _, v := range p.values {
		if v != "" {
			return v
		}
	}
	return ""
}

// varies says whether the part is in enough of the elements, and not the same in all of them.
func (p *part) varies() bool {
	from := p.example()
	differs := slices.ContainsFunc(p.values, func(v string) bool { return v != "" && v != from })
	return differs && p.share() >= 0.25
}

// distinct says whether the part is there in every element and in each another.
func (p *part) distinct() bool {
	seen := map[string]bool{}
	for _, v := range p.values {
		if v == "" || seen[v] {
			return false
		}
		seen[v] = true
	}
	return true
}
