package job

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// pageKind is a kind of page before its rules are read.
type pageKind struct {
	name  string
	at    *node            // its key in pages, or the file's first key
	rules map[string]*node // by pageKeys
	sound bool             // its keys are right, so what is not there is not misspelt either
}

// keepBody is what keep may say: the pages themselves, for rules of later. It is no part of what records mean.
const keepBody = "body"

// hasRules says whether there is anything to do with the pages. To keep them for rules of later is enough.
func (k *pageKind) hasRules() bool {
	return slices.ContainsFunc(pageKeys.known, func(key string) bool { return k.rules[key] != nil })
}

var pageName = regexp.MustCompile(`^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,62}$`)

// kinds finds the kinds of page: those of pages, or the only one, whose rules stand in the file itself.
func (l *loader) kinds(root *node, m map[string]*node, sound bool) []pageKind {
	pages := m["pages"]
	if pages == nil {
		return []pageKind{{defaultPage, root, m, sound}}
	}
	for _, key := range pageKeys.known {
		if n := m[key]; n != nil {
			l.at(root.keyOf(key), "in a job with pages, %s stands under the page that it is for", key)
		}
	}
	if pages.kind != dict || len(pages.entries) == 0 {
		if pages.kind != broken {
			l.at(pages, "pages is a map of names and rules, such as pages: {listing: {…}, product: {…}}, not %s", pages.what())
		}
		return nil
	}
	var kinds []pageKind
	seen := map[string]*node{}
	for _, e := range pages.entries {
		if l.again(seen, e) {
			continue
		}
		seen[e.key.text] = e.value
		if !pageName.MatchString(e.key.text) {
			l.at(e.key, "%q can't be the name of a page: letters, digits, _, - and . only", shorten(e.key.text))
		}
		mark := l.mark()
		rules := pageKeys.read(l.report, e.value)
		kinds = append(kinds, pageKind{e.key.text, e.key, rules, l.quietSince(mark)})
	}
	return kinds
}

// keyOf returns the key node of that text.
func (n *node) keyOf(key string) *node {
	for _, e := range n.entries {
		if e.key.text == key {
			return e.key
		}
	}
	return n
}

// page reads the rules of one kind of page.
func (l *loader) page(p *Page, kind pageKind) {
	l.kind = kind.name
	if n := kind.rules["records"]; n != nil {
		for _, item := range l.many(n, "records") {
			if records, ok := l.records(item); ok {
				p.Records = append(p.Records, records)
			}
		}
	}
	if n := kind.rules["follow"]; n != nil {
		for _, item := range l.many(n, "follow") {
			if follow, ok := l.follow(item); ok {
				p.Follow = append(p.Follow, follow)
			}
		}
	}
	if n := kind.rules["next"]; n != nil {
		p.Next = l.next(n)
	}
	if n := kind.rules["expect"]; n != nil {
		l.expect(&p.Expect, n)
	}
	if n := kind.rules["keep"]; n != nil {
		word, _ := l.choice(n, "keep", keepBody)
		p.Keep = word == keepBody
	}
	if kind.sound && !kind.hasRules() {
		l.at(kind.at, "nothing is kept of the pages %q: give them records (what to keep) or follow (links to go on with)", kind.name)
	}
}

// many is a list's items, or the one thing that stands where a list may.
func (l *loader) many(n *node, what string) []*node {
	if n.kind != list {
		return []*node{n}
	}
	if len(n.items) == 0 {
		l.at(n, "%s is an empty list", what)
	}
	return n.items
}

// pageRef reads the name of a kind of page; n is nil when there is no as, then it is the only kind. at is what needs one.
func (l *loader) pageRef(n, at *node, what string) string {
	if len(l.job.Pages) == 0 { // reported
		return ""
	}
	if n == nil {
		if len(l.job.Pages) > 1 {
			l.at(at, "%s needs as: the kind of page it leads to, one of %s", what, l.pageNames())
		}
		return l.job.Pages[0].Name
	}
	name, ok := l.text(n, "as")
	if !ok {
		return ""
	}
	if _, known := l.job.Page(name); known {
		return name
	}
	l.at(n, "there is no page %s%s (pages: %s)", n.quote(), meant(n, l.pageList()), l.pageNames())
	return ""
}

func (l *loader) pageList() []string {
	var names []string
	for i := range l.job.Pages[:min(len(l.job.Pages), 20)] {
		names = append(names, l.job.Pages[i].Name)
	}
	return names
}

func (l *loader) pageNames() string { return strings.Join(l.pageList(), ", ") }

// expect reads what a good page looks like.
func (l *loader) expect(x *Expect, n *node) {
	m := expectKeys.read(l.report, n)
	if n := m["status"]; n != nil {
		for _, item := range l.many(n, "status") {
			if v, ok := l.integer(item, "status", 100, 599); ok {
				x.Status = append(x.Status, int(v))
			}
		}
	}
	if n := m["contains"]; n != nil {
		x.Contains, _ = l.selector(n, "contains")
	}
	if n := m["absent"]; n != nil {
		x.Absent, _ = l.selector(n, "absent")
	}
	if n := m["records"]; n != nil {
		if v, ok := l.integer(n, "records", 0, math.MaxInt32); ok {
			count := int(v)
			x.Records = &count
		}
	}
}
