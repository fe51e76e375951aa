package draft

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// columnNames returns what the head of a row's table calls its columns, in the order of the cells; nil without a head.
func columnNames(row *html.Node) []string {
	table := row.Parent
	for table != nil && table.DataAtom != atom.Table {
		table = table.Parent
	}
	if row.DataAtom != atom.Tr || table == nil {
		return nil
	}
	head := first(table, "tr:has(th)")
	if head == nil {
		return nil
	}
	var names []string
	for c := range head.ChildNodes() {
		if c.DataAtom == atom.Th || c.DataAtom == atom.Td {
			names = append(names, textOf(c))
		}
	}
	return names
}

// cellOf returns the number, from 0, of the cell that an element is or stands in; -1 when it is in none below item.
func cellOf(n, item *html.Node) int {
	for ; n != nil && n != item; n = n.Parent {
		if n.Parent == item && (n.DataAtom == atom.Td || n.DataAtom == atom.Th) {
			return childNumber(n) - 1
		}
	}
	return -1
}
