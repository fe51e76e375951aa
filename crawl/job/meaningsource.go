package job

import (
	"fmt"
	"strings"
)

// sourceFact is the same for the short and the long form.
func sourceFact(n *node, s Source) string {
	switch {
	case s.Meta != "":
		return writtenAs("meta", n, s.Meta)
	case s.Value != nil:
		return writtenAs("value", n, *s.Value)
	}
	return strings.Join(selectorFacts(n, Selector{s.CSS, s.Attr, s.JSON}), " ")
}

// selectorFacts has what stands in elements and what stands in JSON apart.
func selectorFacts(n *node, s Selector) []string {
	var facts []string
	if text := s.CSS; text != "" || s.Attr != "" {
		if s.Attr != "" {
			text += "@" + s.Attr
		}
		facts = append(facts, writtenAs("css", n, text))
	}
	if s.JSON != "" {
		facts = append(facts, writtenAs("json", n, s.JSON))
	}
	return facts
}

// writtenAs is a text behind its kind: as it is, or as it was written when variables are filled in to it.
func writtenAs(kind string, n *node, text string) string {
	if long := n.value(kind); long != nil {
		n = long
	}
	if len(n.filled) > 0 {
		text = n.raw
	}
	return kind + " " + word(text)
}

// dressFacts is what else is said about a source.
func dressFacts(n *node, s Source) []string {
	var facts []string
	if v := n.value("up"); v != nil {
		facts = append(facts, "up "+strings.TrimSpace(v.raw))
	}
	if v := n.value("take"); v != nil && (s.Take != TakeText || len(v.filled) > 0) {
		facts = append(facts, "take "+v.raw)
	}
	if v := n.value("join"); v != nil {
		facts = append(facts, "join "+word(v.raw))
	}
	return facts
}

// eachFact has selectors within each other in a list, whose only one is as good as itself. What a selector is shows, so
// only where there are two they have their kinds before them.
func eachFact(n *node, each []Selector) string {
	var facts []string
	for i, item := range listed(n) {
		of := selectorFacts(item, each[i])
		if len(of) == 1 {
			_, of[0], _ = strings.Cut(of[0], " ")
		}
		facts = append(facts, strings.Join(of, " "))
	}
	if len(facts) == 1 {
		return facts[0]
	}
	return "[" + strings.Join(facts, ", ") + "]"
}

// followFacts has a line for the links and one for everything that they take along, which may come and go by itself.
func followFacts(prefix string, n *node, f *Follow) []string {
	page, within := f.Page, f.Within
	if v := n.value("as"); v != nil {
		page = v.raw
	}
	if v := n.value("within"); v != nil {
		within = v.raw
	}
	link := prefix + "follow " + sourceFact(n, f.Source)
	if each := n.value("each"); each != nil {
		link += " each " + eachFact(each, f.Each)
	}
	link += " as " + page
	fact := link + " within " + within
	if v := n.value("match"); v != nil {
		fact += ", match " + word(v.raw)
	}
	if v := n.value("depth"); v != nil && (f.Depth > 0 || len(v.filled) > 0) {
		fact += ", depth " + strings.TrimSpace(v.raw)
	}
	return append([]string{fact}, carryFacts(link, n.value("carry"), f.Carry.Sources)...)
}

func carryFacts(link string, n *node, sources []Source) []string {
	if n == nil {
		return nil
	}
	var lines []string
	for i, e := range n.entries {
		facts := append([]string{sourceFact(e.value, sources[i])}, dressFacts(e.value, sources[i])...)
		for _, key := range []string{"match", "remove"} {
			if v := e.value.value(key); v != nil {
				facts = append(facts, key+" "+word(v.raw))
			}
		}
		lines = append(lines, fmt.Sprintf("%s: carry %s: %s", link, e.key.text, strings.Join(facts, ", ")))
	}
	return lines
}

func nextFact(n *node, x *Next) string {
	fact := "next " + sourceFact(n, x.Source)
	if v := n.value("url"); v != nil {
		return fact + " url " + word(v.raw)
	}
	within := x.Within
	if v := n.value("within"); v != nil {
		within = v.raw
	}
	return fact + " within " + within
}
