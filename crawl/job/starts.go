package job

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"dogear/schema"
)

// starts reads start: a URL, a map, or a list of both. The same entry twice is one entry: it would yield the same tasks.
func (l *loader) starts(n *node) {
	seen := map[string]bool{}
	items := l.many(n, "start")
	sitemaps := l.sitemaps(items)
	for _, item := range items {
		kind, isSitemap := sitemaps[item]
		read := l.start
		if isSitemap {
			read = func(n *node) (Start, bool) { return l.sitemap(n, kind) }
		}
		s, ok := read(item)
		if !ok || seen[s.entry] {
			continue
		}
		seen[s.entry] = true
		l.job.Starts = append(l.job.Starts, s)
	}
	for i := range l.job.Starts {
		s := &l.job.Starts[i]
		if s.list == nil && slices.ContainsFunc(s.template.dims, func(d dim) bool { return d.name != "" }) {
			l.job.named = append(l.job.named, s)
		}
	}
}

func (l *loader) start(n *node) (Start, bool) {
	if n.kind != dict {
		return l.build(n, nil, "", l.pageRef(nil, n, "a start"), l.asks)
	}
	words, params := l.splitStart(n)
	mark := l.mark()
	m := startKeys.read(l.report, words)
	asks := l.asks
	if n := m["request"]; n != nil {
		asks = l.asking(startRequestKeys.read(l.report, n))
	}
	if m["from"] != nil {
		return l.from(m, params, l.pageRef(m["as"], n, "a start"), asks)
	}
	order := ""
	if n := m["order"]; n != nil {
		order, _ = l.choice(n, "order", "shuffle")
	}
	if m["url"] == nil {
		if l.quietSince(mark) {
			l.at(n, "this start has no url (nor from: FILE, nor sitemap)")
		}
		return Start{}, false
	}
	return l.build(m["url"], params, order, l.pageRef(m["as"], n, "a start"), asks)
}

// splitStart parts a start's own words from its parameters, which may have any other name.
func (l *loader) splitStart(n *node) (words *node, params []entry) {
	copied := *n
	copied.entries = nil
	for _, e := range n.entries {
		name := e.key.text
		if slices.Contains(startWords, name) {
			copied.entries = append(copied.entries, e)
		} else {
			params = append(params, e)
		}
	}
	return &copied, params
}

// build puts a start together from its URL, the values of its parameters, and what its requests bring along.
func (l *loader) build(url *node, params []entry, order, page string, asks asking) (Start, bool) {
	if _, ok := l.text(url, "the URL of a start"); !ok {
		return Start{}, false
	}
	l.kept = map[string]part{}
	text, names, values := l.keep(url)
	if strings.ContainsAny(unmask(values), "{}") {
		l.bracesIn(url, names)
		return Start{}, false
	}
	t, err := parseTemplate(text)
	if err != nil {
		l.badValue(url, err)
		return Start{}, false
	}
	before := len(l.problems)
	l.bind(t, asks, params)
	l.keepOpen(t, params)
	described := l.parameters(t, url, params)
	if len(l.problems) > before || slices.ContainsFunc(t.dims, func(d dim) bool { return d.values == nil }) {
		return Start{}, false
	}
	t.encode()
	s := Start{template: t, page: page}
	if s.total, err = t.total(); err != nil {
		l.badValue(url, err)
		return Start{}, false
	}
	if order != "" && s.total >= shuffleBlock {
		order += "/" + strconv.Itoa(shuffleBlock) // another order, so another start
	}
	s.describe(url.raw, unmask(text), names, described, order, asks.fact())
	if order != "" {
		p := newShuffle(s.total, s.entry)
		s.shuffled = &p
	}
	maps.Copy(l.secrets, l.kept)
	return s, l.webURLs(url, &s)
}

func (l *loader) bracesIn(url *node, filled []string) {
	l.at(url, "the value of ${%s} has { or } in it; braces count only in the job file, so write %%7B and %%7D for them in the value", strings.Join(filled, "}, ${"))
}

// webURLs checks the first and the last URL of a start.
func (l *loader) webURLs(url *node, s *Start) bool {
	for _, i := range []int64{0, s.total - 1} {
		if given, _ := s.template.request(i, s.total); !l.webURL(url, given) {
			return false
		}
	}
	return true
}

// webURL checks a URL that was made of what stands in url.
func (l *loader) webURL(url *node, given string) bool {
	scheme, _, whole := strings.Cut(given, "://")
	if !whole || !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		l.at(url, "a start is a whole URL with http:// or https:// in front, not %s", url.quote())
		return false
	}
	if _, err := schema.Resolve("", newDisguise(l.kept, nil, nil).put(given)); err != nil {
		l.at(url, "%s is not a URL that a browser could open", url.quote())
		return false
	}
	return true
}

// describe writes the start's identity: its URL as written and, when variables are filled in to it, as it then is.
func (s *Start) describe(raw, url string, filled []string, params []described, order, asks string) {
	text := []string{raw}
	secret := len(filled) > 0
	content := []string{url}
	for _, p := range params {
		secret = secret || len(p.filled) > 0
		content = append(content, p.values.String())
		if len(p.filled) > 0 {
			text = append(text, p.name+"=${"+strings.Join(p.filled, "},${")+"}")
		} else {
			text = append(text, p.name+"="+p.values.String())
		}
	}
	if order != "" {
		text = append(text, "order="+order)
	}
	if asks != "" {
		text = append(text, asks)
	}
	text = append(text, "as="+s.page)
	if secret {
		text = append(text, "values="+digest(content...))
	}
	s.entry = strings.Join(text, " ")
}
