package job

import (
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// tree turns the YAML library's nodes into ours.
type tree struct {
	*report
	env     func(string) (string, bool)
	anchors map[string]*node
	aliased int // values that aliases stood for so far
}

func (t *tree) node(n ast.Node) *node {
	switch n := n.(type) {
	case *ast.MappingNode:
		return t.dict(n.GetToken(), n.IsFlowStyle, n.Values)
	case *ast.MappingValueNode:
		return t.dict(n.GetToken(), n.IsFlowStyle, []*ast.MappingValueNode{n})
	case *ast.SequenceNode:
		return t.list(n)
	case *ast.AnchorNode:
		value := t.node(n.Value)
		if n.Name != nil {
			t.anchors[n.Name.GetToken().Value] = value
		}
		return value
	case *ast.AliasNode:
		return t.alias(n)
	case *ast.TagNode:
		return t.tagged(n)
	case *ast.NullNode:
		return newNode(n.GetToken(), null)
	case *ast.LiteralNode:
		return t.scalar(n.Start, n.Value.Value)
	case *ast.StringNode:
		return t.scalar(n.GetToken(), n.Value)
	case ast.ScalarNode:
		return t.scalar(n.GetToken(), n.GetToken().Value)
	case nil:
		return &node{line: 1, col: 1, size: 1}
	}
	v := newNode(n.GetToken(), null)
	t.at(v, "YAML of this kind (%s) has no place in a job file", n.Type())
	return v
}

func newNode(tk *token.Token, k kind) *node {
	line, col := position(tk)
	return &node{line: line, col: col, kind: k, size: 1}
}

// scalar fills ${NAME} in: into the value, when YAML's structure is settled, so that no value can change it.
func (t *tree) scalar(tk *token.Token, text string) *node {
	n := newNode(tk, scalar)
	n.raw = unmask(text)
	n.plain, n.typed = unquoted(tk)
	f, err := fill(n.raw, t.env)
	if err != nil {
		t.at(n, "%v", err)
		n.kind = broken
		return n
	}
	n.text, n.filled, n.parts = f.text, f.names, f.parts
	return n
}

// unquoted says whether a scalar stands without quotes, and what YAML then took it for when it is not text.
func unquoted(tk *token.Token) (plain bool, typed string) {
	switch tk.Type {
	case token.SingleQuoteType, token.DoubleQuoteType, token.LiteralType, token.FoldedType:
		return false, ""
	case token.BoolType:
		return true, "true or false"
	case token.IntegerType, token.BinaryIntegerType, token.OctetIntegerType, token.HexIntegerType,
		token.FloatType, token.InfinityType, token.NanType:
		return true, "a number"
	}
	return true, ""
}

func (t *tree) list(s *ast.SequenceNode) *node {
	n := newNode(s.GetToken(), list)
	for _, value := range s.Values {
		item := t.node(value)
		n.items = append(n.items, item)
		n.size += item.size
	}
	return n
}

func (t *tree) dict(tk *token.Token, flow bool, values []*ast.MappingValueNode) *node {
	n := newNode(tk, dict)
	n.flow = flow
	var merged []entry
	for _, pair := range values {
		if pair.Key.IsMergeKey() {
			merged = append(merged, t.merge(pair.Value)...)
			continue
		}
		key := t.key(pair.Key)
		value := t.node(pair.Value)
		if value.kind == null { // its own position is often that of the next line
			value.line, value.col = key.line, key.col
		}
		n.entries = append(n.entries, entry{key, value})
		n.size += 1 + value.size
	}
	if !flow && len(n.entries) > 0 { // the library stands a block map at its first colon
		n.line, n.col = n.entries[0].key.line, n.entries[0].key.col
	}
	n.addMerged(merged)
	return n
}

// key reads the key of a dict; ${NAME} is not filled in there, because keys are the job's structure.
func (t *tree) key(k ast.MapKeyNode) *node {
	var inner ast.Node = k
	if explicit, ok := k.(*ast.MappingKeyNode); ok && explicit.Value != nil {
		inner = explicit.Value
	}
	key := newNode(inner.GetToken(), scalar)
	key.text = unmask(inner.GetToken().Value)
	if s, ok := inner.(*ast.StringNode); ok {
		key.text = unmask(s.Value)
	}
	key.raw = key.text
	switch inner.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode, *ast.InfinityNode, *ast.NanNode:
	default:
		t.at(key, "a key is plain text here")
	}
	return key
}

// tagged allows !!str, which does what quotes do.
func (t *tree) tagged(n *ast.TagNode) *node {
	value := t.node(n.Value)
	if tag := n.GetToken().Value; tag != "!!str" {
		line, col := position(n.GetToken())
		t.add(line, col, "the tag %q has no place in a job file (text that begins with ! needs quotes)", shorten(tag))
		return value
	}
	copied := *value
	copied.plain, copied.typed = false, ""
	return &copied
}
