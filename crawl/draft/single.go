package draft

import (
	"regexp"
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"dogear/schema"
)

// known are classes for what is worth keeping of a page, also when it is more than a line.
var known = regexp.MustCompile(`(?i)^(?:.*[-_])?(price|score|rating|author|date|time|description|content|summary|sku|` +
	`brand|category|tags|stock|subtitle|views|comments|availability|body|text|address|phone|salary|location|company)$`)

// Bounds on what a page without a list gives.
const (
	mostNamed = 12  // fields by class
	shortText = 100 // bytes, for a class that is not known
)

// fixed are the sources that are tried on every page: the first of each name that has something is taken.
var fixed = []struct{ name, css, attr string }{
	{"title", "h1", ""},
	{"title", "head title", ""},
	{"meta_description", "meta[name=description]", "content"},
	{"meta_description", "meta[property='og:description']", "content"},
	{"image", "meta[property='og:image']", "content"},
	{"published", "meta[property='article:published_time']", "content"},
}

// single makes one record of the page.
func (o *outline) single(d *document) {
	o.key = "url"
	o.fields = []field{{name: "url", meta: "url", typ: schema.Type{Kind: schema.URL}}}
	for _, f := range fixed {
		if slices.ContainsFunc(o.fields, func(g field) bool { return g.name == f.name }) {
			continue
		}
		if n := first(d.root, f.css); n != nil {
			o.one(f.name, f.css, f.attr, n)
		}
	}
	if n := first(d.root, ldJSON); n != nil && n.FirstChild != nil {
		f := field{name: "data", css: ldJSON, typ: schema.Type{Kind: schema.JSON}, note: "what it tells search engines"}
		if fits(f.typ, "", []schema.Raw{{Text: n.FirstChild.Data, Found: true, JSON: true}}) {
			o.fields = append(o.fields, f)
		}
	}
	o.named(d)
}

const ldJSON = "script[type='application/ld+json']"

// one makes a field of one element, unless there is nothing in it.
func (o *outline) one(name, css, attr string, n *html.Node) {
	text := textOf(n)
	if attr != "" {
		text = attribute(n, attr)
		css += "@" + attr
	}
	if text == "" {
		return
	}
	f := field{name: name, css: css, note: example(text)}
	f.typ, f.decimal = guessText(name, []schema.Raw{{Text: text, Found: true}})
	if name == "image" {
		f.typ, f.decimal = schema.Type{Kind: schema.URL}, ""
	}
	o.fields = append(o.fields, f)
}

// named makes fields of the elements that have an itemprop, or a class that is good and theirs alone.
func (o *outline) named(d *document) {
	n, left := o.names(), mostNamed
	var walk func(*html.Node)
	walk = func(e *html.Node) {
		for c := e.FirstChild; c != nil && left > 0; c = c.NextSibling {
			if !partial(c) || isMargin(c) || c.DataAtom == atom.H1 {
				continue
			}
			name, css, attr := d.calling(c)
			if css == "" {
				walk(c)
				continue
			}
			left--
			o.one(n.name(name), css, attr, c)
		}
	}
	walk(d.root)
}

// calling returns the name and the selector of an element that is worth a field; none for others.
func (d *document) calling(n *html.Node) (name, css, attr string) {
	if prop := attribute(n, "itemprop"); identifier.MatchString(prop) && attribute(n, "itemscope") == "" {
		switch {
		case attribute(n, "content") != "":
			attr = "content"
		case n.DataAtom == atom.Time && attribute(n, "datetime") != "":
			attr = "datetime"
		case n.DataAtom == atom.Img:
			attr = "src"
		}
		if css := "[itemprop=" + prop + "]"; first(d.root, css) == n && (attr != "" || ownText(n) != "") {
			return prop, css, attr
		}
	}
	if n.DataAtom == atom.A || n.DataAtom == atom.Button || n.DataAtom == atom.Form {
		return "", "", ""
	}
	for _, class := range classes(n) {
		text := textOf(n)
		worth := known.MatchString(class) && text != "" || ownText(n) != "" && len(text) <= shortText
		if rank(class) == good && worth && only(d.root, "."+class, []*html.Node{n}) {
			return bare(class, nil), "." + class, ""
		}
	}
	return "", "", ""
}
