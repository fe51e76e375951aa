package crawl

import (
	"slices"
	"strings"

	"dogear/crawl/extract"
	"dogear/crawl/job"
)

// extractOptions says what a kind of page is asked for in the words of package extract.
func extractOptions(page *job.Page) extract.Options {
	o := extract.Options{Page: page.Name, Expect: extract.Expect(page.Expect)}
	for _, r := range page.Records {
		o.Records = append(o.Records, extract.Records{Each: eachOf(r.Each), Table: r.Table, Sources: sourcesOf(r.Sources)})
	}
	for _, f := range page.Follow {
		o.Follow = append(o.Follow, extract.Follow{
			Each: eachOf(f.Each), Source: extract.Source(f.Source),
			Carry: extract.Carry{Table: f.Carry.Table, Sources: sourcesOf(f.Carry.Sources)},
			Page:  f.Page, Match: f.Match, Within: f.Within, MaxDepth: f.Depth,
		})
	}
	if n := page.Next; n != nil {
		o.Next = &extract.Next{Source: extract.Source(n.Source), URL: n.URL, Within: n.Within}
	}
	return o
}

func eachOf(path []job.Selector) []extract.Selector {
	var each []extract.Selector
	for _, s := range path {
		each = append(each, extract.Selector(s))
	}
	return each
}

func sourcesOf(from []job.Source) []extract.Source {
	var sources []extract.Source
	for _, s := range from {
		sources = append(sources, extract.Source(s))
	}
	return sources
}

// asksParams says whether a record or a link of the page asks for a parameter of its start.
func asksParams(page *job.Page) bool {
	return slices.ContainsFunc(page.Metas(), func(meta string) bool { return strings.HasPrefix(meta, "param.") })
}
