package draft

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// withoutSpares leaves out what stands in for something better: the text of a link that is cut, when its title has the
// whole; the title otherwise; src of a picture that has a data-src; its alt when there is text; what a
// time that says its date looks like.
func withoutSpares(parts []part) []part {
	dated := slices.ContainsFunc(parts, func(p part) bool { return p.attr == "datetime" })
	told := slices.ContainsFunc(parts, func(p part) bool { return p.attr == "" })
	pictures := map[string]bool{}
	drop := map[string]bool{}
	for _, p := range parts {
		i := slices.IndexFunc(parts, func(q part) bool { return q.place == p.place && q.attr == "" })
		if p.attr == "title" && i >= 0 {
			if slices.ContainsFunc(parts[i].values, shortened) {
				drop[p.place+"@"] = true
			} else {
				drop[p.place+"@title"] = true
			}
		}
	}
	return slices.DeleteFunc(parts, func(p part) bool {
		switch p.attr {
		case "":
			at := slices.IndexFunc(p.nodes, func(n *html.Node) bool { return n != nil })
			return dated && p.nodes[at].DataAtom == atom.Time || drop[p.place+"@"]
		case "alt":
			return told
		case "data-src", "data-original", "src":
			again := pictures[p.place]
			pictures[p.place] = true
			return again
		}
		return drop[p.place+"@"+p.attr]
	})
}

func shortened(s string) bool { return strings.HasSuffix(s, "...") || strings.HasSuffix(s, "…") }

// withoutTwins leaves out what says the same as a part before it: the link round the picture and that round the title.
func withoutTwins(parts []part) []part {
	seen := map[string]bool{}
	return slices.DeleteFunc(parts, func(p part) bool {
		key := strings.Join(p.values, "\x00")
		if seen[key] {
			return true
		}
		seen[key] = true
		return false
	})
}

// withoutLabels leaves out a text that only says the name of what stands within it: Price: <b class="amount">12</b>.
func withoutLabels(parts []part) []part {
	return slices.DeleteFunc(slices.Clone(parts), func(p part) bool {
		at := slices.IndexFunc(p.nodes, func(n *html.Node) bool { return n != nil })
		if p.attr != "" || p.place == "" || slices.ContainsFunc(p.nodes, func(n *html.Node) bool {
			return n != nil && ownText(n) != ownText(p.nodes[at])
		}) {
			return false
		}
		return slices.ContainsFunc(parts, func(q part) bool {
			return q.attr == "" && q.nodes[at] != nil && q.nodes[at] != p.nodes[at] && inside(q.nodes[at], p.nodes[at])
		})
	})
}

func inside(n, outer *html.Node) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if p == outer {
			return true
		}
	}
	return false
}
