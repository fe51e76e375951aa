package extract

import (
	"errors"
	"strings"
	"testing"
)

// urls are those of a result's links.
func urls(res *Result) []string {
	urls := []string{}
	for _, l := range res.Links {
		urls = append(urls, l.URL)
	}
	return urls
}

func TestTheValueOfNextMakesAURL(t *testing.T) {
	query, path := []string{"https://api.example/v1?after=", "&n=2"}, []string{"/list/", ""}
	relative, twice := []string{"?after=", ""}, []string{"/", "/", "?x"}
	for _, c := range []struct {
		name, body string
		url        []string
		want       string // "": the walk ends
	}{
		{"a text, encoded", `{"next": "+/+/a= &#?é{}"}`, query, "https://api.example/v1?after=%2B%2F%2B%2Fa%3D%20%26%23%3F%C3%A9%7B%7D&n=2"},
		{"in the path", `{"next": "a/b"}`, path, "https://shop.example/list/a%2Fb"},
		{"relative to the page", `{"next": "x"}`, relative, "https://shop.example/a/page.html?after=x"},
		{"twice", `{"next": "x"}`, twice, "https://shop.example/x/x?x"},
		{"a number, digit by digit", `{"next": 90071992547409930000.10}`, query, "https://api.example/v1?after=90071992547409930000.10&n=2"},
		{"nought is a number", `{"next": 0}`, query, "https://api.example/v1?after=0&n=2"},
		{"null", `{"next": null}`, query, ""},
		{"missing", `{}`, query, ""},
		{"false", `{"next": false}`, query, ""},
		{"empty", `{"next": ""}`, query, ""},
		{"blank", `{"next": "  "}`, query, ""},
		{"a link", `{"next": "?p=2#x"}`, nil, "https://shop.example/a/page.html?p=2"},
		{"a link of the same host", `{"next": "HTTPS://shop.example:443/b"}`, nil, "https://shop.example/b"},
		{"a link of another host", `{"next": "https://other.example/b"}`, nil, ""},
		{"no web link", `{"next": "javascript:void(0)"}`, nil, ""},
	} {
		r := compile(t, Options{Page: "list", Next: &Next{Source: js("$.next"), URL: c.url}})
		res, err := r.Extract(page(c.body))
		switch {
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want == "" && len(res.Links) > 0:
			t.Errorf("%s: leads to %v", c.name, res.Links)
		case c.want != "" && (len(res.Links) != 1 || res.Links[0].URL != c.want || res.Links[0].Page != "list"):
			t.Errorf("%s: leads to %v, want %s", c.name, res.Links, c.want)
		}
	}
}

func TestNextIsTheFirstLinkOfHTML(t *testing.T) {
	for _, c := range []struct {
		name, body string
		next       Next
		want       []string
	}{
		{"href", `<a class=n href=2>2</a><a class=n href=3>3</a>`, Next{Source: Source{CSS: "a.n", Attr: "href"}}, []string{"https://shop.example/a/2"}},
		{"without @href", `<a class=n href=2>2</a>`, Next{Source: css("a.n")}, []string{"https://shop.example/a/2"}},
		{"base", `<base href=/b/><a class=n href=2>2</a>`, Next{Source: css("a.n")}, []string{"https://shop.example/b/2"}},
		{"no such link", `<a href=2>2</a>`, Next{Source: css("a.n")}, nil},
		{"a link without href", `<a class=n>2</a>`, Next{Source: css("a.n")}, nil},
		{"an attribute in a URL", `<base href=/b/><b data-c="a+b">more</b>`, Next{Source: Source{CSS: "b", Attr: "data-c"}, URL: []string{"?c=", ""}},
			[]string{"https://shop.example/a/page.html?c=a%2Bb"}},
		{"a text in a URL", `<b> 7 <i>8</i></b>`, Next{Source: css("b"), URL: []string{"/", ""}}, []string{"https://shop.example/7%208"}},
		{"own text in a URL", `<b> 7 <i>8</i></b>`, Next{Source: Source{CSS: "b", Take: TakeOwn}, URL: []string{"/", ""}}, []string{"https://shop.example/7"}},
		{"within any", `<a class=n href=//other.example/>2</a>`, Next{Source: css("a.n"), Within: "any"}, []string{"https://other.example/"}},
	} {
		res, err := compile(t, Options{Next: &c.next}).Extract(page(c.body))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		wantLinks(t, c.name, urls(res), c.want...)
	}
}

func TestNextIsNotLostInALinkOfAnotherRule(t *testing.T) {
	r := compile(t, Options{Page: "list", Follow: []Follow{{Source: css("a"), Page: "item"}}, Next: &Next{Source: css("a.n")}})
	res, err := r.Extract(page(`<a href=/1>1</a><a class=n href=/2>2</a>`))
	if err != nil || len(res.Links) != 2 || res.Links[0].Page != "list" || res.Links[1].Page != "item" {
		t.Fatalf("%+v, %v", res, err)
	}
}

func TestANextThatIsNoValueIsAParseFailure(t *testing.T) {
	url := []string{"/", ""}
	for body, c := range map[string]struct {
		url  []string
		says string
	}{
		`{"next": {"after": 3}}`: {url, "next: $.next is an object"},
		`{"next": [3]}`:          {url, "next: $.next is an array"},
		`{"next": true}`:         {url, "next: $.next is true"},
		`{"next": {}}`:           {nil, "next: $.next is an object"},
		`{"next": 3}`:            {nil, `next: $.next is the number 3, which is no link: url: "https://…?page={value}"`},
	} {
		r := compile(t, Options{Records: []Records{rows(t, "", text("a", js("$.a")))}, Next: &Next{Source: js("$.next"), URL: c.url}})
		wantFailure(t, r, page(body), Parse, c.says)
	}
	r := compile(t, Options{Next: &Next{Source: js("$.next"), URL: url}})
	if _, err := r.Extract(page(`{"next": "` + strings.Repeat("x", 3<<20) + `"}`)); !errors.As(err, new(*Failure)) {
		t.Errorf("a URL of 3 MB: %v", err)
	}
}
