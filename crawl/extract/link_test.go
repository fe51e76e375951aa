package extract

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dogear/schema"
)

// linked returns the URLs that a page's links lead to.
func linked(t *testing.T, p *Page, follow ...Follow) []string {
	t.Helper()
	res, err := compile(t, Options{Follow: follow}).Extract(p)
	if err != nil {
		t.Fatal(err)
	}
	urls := []string{}
	for _, l := range res.Links {
		urls = append(urls, l.URL)
	}
	return urls
}

func wantLinks(t *testing.T, name string, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
		t.Errorf("%s: links (-want +got):\n%s", name, diff)
	}
}

func TestLinksAreReadAsABrowserDoes(t *testing.T) {
	for _, c := range []struct {
		name, html, selector string
		want                 []string
	}{
		{"in order, each once, whatever the fragment", `<a href=2><a href="1"><a href="2#x"><a href="HTTPS://SHOP.example:443/a/1">`, "a",
			[]string{"https://shop.example/a/2", "https://shop.example/a/1"}},
		{"area and link have a href too", `<link rel=next href=/l><map><area href=/m></map>`, "link, area",
			[]string{"https://shop.example/l", "https://shop.example/m"}},
		{"what is not fetched is no link", `<a href="javascript:x()"><a href="mailto:a@b.example"><a href="data:,x"><a href="tel:1"><a><a href=" ">`, "a", nil},
		{"spaces, backslashes, letters of any script", "<a href=' \\b\\c d?q=é '>", "a", []string{"https://shop.example/b/c%20d?q=%C3%A9"}},
		{"a text is no link", `<p>next page</p>`, "p", nil},
		{"unless it is a whole URL", `<urlset><url><loc> https://shop.example/s </loc></url></urlset>`, "loc", []string{"https://shop.example/s"}},
	} {
		wantLinks(t, c.name, linked(t, page(c.html), Follow{Source: css(c.selector)}), c.want...)
	}
}

func TestLinksComeFromAnAttributeOrFromJSON(t *testing.T) {
	wantLinks(t, "attribute", linked(t, page(`<p data-url=x href=y>`), Follow{Source: Source{CSS: "p", Attr: "data-url"}}),
		"https://shop.example/a/x")
	wantLinks(t, "json", linked(t, page(`{"items":[{"url":"/1"},{"url":7},{"url":null},{"url":"\/2"},{"url":""}],"next":"?p=2"}`),
		Follow{Source: js("$.items[*].url")}, Follow{Source: js("$.next")}),
		"https://shop.example/1", "https://shop.example/2", "https://shop.example/a/page.html?p=2")
}

func TestTheFirstRuleThatFindsALinkSaysWhatPageItIs(t *testing.T) {
	r := compile(t, Options{Follow: []Follow{
		{Source: css("a.item"), Page: "product"}, {Source: css("a"), Page: "listing"},
	}})
	res, err := r.Extract(page(`<a href=/1></a><a class=item href=/2></a>`))
	if err != nil {
		t.Fatal(err)
	}
	want := []schema.Request{{URL: "https://shop.example/2", Page: "product"}, {URL: "https://shop.example/1", Page: "listing"}}
	if diff := cmp.Diff(want, res.Links); diff != "" {
		t.Error("links (-want +got):\n" + diff)
	}
}

func TestWithinSaysHowFarLinksMayLead(t *testing.T) {
	for _, c := range []struct {
		final, link        string
		host, domain, ever bool
	}{
		{"https://shop.example/a", "https://shop.example/b", true, true, true},
		{"https://shop.example/a", "http://SHOP.example:80/b", true, true, true},
		{"HTTPS://user:secret@Shop.Example:443/a", "https://shop.example/b", true, true, true},
		{"https://shop.example/a", "https://shop.example:8443/b", false, true, true},
		{"https://www.shop.example/a", "https://img.shop.example/b", false, true, true},
		{"https://a.shop.co.uk/a", "https://b.shop.co.uk/b", false, true, true},
		{"https://a.co.uk/a", "https://b.co.uk/b", false, false, true},
		{"https://a.github.io/a", "https://b.github.io/b", false, false, true},
		{"https://shop.example/a", "https://notshop.example/b", false, false, true},
		{"http://127.0.0.1:8080/a", "http://127.0.0.1:8081/b", false, true, true},
		{"http://10.0.0.1/a", "http://10.1.0.1/b", false, false, true},
		{"http://[::1]:8080/a", "http://[::1]:8081/b", false, true, true},
		{"http://[::1]/a", "http://[::2]/b", false, false, true},
		{"http://localhost:1/a", "http://localhost:2/b", false, true, true},
		{"https://例え.example/a", "https://www.xn--r8jz45g.example/b", false, true, true},
	} {
		for within, want := range map[string]bool{"": c.host, "host": c.host, "domain": c.domain, "any": c.ever} {
			p := page(`<a href="` + c.link + `">`)
			p.URL = c.final
			if got := linked(t, p, Follow{Source: css("a"), Within: within}); (len(got) == 1) != want {
				t.Errorf("%s -> %s within %q: got %v, want %v", c.final, c.link, within, got, want)
			}
		}
	}
}

func TestScopeIsThatOfThePageNotOfItsBase(t *testing.T) {
	p := page(`<base href="https://cdn.example/"><a href=x><a href=https://shop.example/y>`)
	wantLinks(t, "host", linked(t, p, Follow{Source: css("a")}), "https://shop.example/y")
}

func TestMatchIsHeldAgainstTheResolvedURL(t *testing.T) {
	p := page(`<a href="1.html"><a href="2.pdf"><a href="../b/3.html">`)
	wantLinks(t, "match", linked(t, p, Follow{Source: css("a"), Match: regexp.MustCompile(`^https://shop\.example/a/.*\.html$`)}),
		"https://shop.example/a/1.html")
}

func TestLinksBelowTheDepthOfTheirRuleAreDropped(t *testing.T) {
	for _, c := range []struct {
		depth, limit int
		kept         bool
	}{{0, 0, true}, {99, 0, true}, {0, 1, true}, {1, 1, false}, {1, 2, true}, {2, 2, false}, {3, 2, false}} {
		p := page(`<a href=x>`)
		p.Depth = c.depth
		if got := linked(t, p, Follow{Source: css("a"), MaxDepth: c.limit}); (len(got) == 1) != c.kept {
			t.Errorf("depth %d, limit %d: got %v, want kept %v", c.depth, c.limit, got, c.kept)
		}
	}
}

func TestALargePageIsFine(t *testing.T) {
	const n = 100_000
	r := compile(t, Options{
		Records: []Records{rows(t, "li", text("name", css("a")), text("href", Source{CSS: "a", Attr: "href"}))},
		Follow:  []Follow{{Source: css("a")}},
	})
	var b strings.Builder
	for i := range n {
		b.WriteString("<li><a href=/" + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + ">name</a>")
	}
	res, err := r.Extract(page(b.String()))
	if err != nil || len(res.Rows) != n || len(res.Links) != 7*26 {
		t.Fatalf("got %v, want %d rows and %d links", err, n, 7*26)
	}
	j := compile(t, Options{Records: []Records{rows(t, "$[*]", typed("n", schema.Int, js("$.n")))}})
	res, err = j.Extract(page("[" + strings.Repeat(`{"n":1},`, n-1) + `{"n":2}]`))
	if err != nil || len(res.Rows) != n {
		t.Fatalf("got %v, want %d rows", err, n)
	}
}
