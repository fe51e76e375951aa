package extract

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
)

const (
	mapHead = `<?xml version="1.0" encoding="GBK"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`
	mapEnd  = `</urlset>`
)

func readSitemap(s *Sitemap, body string) (string, *Result, error) {
	r, err := s.Extract(&Page{URL: "https://www.shop.example/sitemap.xml", Body: []byte(body)})
	var all []string
	if r != nil {
		for _, l := range r.Links {
			text := l.Page + " " + strings.TrimPrefix(l.URL, "https://www.shop.example/")
			if l.Carry != "" {
				text += " " + l.Carry
			}
			all = append(all, text)
		}
	}
	return strings.Join(all, "|"), r, err
}

func TestEntriesOfASitemapBecomeLinks(t *testing.T) {
	s := &Sitemap{Kind: "map", Rules: []SitemapRule{{Page: "p"}}}
	for _, c := range []struct{ name, body, want string }{
		{"entries", mapHead + "<url><loc>https://www.shop.example/a?b=1&amp;c=2</loc></url>\n<url><loc>\n https://www.shop.example/b\n</loc></url>" + mapEnd, "p a?b=1&c=2|p b"},
		{"an index", "<sitemapindex><sitemap><loc>https://www.shop.example/1.xml.gz</loc><lastmod>2020</lastmod></sitemap></sitemapindex>", "map 1.xml.gz"},
		{"no namespace, a wrong one, a prefix", `<s:urlset xmlns:s="urn:x"><s:url><s:loc>https://www.shop.example/a</s:loc></s:url></s:urlset>`, "p a"},
		{"in capitals", `<URLSET><URL><LOC>https://www.shop.example/a</LOC></URL></URLSET>`, "p a"},
		{"CDATA, in pieces", mapHead + "<url><loc>https://www.shop<!-- x -->.example/<![CDATA[a&b]]></loc></url>" + mapEnd, "p a&b"},
		{"an ampersand that is none", mapHead + "<url><loc>https://www.shop.example/?a=1&b=2&nbsp;</loc></url>" + mapEnd, "p ?a=1&b=2&nbsp;"},
		{"only its own loc", mapHead + `<url><image:image><image:loc>https://www.shop.example/i.png</image:loc></image:image><loc>https://www.shop.example/a</loc>` +
			`<x:link href="https://www.shop.example/de"/></url>` + mapEnd, "p a"},
		{"relative, as it should not be", mapHead + "<url><loc>/a</loc></url>" + mapEnd, "p a"},
		{"twice", mapHead + strings.Repeat("<url><loc>https://www.shop.example/a</loc></url>", 2) + mapEnd, "p a"},
		{"another host of the domain", mapHead + "<url><loc>https://img.shop.example/a</loc></url>" + mapEnd, "p https://img.shop.example/a"},
		{"other domains, and none", mapHead + "<url><loc>https://shop.invalid/a</loc></url><url><loc>mailto:a@b</loc></url><url><loc/></url><url/>" + mapEnd, ""},
		{"an empty one", mapHead + mapEnd, ""},
		{"closed at once", "<urlset/>", ""},
		{"a text", "https://www.shop.example/a\r\n\r\nhttp://www.shop.example/b", "p a|p http://www.shop.example/b"},
		{"entities that would explode", `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>` + mapHead + "<url><loc>https://www.shop.example/&b;</loc></url>" + mapEnd, "p &b;"},
		{"no markup after all", mapHead + "<url><loc>https://www.shop.example/<b>a</b></loc></url>" + mapEnd, "p "},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, _, err := readSitemap(s, c.body); err != nil || got != c.want {
				t.Errorf("got  %s, %v\nwant %s", got, err, c.want)
			}
		})
	}
}

func TestWhatIsNoSitemapIsAFailureAndWhatItHadStays(t *testing.T) {
	s := &Sitemap{Kind: "map", Rules: []SitemapRule{{Page: "p"}}}
	for _, c := range []struct{ name, body, want, why string }{
		{"HTML", "<!DOCTYPE html><html><body><a href=/a>a</a></body></html>", "", errNoSitemap.Error()},
		{"a feed", "<rss><channel><item><link>https://www.shop.example/a</link></item></channel></rss>", "", errNoSitemap.Error()},
		{"JSON", `{"error": "no"}`, "", errNoSitemap.Error()},
		{"only a comment", "<!-- https://www.shop.example/a -->", "", errNoSitemap.Error()},
		{"nothing", "\ufeff \n", "", errEmptySitemap.Error()},
		{"one that is cut", mapHead + "<url><loc>https://www.shop.example/a</loc></url><url><loc>https://www.sho", "p a", "the sitemap breaks off after 1 entries: "},
		{"a character that XML has not", mapHead + "<url><loc>https://www.shop.example/a</loc></url>\x00" + mapEnd, "p a", "the sitemap breaks off after 1 entries: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _, err := readSitemap(s, c.body)
			var f *Failure
			if !errors.As(err, &f) || f.Kind != Parse || !strings.Contains(err.Error(), c.why) || got != c.want {
				t.Errorf("got  %s, %v\nwant %s, %s", got, err, c.want, c.why)
			}
		})
	}
}

