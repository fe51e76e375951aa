package job

import (
	"fmt"

	"github.com/goccy/go-yaml/token"
)

// The YAML library calls itself for every level of nesting and compares every key of a block map with all others, so
// a hostile text of a few megabytes would overflow its stack or take hours. No job comes near these limits.
const (
	maxDepth = 60     // of brackets and braces, or of "- - -" and the like in a row
	maxKeys  = 10_000 // in one block map
	maxAlias = 50_000 // values that all aliases together stand for
)

// tooDeep returns the token at which a text exceeds a limit, and which.
func tooDeep(tokens token.Tokens) (*token.Token, string) {
	var blocks blockMaps
	flow, row := 0, 0
	for i, tk := range tokens {
		switch tk.Type {
		case token.MappingStartType, token.SequenceStartType:
			flow++
		case token.MappingEndType, token.SequenceEndType:
			flow--
		case token.SequenceEntryType:
			blocks.entry(tk.Position.Column)
		case token.MappingValueType:
			if flow == 0 && i > 0 && blocks.key(tokens[i-1].Position.Column) > maxKeys {
				return tk, fmt.Sprintf("too many keys in one map (more than %d)", maxKeys)
			}
		}
		row = inRow(tokens, i, row)
		if flow > maxDepth || row > maxDepth {
			return tk, fmt.Sprintf("nested too deep (more than %d levels)", maxDepth)
		}
	}
	return nil, ""
}

// inRow counts what can nest without brackets: "- - -", "? ? ?", tags and anchors before one value.
func inRow(tokens token.Tokens, i, row int) int {
	switch tokens[i].Type {
	case token.SequenceEntryType, token.MappingKeyType:
		if i == 0 || tokens[i-1].Position.Line != tokens[i].Position.Line {
			return 1
		}
		return row + 1
	case token.TagType, token.AnchorType:
		return row + 1
	case token.StringType:
		if i > 0 && tokens[i-1].Type == token.AnchorType { // the anchor's name
			return row
		}
	}
	return 0
}

// blockMaps counts the keys of the block maps that are open, by the column of their keys.
type blockMaps []struct{ col, keys int }

// entry closes the maps that a "- " at this column ends.
func (b *blockMaps) entry(col int) {
	for len(*b) > 0 && (*b)[len(*b)-1].col > col {
		*b = (*b)[:len(*b)-1]
	}
}

// key counts a key at this column and returns how many its map has now.
func (b *blockMaps) key(col int) int {
	b.entry(col)
	if n := len(*b); n > 0 && (*b)[n-1].col == col {
		(*b)[n-1].keys++
		return (*b)[n-1].keys
	}
	*b = append(*b, struct{ col, keys int }{col, 1})
	return 1
}
