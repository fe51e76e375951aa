package job

import (
	"slices"
	"strconv"
	"strings"
)

type kind uint8

const (
	null   kind = iota // nothing, ~ or null
	scalar             // text, a number, true or false
	list
	dict   // what YAML calls a map
	broken // already reported: whoever meets it says nothing more
)

// node is a value of the job file. The tree of them is all that the rest of the package sees of YAML: aliases are
// followed, ${NAME} is filled in.
type node struct {
	line, col int
	kind      kind
	text      string   // of a scalar: its text, ${NAME} filled in. Never goes into a message: it may hold a secret
	raw       string   // of a scalar: its text as it stands in the job file, for messages
	plain     bool     // a scalar without quotes, so YAML had its say about what it is
	typed     string   // what YAML took an unquoted scalar for, when it is not text: "a number", "true or false"
	filled    []string // names of the variables in it
	parts     []part   // its text in pieces, when something is filled in; never goes into a message
	flow      bool     // a dict in braces
	items     []*node
	entries   []entry
	size      int // number of values in it, those that aliases stand for included
}

// entry is one key of a dict and its value.
type entry struct{ key, value *node }

// quote shows a scalar in a message: as written, and not at full length.
func (n *node) quote() string {
	if n.kind != scalar {
		return n.what()
	}
	return strconv.Quote(shorten(n.raw))
}

// what names the sort of value for a message.
func (n *node) what() string {
	switch {
	case n.kind == null:
		return "nothing"
	case n.kind == list:
		return "a list"
	case n.kind == dict:
		return "a map"
	case n.typed != "":
		return n.typed
	}
	return "text"
}

// shorten keeps messages readable when a value is long.
func shorten(s string) string {
	if runes := []rune(s); len(runes) > 80 {
		return string(runes[:77]) + "…"
	}
	return s
}

// badValue reports what is wrong with a value. An error that was made from the filled-in text may quote it, so it is
// shown only when nothing was filled in, here or in the values that it was compared with.
func (r *report) badValue(n *node, err error, others ...*node) {
	names := n.variables()
	for _, other := range others {
		if other == nil {
			continue
		}
		names = append(names, other.variables()...)
	}
	if len(names) == 0 {
		r.at(n, "%v", err)
		return
	}
	r.at(n, "%s is not right after ${%s} is filled in (what that gives is not shown: it may be secret)", n.quote(), strings.Join(names, "}, ${"))
}

// variables returns the names of what was filled in, in a scalar or in the items of a list.
func (n *node) variables() []string {
	names := slices.Clone(n.filled)
	for _, item := range n.items {
		names = append(names, item.filled...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// at reports a problem at a value or a key.
func (r *report) at(n *node, format string, args ...any) {
	r.add(n.line, n.col, format, args...)
}
