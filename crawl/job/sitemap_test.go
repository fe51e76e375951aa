package job

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestASitemapIsAStartOfAKindThatNoJobCanName(t *testing.T) {
	const rules = "pages: {a: {records: {fields: {t: h1, m: {meta: carry.lastmod}}}}, b: {records: {table: b, fields: {t: h1}}}}\n"
	one, other := "https://a.example/sitemap.xml", "https://b.example/{1..2}.xml.gz"
	for _, c := range []struct{ name, start, want string }{
		{"one", fmt.Sprintf("{sitemap: %q, as: a}", one), "sitemap > a: a date; " + one + " sitemap > a"},
		{"with what it leaves out", fmt.Sprintf("{sitemap: %q, as: b, match: /p/, since: 2026-01-31}", one),
			"sitemap > b: b /p/ 2026-01-31; " + one + " sitemap > b"},
		{"two with the same rules", fmt.Sprintf("[{sitemap: %q, as: b}, {sitemap: %q, as: b}]", one, other),
			"sitemap > b: b; " + one + " sitemap > b|https://b.example/1.xml.gz sitemap > b|https://b.example/2.xml.gz sitemap > b"},
		{"two with other rules", fmt.Sprintf("[{sitemap: %q, as: b}, {sitemap: %q, as: b, match: x}]", one, other),
			"sitemap > b: b; sitemap 2 > b: b x; " + one + " sitemap > b|https://b.example/1.xml.gz sitemap 2 > b|https://b.example/2.xml.gz sitemap 2 > b"},
		{"the same twice", fmt.Sprintf("[{sitemap: %q, as: b, match: x}, {sitemap: %q, as: a}]", one, one),
			"sitemap > b, a: b x, a date; " + one + " sitemap > b, a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := load(t, "start: "+c.start+"\n"+rules+"request: {method: POST, json: {a: 1}}\n")
			var kinds, requests []string
			for _, s := range j.Sitemaps {
				kinds = append(kinds, s.Kind+": "+rulesOf(s))
				if _, named := j.Page(s.Kind); named || pageName.MatchString(s.Kind) || s.Body != 50<<20 {
					t.Errorf("%+v", s)
				}
			}
			for i := range j.Starts {
				for k := range j.Starts[i].Total() {
					q := j.Starts[i].Request(k)
					requests = append(requests, q.URL+" "+q.Page)
					if q.Method+q.Body != "" {
						t.Errorf("%+v", q)
					}
				}
			}
			if got := strings.Join(append(kinds, strings.Join(requests, "|")), "; "); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func rulesOf(s Sitemap) string {
	var all []string
	for _, r := range s.Rules {
		text := r.Page
		if r.Match != nil {
			text += " " + r.Match.String()
		}
		if !r.Since.IsZero() {
			text += " " + r.Since.Format(time.DateOnly)
		}
		if r.LastMod {
			text += " date"
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

func TestWhatTheJobSaysOfBodiesHoldsForSitemapsToo(t *testing.T) {
	j := load(t, "start: {sitemap: https://a.example/sitemap.xml}\nlimits: {body: 1MB}\nrecords: {fields: {t: h1}}\n")
	if j.Sitemaps[0].Body != 1_000_000 || j.Sitemaps[0].Kind != "sitemap > page" {
		t.Errorf("%+v", j.Sitemaps)
	}
}

// since and match are words of a sitemap only: elsewhere they are parameters like any others.
func TestAWordOfASitemapIsAParameterElsewhere(t *testing.T) {
	j := load(t, "start: {url: 'https://a.example/?since={since}&m={match}', since: 2020..2021, match: x}\nrecords: {fields: {t: h1}}\n")
	if got := urls(&j.Starts[0]); got != "?since=2020&m=x ?since=2021&m=x" {
		t.Errorf("got %s", got)
	}
}
