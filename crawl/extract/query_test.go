package extract

import (
	"testing"

	"dogear/schema"
)

// The query of a link is in the charset of its page, the path in UTF-8, as browsers send them.
func TestAQueryIsInTheCharsetOfThePage(t *testing.T) {
	for _, c := range []struct{ charset, href, want string }{
		{"utf-8", "/价?q=价", "/%E4%BB%B7?q=%E4%BB%B7"},
		{"", "?q=é", "/a/page.html?q=%C3%A9"},
		{"utf-16le", "?q=é", "/a/page.html?q=%C3%A9"},
		{"gb18030", "/价?q=价 格&b=%E4#价", "/%E4%BB%B7?q=%BC%DB%20%B8%F1&b=%E4"},
		{"gb18030", "/list?p=2", "/list?p=2"},
		{"big5", "?q=價", "/a/page.html?q=%BB%F9"},
		{"shift_jis", "?q=商品", "/a/page.html?q=%8F%A4%95i"},
		{"windows-1252", "?q=é€", "/a/page.html?q=%E9%80"},
		{"windows-1252", "?q=价", "/a/page.html?q=%26%2320215%3B"},
		{"no charset", "?q=é", "/a/page.html?q=%C3%A9"},
	} {
		p := page(`<a href="` + c.href + `">`)
		p.Charset = c.charset
		wantLinks(t, c.charset, linked(t, p, Follow{Source: css("a")}), "https://shop.example"+c.want)

		r := compile(t, Options{Records: []Records{rows(t, "", typed("url", schema.URL, Source{CSS: "a", Attr: "href"}))}})
		res, err := r.Extract(p)
		if err != nil || len(res.Rows) != 1 || res.Rows[0].Values[0] != "https://shop.example"+c.want {
			t.Errorf("%s %s: the field is %v, %v", c.charset, c.href, res, err)
		}
	}
}

func TestALinkInJSONIsUTF8(t *testing.T) {
	p := page(`{"next": "?q=价"}`)
	p.Charset = "gb18030"
	wantLinks(t, "json", linked(t, p, Follow{Source: js("$.next")}), "https://shop.example/a/page.html?q=%E4%BB%B7")
}

// crawlee-python #1589, heritrix #208, Norconex #312.
func TestTheBaseOfAPageIsHeldAgainstItsFinalURL(t *testing.T) {
	for _, c := range []struct{ name, head, want string }{
		{"none", ``, "https://shop.example/a/x"},
		{"absolute", `<base href="https://shop.example/b/c">`, "https://shop.example/b/x"},
		{"relative", `<base href="../d/">`, "https://shop.example/d/x"},
		{"of the host", `<base href="/d/e">`, "https://shop.example/d/x"},
		{"without a scheme", `<base href="//shop.example/f/">`, "https://shop.example/f/x"},
		{"with spaces and backslashes", `<base href=" \g\ ">`, "https://shop.example/g/x"},
		{"the first that has a href", `<base target=_top><base href="/h/"><base href="/i/">`, "https://shop.example/h/x"},
		{"an empty one", `<base href="">`, "https://shop.example/a/x"},
		{"a query", `<base href="?q=1">`, "https://shop.example/a/x"},
		{"one that is none", `<base href="http://[">`, "https://shop.example/a/x"},
		{"one that is no web address", `<base href="data:text/html,x">`, "https://shop.example/a/x"},
		{"in the body", `</head><body><base href="/j/">`, "https://shop.example/j/x"},
	} {
		p := page(`<html><head>` + c.head + `<a href="x">`)
		p.RequestURL = "https://shop.example/elsewhere/"
		wantLinks(t, c.name, linked(t, p, Follow{Source: css("a")}), c.want)
	}
}
