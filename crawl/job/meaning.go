package job

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Meaning returns everything in the job that says what a stored row means, one fact a line, sorted: the kinds of page, their
// tables with key, each and fields, their links, what is expected of them. Two texts of a job that differ in comments, form,
// rates, retries, headers, limits or starts only have the same one. ${NAME} is in it as written, so it holds no secret.
//
//	page product
//	page product: expect contains h1
//	page product: follow css a.next@href as listing within host
//	page product: table products
//	page product: table products: field price: css .price, decimal(10,2), required
//	page product: table products: key url
func (j *Job) Meaning() []string { return slices.Clone(j.meaning) }

// Earlier parses an earlier text of the same job file, from when the job was called name, with ${NAME} looked up where it was
// for this one. Its errors are *Error: a variable may be gone by now.
func (j *Job) Earlier(name string, text []byte) (*Job, error) {
	return Parse(filepath.Join(filepath.Dir(j.Path), name+".yaml"), text, j.env)
}

// meaning writes the facts down. They come from the nodes rather than from the Job, because only those still know what was
// written; the Job says what a short form stands for. The file has no problems, so both have the same shape.
func (l *loader) meaning(name *node, kinds []pageKind) []string {
	var lines []string
	for i, kind := range kinds {
		page, prefix := &l.job.Pages[i], "page "+kind.name
		lines = append(lines, prefix)
		prefix += ": "
		for k, n := range listed(kind.rules["records"]) {
			lines = append(lines, l.recordsFacts(prefix, name, n, &page.Records[k])...)
		}
		for k, n := range listed(kind.rules["follow"]) {
			lines = append(lines, followFacts(prefix, n, &page.Follow[k])...)
		}
		if n := kind.rules["next"]; n != nil {
			lines = append(lines, prefix+nextFact(n, page.Next))
		}
		if n := kind.rules["expect"]; n != nil {
			lines = append(lines, expectFacts(prefix+"expect ", n)...)
		}
	}
	slices.Sort(lines)
	return lines
}

func (l *loader) recordsFacts(prefix string, name, n *node, rec *Records) []string {
	table := rec.Table.Name
	if t := n.value("table"); t != nil {
		table = word(t.raw)
	} else if l.secretName {
		table = word(name.raw)
	}
	prefix += "table " + table
	lines := []string{prefix}
	if key := listed(n.value("key")); len(key) > 0 {
		lines = append(lines, prefix+": key "+strings.Join(written(key), ", "))
	}
	if each := n.value("each"); each != nil {
		lines = append(lines, prefix+": each "+eachFact(each, rec.Each))
	}
	for i, e := range n.value("fields").entries {
		typ := rec.Table.Fields[i].Type.String()
		lines = append(lines, prefix+": field "+e.key.text+": "+fieldFact(e.value, rec.Sources[i], typ))
	}
	return lines
}

// fieldFact says where a field comes from and how it is cleaned, in the order of the cleaning's documentation.
func fieldFact(n *node, s Source, typ string) string {
	if t := n.value("type"); t != nil && len(t.filled) > 0 {
		typ = t.raw
	}
	facts := append([]string{sourceFact(n, s)}, dressFacts(n, s)...)
	facts = append(facts, typ)
	facts = append(facts, ifTrue(n, "required")...)
	for _, key := range []string{"default", "match", "remove", "min", "max"} {
		if v := n.value(key); v != nil {
			facts = append(facts, key+" "+word(v.raw))
		}
	}
	facts = append(facts, ifTrue(n, "clamp")...)
	if in := listed(n.value("in")); len(in) > 0 {
		values := written(in)
		slices.Sort(values)
		facts = append(facts, "in ["+strings.Join(values, ", ")+"]")
	}
	for _, key := range []string{"decimal", "layout"} {
		if v := n.value(key); v != nil {
			facts = append(facts, key+" "+word(v.raw))
		}
	}
	return strings.Join(facts, ", ")
}

func expectFacts(prefix string, n *node) []string {
	var lines []string
	if status := written(listed(n.value("status"))); len(status) > 0 {
		slices.Sort(status)
		lines = append(lines, prefix+"status "+strings.Join(status, ", "))
	}
	for _, key := range []string{"contains", "absent", "records"} {
		if v := n.value(key); v != nil {
			lines = append(lines, prefix+key+" "+word(strings.TrimSpace(v.raw)))
		}
	}
	return lines
}

// ifTrue is a property that is true, or may be.
func ifTrue(n *node, key string) []string {
	switch v := n.value(key); {
	case v == nil || v.raw == "false":
		return nil
	case v.raw == "true":
		return []string{key}
	default:
		return []string{key + " " + v.raw}
	}
}

// value returns the value of a dict's key; nil when there is none, or n is no dict.
func (n *node) value(key string) *node {
	if n.kind != dict {
		return nil
	}
	for _, e := range n.entries {
		if e.key.text == key {
			return e.value
		}
	}
	return nil
}

// listed is loader.many for what was checked before, and may be absent.
func listed(n *node) []*node {
	switch {
	case n == nil:
		return nil
	case n.kind == list:
		return n.items
	}
	return []*node{n}
}

func written(nodes []*node) []string {
	var out []string
	for _, n := range nodes {
		out = append(out, word(n.raw))
	}
	return out
}

// word keeps a text apart from what stands around it in a line.
func word(text string) string {
	special := func(c rune) bool {
		return c == ',' || c == unicode.ReplacementChar || unicode.IsSpace(c) || !unicode.IsPrint(c)
	}
	if text == "" || text[0] == '"' || strings.ContainsFunc(text, special) {
		return strconv.Quote(text)
	}
	return text
}