func TestOfAnEntryTheFirstRuleThatFitsCounts(t *testing.T) {
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	s := &Sitemap{Kind: "map", Rules: []SitemapRule{
		{Page: "p", Match: regexp.MustCompile(`/p/`), Since: day, LastMod: true}, {Page: "b", Match: regexp.MustCompile(`/b/`)},
	}}
	entry := func(path, at string) string {
		return "<url><loc>https://www.shop.example/" + path + "</loc><lastmod> " + at + "\n</lastmod></url>"
	}
	for _, c := range []struct{ path, at, want string }{
		{"p/1", "2026-03-01", `p p/1 {"carry.lastmod":"2026-03-01"}`},
		{"p/1", "2026-02-28", ""},
		{"p/1", "2026-02-28T23:59:59Z", ""},
		{"p/1", "2026-02-28T23:59:59-08:00", `p p/1 {"carry.lastmod":"2026-02-28T23:59:59-08:00"}`},
		{"p/1", "2026-03-01T00:00+00:00", `p p/1 {"carry.lastmod":"2026-03-01T00:00+00:00"}`},
		{"p/1", "2026", `p p/1 {"carry.lastmod":"2026"}`},
		{"p/1", "2026-02", ""},
		{"p/1", "yesterday", `p p/1 {"carry.lastmod":"yesterday"}`},
		{"p/1", "", "p p/1"},
		{"p/b/", "2020", "b p/b/"},
		{"c/", "", ""},
	} {
		if got, _, err := readSitemap(s, "<urlset>"+entry(c.path, c.at)+"</urlset>"); err != nil || got != c.want {
			t.Errorf("%s of %q: got %q, %v, want %q", c.path, c.at, got, err, c.want)
		}
	}
}

func TestWhatASitemapShouldNotHaveIsCounted(t *testing.T) {
	s := &Sitemap{Kind: "map", Rules: []SitemapRule{{Page: "p"}}}
	_, r, _ := readSitemap(s, mapHead+"<url><loc>https://shop.invalid/a</loc></url><url><loc>mailto:a@b</loc></url><url><loc/></url>"+mapEnd)
	if r.Foreign != 1 || r.Empty != 2 {
		t.Errorf("%+v", r)
	}
}

func TestASitemapThatIsMadeToBeSlowEnds(t *testing.T) {
	s := &Sitemap{Kind: "map", Rules: []SitemapRule{{Page: "p"}}, Timeout: time.Nanosecond}
	if _, _, err := readSitemap(s, "<urlset>"+strings.Repeat("<url>", 1_000_000)); !errors.Is(err, errSlow) {
		t.Errorf("got %v", err)
	}
}

func FuzzSitemap(f *testing.F) {
	for _, body := range []string{
		mapHead + "<url><loc>https://www.shop.example/a</loc><lastmod>2026-01-01</lastmod></url>" + mapEnd, "https://www.shop.example/a\n",
		"<sitemapindex><sitemap><loc>/b</loc></sitemap></sitemapindex>", "<urlset/>", "<urlset><url><loc><![CDATA[x]]>", "<!DOCTYPE x [<!ENTITY a 'b'>]><urlset>&a;",
		"</urlset>", "<a:b:c/>", "<urlset></urlset></urlset><urlset>", "\xff\xfe<", "<urlset><url></loc></url></url><loc>",
	} {
		f.Add([]byte(body))
	}
	s := &Sitemap{Kind: "map", Rules: []SitemapRule{{Page: "p", Since: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), LastMod: true}}}
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := s.Extract(&Page{URL: "https://www.shop.example/sitemap.xml", Body: body})
		var fail *Failure
		if err != nil && (!errors.As(err, &fail) || strings.Contains(err.Error(), "a bug in dogear")) || r == nil {
			t.Fatalf("%v, %v", r, err)
		}
		for _, l := range r.Links {
			if !strings.HasPrefix(l.URL, "http") || !Within("domain", "https://www.shop.example/", l.URL) || l.Page != "p" && l.Page != "map" {
				t.Errorf("%+v", l)
			}
		}
	})
}

func BenchmarkSitemap(b *testing.B) {
	var body strings.Builder
	body.WriteString(mapHead)
	for n := range 50_000 {
		fmt.Fprintf(&body, "<url><loc>https://www.shop.example/product/%d</loc><lastmod>2026-01-01</lastmod></url>\n", n)
	}
	body.WriteString(mapEnd)
	s := &Sitemap{Kind: "map", Rules: []SitemapRule{{Page: "p"}}}
	page := &Page{URL: "https://www.shop.example/sitemap.xml", Body: []byte(body.String())}
	b.SetBytes(int64(len(page.Body)))
	for b.Loop() {
		if r, err := s.Extract(page); err != nil || len(r.Links) != 50_000 {
			b.Fatal(len(r.Links), err)
		}
	}
}
