package draft

import (
	"slices"
	"strings"
)

// list is what the records of a page are: the elements of an array, or one object.
type list struct {
	path    string // of the records, for each; "": the page is one
	records []*value
}

// deepest is how many members deep a list is looked for.
const deepest = 6

// listNames are what APIs call the list that a page is about.
var listNames = []string{"data", "items", "item", "results", "result", "list", "lists", "records", "rows", "entries",
	"hits", "docs", "objects", "values", "products", "posts", "articles", "users", "nodes", "edges", "content", "payload", "response"}

// wrappers are what they call the one thing.
var wrappers = []string{"data", "result", "response", "item", "product", "payload", "body", "object", "entity",
	"record", "detail"}

// findList finds the largest array of objects that is reached through members alone. An object that has an id of its
// own is the thing itself, and the arrays in it are its parts.
func findList(root *value) list {
	if root.kind == '[' {
		return list{"$[*]", root.items}
	}
	best, size, known := list{}, 0, false
	var search func(v *value, path, name string, depth int)
	search = func(v *value, path, name string, depth int) {
		if v.kind == '[' && len(v.items) > 0 && objects(v) {
			named := slices.Contains(listNames, strings.ToLower(name))
			n := len(v.items)
			better := n > size && (named || !known) || named && !known && n > 1
			if size == 0 || better {
				best, size, known = list{path + "[*]", v.items}, n, named
			}
		}
		if v.kind != '{' || depth == deepest || depth > 0 && identified(v) {
			return
		}
		for i, name := range v.names {
			if usable(name) {
				search(v.items[i], step(path, name), name, depth+1)
			}
		}
	}
	search(root, "$", "", 0)
	if size > 0 && (known || !identified(root)) {
		return best
	}
	return wrapped(root)
}

func objects(v *value) bool {
	return !slices.ContainsFunc(v.items, func(e *value) bool { return e.kind != '{' })
}

// identified says whether an object has an id, as a thing has, and an envelope has not.
func identified(v *value) bool {
	for i, name := range v.names {
		if slices.Contains(idNames, snake(name)) && v.items[i].scalar() && v.items[i].kind != 'n' {
			return true
		}
	}
	return false
}

// wrapped is the one object of a page, out of the envelope that it may come in: {"code": 0, "data": {…}}.
func wrapped(root *value) list {
	if !identified(root) {
		for i, name := range root.names {
			v := root.items[i]
			if v.kind == '{' && len(v.items) > 1 && slices.Contains(wrappers, strings.ToLower(name)) {
				return list{step("$", name), []*value{v}}
			}
		}
	}
	return list{"", []*value{root}}
}
