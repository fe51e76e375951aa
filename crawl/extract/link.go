package extract

import (
	"cmp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/publicsuffix"

	"dogear/schema"
)

const (
	withinHost   = "host"
	withinDomain = "domain"
	withinAny    = "any"
)

// fate is what becomes of a match of a follow rule.
type fate uint8

const (
	followed  fate = iota
	noLink         // there is no URL in it that could be fetched
	unmatched      // Match does not match
	outside        // it leads out of what Within allows
	again          // an earlier match of this page led there
)

// links adds the links of a page to res, each once, whichever rule finds it first. The next page comes before all others:
// a rule may well follow every link there is.
func (r *Rules) links(v *view, res *Result) error {
	return r.eachLink(v, func(_ int, request schema.Request, became fate) {
		if became == followed {
			res.Links = append(res.Links, request)
		}
	})
}

// nextRule is the number of Options.Next among the follow rules.
const nextRule = -1

// eachLink calls one with every match of the follow rules, the number of the rule, and what becomes of it.
func (r *Rules) eachLink(v *view, one func(rule int, request schema.Request, became fate)) error {
	if len(r.follow) == 0 && r.next == nil {
		return nil
	}
	l := linker{view: v, from: schema.KeyURL(v.page.URL), one: one, seen: make(map[string]bool)}
	if r.next != nil {
		request, ok, err := r.next.link(v, r.page)
		if err != nil {
			return err
		}
		if ok {
			one(nextRule, request, l.fate(request))
		}
	}
	for i := range r.follow {
		f := &r.follow[i]
		if f.tooDeep(v.page) {
			continue
		}
		if err := l.follow(i, f); err != nil {
			return err
		}
	}
	return nil
}

// tooDeep says whether the links of a page would lie deeper than the rule allows.
func (f *follow) tooDeep(p *Page) bool { return f.MaxDepth > 0 && p.Depth+1 > f.MaxDepth }

// linker tells the links of one page.
type linker struct {
	*view
	from string // the page's own URL, normalised
	one  func(rule int, request schema.Request, became fate)
	seen map[string]bool // by key
}

// fate is that of a link that a rule would follow.
func (l *linker) fate(request schema.Request) fate {
	key := request.Key()
	if l.seen[key] {
		return again
	}
	l.seen[key] = true
	return followed
}

// follow tells the links of one rule.
func (l *linker) follow(rule int, f *follow) error {
	var failure error
	err := l.every(f.path, func(e element) {
		if failure != nil {
			return
		}
		request, became := f.link(l.view, e, l.from)
		if became == followed {
			became = l.fate(request)
		}
		if became == followed {
			if f.from.sel != nil { // it was looked for in what each selects
				e = *e.up
			}
			request.Carry, failure = f.carry.read(l.view, e)
		}
		l.one(rule, request, became)
	})
	return cmp.Or(err, failure)
}

// link returns the request that a match asks for. It is none when the match is no link, leads to something that
// is not fetched (javascript:, mailto:, data:), or is out of the rule's bounds.
func (f *follow) link(v *view, e element, from string) (schema.Request, fate) {
	ref := f.reference(e)
	if ref == "" {
		return schema.Request{}, noLink
	}
	if e.node != nil {
		ref = v.sent(ref)
	}
	url, err := schema.Resolve(v.base, ref)
	switch {
	case err != nil:
		return schema.Request{}, noLink
	case f.Match != nil && !f.Match.MatchString(url):
		return schema.Request{}, unmatched
	case !within(f.Within, from, url):
		return schema.Request{}, outside
	}
	return schema.Request{URL: url, Page: f.Page}, followed
}

// reference returns the link as the page has it, "" when there is none.
func (f *follow) reference(e element) string {
	if e.doc != nil {
		if e.doc.tokens[e.token].kind != '"' {
			return ""
		}
		return strings.TrimSpace(e.doc.unquote(e.token))
	}
	if f.from.attr != "" {
		text, _ := attribute(e.node, f.from.attr)
		return text
	}
	return linkOf(e.node)
}

// linkOf returns an element's href. Where there is none, as in the <loc> of a sitemap, a text that is itself a whole
// URL will do; any other text would only become a URL that nobody meant.
func linkOf(n *html.Node) string {
	if href, found := attribute(n, "href"); found {
		return href
	}
	text := textOf(n, false)
	if strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://") {
		return text
	}
	return ""
}

// Within says whether a URL is as near to another one as a scope demands: host (the same host and port), domain (the
// same registrable domain), any.
func Within(scope, from, url string) bool {
	return within(scope, schema.KeyURL(from), schema.KeyURL(url))
}

// within says whether url is as near to from as the scope demands. Both are normalised: lower case, no default port.
func within(scope, from, url string) bool {
	if scope == withinAny {
		return true
	}
	a, b := hostPort(from), hostPort(url)
	if scope == withinHost || a == b {
		return a == b
	}
	return domain(a) == domain(b)
}

// hostPort returns the host of an absolute URL, with its port if that is not the scheme's own.
func hostPort(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return rest[strings.LastIndexByte(rest, '@')+1:]
}

// domain returns the registrable domain of a host: the public suffix and one label more, as publicsuffix.org lists
// them. An address, or a name that has none (localhost), is its own domain, whatever the port.
func domain(host string) string {
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host = host[:i]
	}
	host = strings.TrimSuffix(host, ".")
	if strings.HasPrefix(host, "[") {
		return host
	}
	registrable, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return host
	}
	return registrable
}
