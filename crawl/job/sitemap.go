package job

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"dogear/schema"
)

// sitemapBody is how large the sitemaps protocol lets a sitemap be (https://www.sitemaps.org/protocol.html), unless the
// job says how large a body may be.
const sitemapBody = 50 << 20

// Sitemap is a kind of page that every job can have without naming it: its entries become tasks.
type Sitemap struct {
	Kind  string // such as "sitemap > product", which no kind of page of a job can be called
	Rules []SitemapRule
	Body  int64 // bytes of it, unpacked
}

// SitemapRule says which entries become tasks of which kind. Of several the first one that fits counts.
type SitemapRule struct {
	Page    string
	Match   *regexp.Regexp // of the entry's URL; nil: any
	Since   time.Time      // entries last changed before it are left out; zero: none. Without a date they are not
	LastMod bool           // the rules of Page ask for meta: carry.lastmod
}

const carryLastMod = "carry.lastmod"

// HasKind says whether a kind of page is called so, those of sitemaps included.
func (j *Job) HasKind(name string) bool {
	_, ok := j.Page(name)
	return ok || slices.ContainsFunc(j.Sitemaps, func(s Sitemap) bool { return s.Kind == name })
}

// sitemapGroup is a sitemap with the rules of all starts that name it.
type sitemapGroup struct {
	rules   []SitemapRule
	written []string // the rules, to tell whether those of two groups are the same
	first   *node    // the sitemap: of the first of the starts
}

// sitemaps reads the starts that are sitemaps and makes a kind of page for each set of rules. It returns the kind of
// each start that is one, "" where an earlier one yields the same sitemap.
func (l *loader) sitemaps(items []*node) map[*node]string {
	kinds := map[*node]string{}
	groups := map[string]*sitemapGroup{} // by their sitemap, as written
	var order []*sitemapGroup
	for _, item := range items {
		url := item.value("sitemap")
		if url == nil {
			continue
		}
		kinds[item] = ""
		rule, written := l.sitemapRule(item)
		g := groups[url.raw]
		if g == nil {
			g = &sitemapGroup{first: item}
			groups[url.raw] = g
			order = append(order, g)
		}
		g.rules, g.written = append(g.rules, rule), append(g.written, written)
	}
	for _, g := range order {
		kinds[g.first] = l.sitemapKind(g)
	}
	return kinds
}

func (l *loader) sitemapRule(n *node) (rule SitemapRule, written string) {
	m := sitemapKeys.read(l.report, n)
	rule.Page = l.pageRef(m["as"], n, "a sitemap")
	written = rule.Page
	if n := m["match"]; n != nil {
		rule.Match = l.expression(n, "match")
		written += " match " + n.text
	}
	if n := m["since"]; n != nil {
		rule.Since = l.since(n)
		written += " since " + n.text
	}
	return rule, written
}

// sitemapKind returns the name of the kind of page with these rules.
func (l *loader) sitemapKind(g *sitemapGroup) string {
	var pages []string
	for _, r := range g.rules {
		if !slices.Contains(pages, r.Page) {
			pages = append(pages, r.Page)
		}
	}
	if len(pages) > 3 { // it stands in every row of its tasks
		pages = append(pages[:3], "…")
	}
	same := 0 // kinds that lead to the same pages by other rules
	name := func() string {
		number := ""
		if same > 0 {
			number = fmt.Sprintf(" %d", same+1)
		}
		return "sitemap" + number + " > " + strings.Join(pages, ", ")
	}
	for i, known := range l.sitemapRules {
		if slices.Equal(known, g.written) {
			return l.job.Sitemaps[i].Kind
		}
		if l.job.Sitemaps[i].Kind == name() {
			same++
		}
	}
	body := l.job.Limits.Body
	if !l.limitedBody {
		body = sitemapBody
	}
	l.sitemapRules = append(l.sitemapRules, g.written)
	l.job.Sitemaps = append(l.job.Sitemaps, Sitemap{Kind: name(), Rules: g.rules, Body: body})
	return name()
}

// sitemap makes the start of a sitemap whose kind is known.
func (l *loader) sitemap(n *node, kind string) (Start, bool) {
	if kind == "" {
		return Start{}, false
	}
	return l.build(n.value("sitemap"), nil, "", kind, asking{})
}

// askLastMod finds out for which pages the date of an entry has to go along, once their rules are known.
func (j *Job) askLastMod() {
	for i := range j.Sitemaps {
		for k := range j.Sitemaps[i].Rules {
			r := &j.Sitemaps[i].Rules[k]
			page, _ := j.Page(r.Page)
			r.LastMod = page != nil && slices.Contains(page.Metas(), carryLastMod)
		}
	}
}

func (l *loader) since(n *node) time.Time {
	text, ok := l.text(n, "since")
	if !ok {
		return time.Time{}
	}
	at, _, ok := schema.W3CTime(text)
	if !ok {
		l.at(n, "since is a date or a time such as 2026-01-31 or 2026-01-31T08:00:00Z, not %s", n.quote())
	}
	return at
}
