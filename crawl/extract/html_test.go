package extract

import (
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"dogear/schema"
)

func parsed(html string) (*goquery.Document, error) {
	b := newBudget(defaultTimeout, len(html))
	return parseHTML([]byte(html), &b)
}

func TestTextIsWhatAReaderSees(t *testing.T) {
	for _, c := range []struct{ name, html, want string }{
		{"trimmed and collapsed", "<p> a\n\t b  <i>c</i> d </p>", "a b c d"},
		{"no-break and wide spaces collapse too", "<p>&nbsp;7&nbsp;\u2009 999\u3000</p>", "7 999"},
		{"a part of a word stays there", "<p>H<sub>2</sub>O</p>", "H2O"},
		{"a line break is a space", "<p>a<br>b</p>", "a b"},
		{"scripts and styles are not read", "<p>a<script>var b</script><style>c{}</style>d</p>", "ad"},
		{"noscript is read: no scripts run here", "<p>a <noscript>b</noscript></p>", "a b"},
		{"entities are characters", "<p>&eacute;&lt;b&gt;</p>", "é<b>"},
		{"an empty element", "<p></p>", ""},
		{"a comment", "<p>a<!-- b -->c</p>", "ac"},
	} {
		doc, err := parsed(c.html)
		if err != nil {
			t.Fatal(err)
		}
		if got := textOf(doc.Find("p").Nodes[0], false); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	doc, err := parsed("<div><div>7</div><div>999</div><table><tr><td>1<td>2</table></div>")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := textOf(doc.Find("div").Nodes[0], false), "7 999 1 2"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAScriptThatIsSelectedIsTakenAsItIs(t *testing.T) {
	r := compile(t, Options{Records: []Records{rows(t, "",
		text("code", css("script[type='application/ld+json']")),
		typed("data", schema.JSON, css("script[type='application/ld+json']")),
	)}})
	wantValues(t, r, page(`<script type="application/ld+json"> {"a":  "b  c"} </script>`),
		[][]any{{`{"a":  "b  c"}`, `{"a":"b  c"}`}})
}

// TestBaseHref: crawlee-python #1589 (ignored), heritrix #208 and Norconex #312 (resolved wrongly).
func TestBaseHref(t *testing.T) {
	for _, c := range []struct{ name, base, want string }{
		{"none: the final URL, not the one asked for", ``, "https://shop.example/a/x"},
		{"absolute", `<base href="http://other.example/b/">`, "http://other.example/b/x"},
		{"relative to the final URL", `<base href="sub/dir/">`, "https://shop.example/a/sub/dir/x"},
		{"relative to its root", `<base href="/root">`, "https://shop.example/x"},
		{"without scheme", `<base href="//cdn.example/">`, "https://cdn.example/x"},
		{"only the first that has a href", `<base target=_top><base href="/1/"><base href="/2/">`, "https://shop.example/1/x"},
		{"in the body, after the links", `</head><body><a href=x></a><base href="/late/">`, "https://shop.example/late/x"},
		{"with spaces around", `<base href="  /s/ ">`, "https://shop.example/s/x"},
		{"empty", `<base href="">`, "https://shop.example/a/x"},
		{"one that leads nowhere", `<base href="javascript:void(0)">`, "https://shop.example/a/x"},
		{"data", `<base href="data:text/html,x">`, "https://shop.example/a/x"},
	} {
		r := compile(t, Options{
			Records: []Records{rows(t, "", typed("url", schema.URL, Source{CSS: "a", Attr: "href"}))},
			Follow:  []Follow{{Source: css("a"), Within: "any", Page: "next"}},
		})
		res, err := r.Extract(page(c.base + `<a href=x>`))
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Rows[0].Values[0]; got != c.want {
			t.Errorf("%s: field: got %v, want %s", c.name, got, c.want)
		}
		if diff := cmp.Diff([]schema.Request{{URL: c.want, Page: "next"}}, res.Links); diff != "" {
			t.Errorf("%s: links (-want +got):\n%s", c.name, diff)
		}
	}
}
