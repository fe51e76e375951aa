package job

import "github.com/goccy/go-yaml/ast"

// alias gives back the very node that its anchor stands at, so it costs nothing here; but whoever walks the tree meets
// it again and again, so what all aliases stand for together has a limit (a dozen lines of ten aliases each would be
// a billion values otherwise).
func (t *tree) alias(n *ast.AliasNode) *node {
	line, col := position(n.GetToken())
	name := ""
	if n.Value != nil {
		name = n.Value.GetToken().Value
	}
	value, ok := t.anchors[name]
	if !ok {
		t.add(line, col, "%q refers to an anchor (&%s) that is not above; a text that begins with * needs quotes", "*"+shorten(name), shorten(name))
		return &node{line: line, col: col, kind: broken, size: 1}
	}
	if t.aliased += value.size; t.aliased > maxAlias {
		t.add(line, col, "aliases stand for too many values (more than %d)", maxAlias)
		return &node{line: line, col: col, kind: broken, size: 1}
	}
	return value
}

// merge reads the value of a "<<" key: a map, or a list of them of which the first wins.
func (t *tree) merge(value ast.Node) []entry {
	n := t.node(value)
	switch n.kind {
	case dict:
		return n.entries
	case list:
		var all []entry
		for _, item := range n.items {
			all = append(all, item.entries...)
		}
		return all
	case broken:
		return nil
	}
	t.at(n, "<< takes in a map, not %s", n.what())
	return nil
}

// addMerged adds the entries that a dict does not have of its own.
func (n *node) addMerged(merged []entry) {
	if len(merged) == 0 {
		return
	}
	own := make(map[string]bool, len(n.entries)+len(merged))
	for _, e := range n.entries {
		own[e.key.text] = true
	}
	for _, e := range merged {
		if own[e.key.text] {
			continue
		}
		own[e.key.text] = true
		n.entries = append(n.entries, e)
		n.size += 1 + e.value.size
	}
}
