package draft

import (
	"cmp"
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// group is elements that look alike and do not stand in each other.
type group struct {
	tag   string
	class string // "": all children of that tag of one parent
	nodes []*html.Node
	depth int
	score float64
	parts []part
}

// Bounds on what is looked at, for pages that are made to be slow.
const (
	fewest     = 3   // elements that are a list
	mostGroups = 300 // the largest ones
	mostItems  = 300 // of a group, for examples
)

// path is where an element stands, as a number: the tags from the root to it.
type path struct {
	above int
	tag   string
}

// grouper goes through a page once.
type grouper struct {
	paths  map[path]int
	byKey  map[groupKey]*group
	groups []*group
}

// groupKey: elements of a class are a group across parents that stand alike (the rows of a grid); those without a class
// are one below the same parent only.
type groupKey struct {
	path   int
	parent *html.Node
	tag    string
	class  string
}

// groups returns the groups of a page, the largest first.
func groups(root *html.Node) []*group {
	g := &grouper{paths: map[path]int{}, byKey: map[groupKey]*group{}}
	g.walk(root, 0, 0)
	found := slices.DeleteFunc(g.groups, func(g *group) bool { return len(g.nodes) < fewest })
	slices.SortStableFunc(found, func(a, b *group) int { return cmp.Compare(len(b.nodes), len(a.nodes)) })
	return found[:min(len(found), mostGroups)]
}

func (g *grouper) walk(parent *html.Node, at, depth int) {
	for n := parent.FirstChild; n != nil; n = n.NextSibling {
		if !partial(n) {
			continue
		}
		key := path{at, n.Data}
		if g.paths[key] == 0 {
			g.paths[key] = len(g.paths) + 1
		}
		if n.DataAtom != atom.Html && n.DataAtom != atom.Body && !headRow(n) {
			g.add(groupKey{parent: parent, tag: n.Data}, n, depth)
			for _, class := range classes(n) {
				if rank(class) > useless {
					g.add(groupKey{path: at, tag: n.Data, class: class}, n, depth)
				}
			}
		}
		g.walk(n, g.paths[key], depth+1)
	}
}

func (g *grouper) add(key groupKey, n *html.Node, depth int) {
	found := g.byKey[key]
	if found == nil {
		found = &group{tag: key.tag, class: key.class, depth: depth}
		g.byKey[key] = found
		g.groups = append(g.groups, found)
	}
	if len(found.nodes) == 0 || found.nodes[len(found.nodes)-1] != n { // a class may be named twice
		found.nodes = append(found.nodes, n)
	}
}

// headRow says whether a row of a table has the names of the columns, and no cells.
func headRow(n *html.Node) bool {
	if n.DataAtom != atom.Tr {
		return false
	}
	for c := range n.ChildNodes() {
		if c.DataAtom == atom.Td {
			return false
		}
	}
	return true
}
