package draft

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"dogear/schema"
)

// mostFields is how many fields the elements of a list have at most.
const mostFields = 24

// fromHTML makes the records of an HTML page: the list that it is about, else the page itself.
func (o *outline) fromHTML(p Page) error {
	d, err := readHTML(p)
	if err != nil {
		return err
	}
	for _, g := range best(groups(d.root)) {
		if o.each = d.eachSelector(g); o.each == "" {
			continue
		}
		if o.list(d, g.nodes); len(o.fields) > 1 {
			o.count = len(g.nodes)
			break
		}
		o.each, o.key, o.fields = "", "", nil
	}
	if o.each == "" {
		if o.single(d); len(o.fields) == 1 {
			return ErrNothing
		}
	}
	o.nextPage(d, p)
	o.detail()
	if o.each == "" && o.follow == "" {
		o.ids(p.URL)
	}
	return nil
}

// list makes fields of the parts that vary between the elements of a list.
func (o *outline) list(d *document, all []*html.Node) {
	items := all[:min(len(all), mostItems)]
	n, columns := o.names(), columnNames(items[0])
	parts := partsOf(items)
	own := d.ownLink(parts)
	for i := range parts {
		p := &parts[i]
		if (p.attr == "href" || isPicture(p.attr)) && !d.leads(p) || len(o.fields) == mostFields {
			continue
		}
		source := fieldSource(items, p)
		if source == "" {
			continue
		}
		f := field{css: source, note: example(p.example())}
		if i == own {
			f.name = n.name("url")
		} else {
			f.name = n.part(p, items, columns)
		}
		f.typ, f.decimal = p.guess(f.name)
		if p.again {
			f.note += " (the first of several)"
		}
		o.fields = append(o.fields, f)
		if i == own && len(items) == len(all) {
			o.key = f.name
		}
	}
}

// ownLink is the part that leads to each element's own page: the first link that is there in all of them and in each
// another; -1 when there is none.
func (d *document) ownLink(parts []part) int {
	return slices.IndexFunc(parts, func(p part) bool {
		if p.attr != "href" || p.again {
			return false
		}
		resolved := part{}
		for _, v := range p.values {
			resolved.values = append(resolved.values, d.link(v))
		}
		return resolved.distinct()
	})
}

// leads says whether the links of a part lead anywhere, most of them.
func (d *document) leads(p *part) bool {
	good, all := 0, 0
	for _, v := range p.values {
		if v == "" {
			continue
		}
		if all++; d.link(v) != "" {
			good++
		}
	}
	return good*2 > all
}

func isPicture(attr string) bool {
	return attr == "src" || attr == "data-src" || attr == "data-original"
}

// guess is the type of a part, from all its values.
func (p *part) guess(name string) (schema.Type, string) {
	if p.attr == "href" || isPicture(p.attr) {
		return schema.Type{Kind: schema.URL}, ""
	}
	var texts []schema.Raw
	for _, v := range p.values {
		if v != "" {
			texts = append(texts, schema.Raw{Text: v, Found: true})
		}
	}
	return guessText(name, texts)
}

// part names a field: by what the page calls it, else by what it is.
func (n *namer) part(p *part, items []*html.Node, columns []string) string {
	at := slices.IndexFunc(p.nodes, func(n *html.Node) bool { return n != nil })
	node, item := p.nodes[at], items[at]
	suffix := ""
	switch {
	case p.attr == "href":
		suffix = "_url"
	case isPicture(p.attr):
		suffix = "_image"
	}
	var words []string
	if p.place == "" {
		words = append(words, strings.TrimPrefix(p.attr, "data-"))
	}
	if prop := attribute(node, "itemprop"); prop != "" {
		return n.name(append(words, prop)...)
	}
	if suffix == "_image" {
		return n.name("image")
	}
	for _, word := range append(words, n.callings(p, node, item, columns)...) {
		if name := snake(word); name != "" {
			return n.name(strings.TrimSuffix(name, suffix) + suffix)
		}
	}
	if suffix != "" {
		return n.name("link" + suffix)
	}
	return n.numbered("text")
}

// callings are the words for an element in its item: its class, the head of its column, title for a heading, then the
// classes of what it stands in.
func (n *namer) callings(p *part, node, item *html.Node, columns []string) []string {
	var words []string
	blocks := classes(item)
	for e := node; e != nil && e != item; e = e.Parent {
		for _, class := range classes(e) {
			if rank(class) == good {
				words = append(words, bare(class, blocks))
			}
		}
		if headings[e.DataAtom] {
			words = append(words, "title")
		}
		if e.DataAtom == atom.Time {
			words = append(words, "date")
		}
	}
	if cell := cellOf(node, item); cell >= 0 {
		if cell < len(columns) {
			words = append([]string{columns[cell]}, words...)
		}
		words = append(words, "column_"+number(cell+1))
	}
	if testID := attribute(node, "data-testid"); rank(testID) == good {
		words = append(words, testID)
	}
	if p.attr == "" && !n.taken["title"] && inLink(node, item) {
		words = append(words, "title")
	}
	return words
}

func inLink(n, item *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n.DataAtom == atom.A {
			return true
		}
		if n == item {
			break
		}
	}
	return false
}

// detail tells how to fetch the pages that the elements link to.
func (o *outline) detail() {
	i := slices.IndexFunc(o.fields, func(f field) bool { return f.name == o.key })
	if o.each == "" || i < 0 {
		return
	}
	css := o.each + " " + o.fields[i].css
	if strings.HasPrefix(o.fields[i].css, "@") {
		css = o.each + o.fields[i].css
	}
	lines := []string{
		"The pages that the items link to are not fetched. To fetch them too, make two kinds of page of this job: " +
			"what is called records above goes under listing, and the rest becomes",
		"  start: {url: " + quoted(o.start) + ", as: listing}",
		"  pages:",
		"    listing:",
		"      follow:",
		"        - {css: " + scalar(css) + ", as: item}",
	}
	if o.follow != "" {
		lines = append(lines, "        - {css: "+o.follow+", as: listing}")
	}
	lines = append(lines, "    item:",
		"      records: {table: details, key: url, fields: {url: {meta: url}, title: h1}}")
	o.hint(lines...)
}
