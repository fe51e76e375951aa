package extract

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"dogear/schema"
)

// FuzzExtract gives hostile pages to rules that use everything: no panic, not even a caught one, and no result that
// breaks a promise.
func FuzzExtract(f *testing.F) {
	for _, s := range []string{
		"", "<", "{", "[]", "\uFEFF{}", "\xff\xfe", "null", `"text"`, "<li>", "<base href=//[>", "<base href=\x00><a href=x>",
		`{"items":[{"id":9007199254740993,"u":"/x"},{"id":null},[[]],{"u":"\ud800"}],"next":"?p=2"}`,
		`{"items":{"b":{"id":"1,234"},"a":{"id":1e999999999}},"items2":[{"price":5},{"price":"6"}]}`,
		"<li id=1><a href=' HTTP:\\\\x\\y#z'>t</a><li><table><a>x<tr><a>y</table><script>{</script>",
		"<svg><foreignObject><li><math><mi><p><a href=x></svg><template><li></template><noscript><li><p></noscript>",
		strings.Repeat("<div>", 513), strings.Repeat("<a><b>", 100), strings.Repeat("[", 2000), strings.Repeat(`{"a":`, 300),
		`<li><script>window.x = {"items":[{"id":9007199254740993,"l":[{"u":"/y"}]}],"next":{"a":1}}; y = {}</script><li data-j='{"id":1}'>`,
		`<script><!-- {"items":[{"l":[1,null,"x"]},[]],"next":"a/b?c"} --></script><script>={[=["={"next":7}</script><script>[`,
		`<p id=1><p id=2><li><script>{"items":null,"next":null}</script><script>{"next":false}</script></li></p><svg><link><p>x</svg>`,
		`{"items":[{"l":[{"u":"/y"},{"u":[]}]}],"next":"\ud800 +/="}`, `{"next":1e99}`, `{"next":[]}`,
		"<frameset><li><plaintext><a href=x>", "<select><li><option><a href=x></select><li>\x00",
	} {
		f.Add(s, "text/html")
		f.Add(s, "application/json")
	}
	rules := []*Rules{hostileHTML(f), hostileJSON(f), hostileScripts(f), hostileWalk(f)}
	f.Fuzz(func(t *testing.T, body, contentType string) {
		for _, r := range rules {
			p := page(body)
			p.ContentType, p.Carry = contentType, `{"carry.up":"x"}`
			res, err := r.extract(p)
			var failure *Failure
			if err != nil && !errors.As(err, &failure) {
				t.Fatalf("got %v, want a failure", err)
			}
			if wantResult := err == nil || failure.Kind == Invalid; wantResult != (res != nil) {
				t.Fatalf("got result %v with error %v", res, err)
			}
			if res != nil {
				promises(t, res)
			}
			sameSeen(t, r, p, res, err)
		}
	})
}

func hostileHTML(t testing.TB) *Rules {
	return compile(t, Options{
		Records: []Records{
			rows(t, "li", typed("id", schema.Int, Source{Attr: "id"}), text("all", Source{}), text("p", css("p:first-child")),
				typed("u", schema.URL, Source{CSS: "a", Attr: "href"}), typed("data", schema.JSON, css("script"))),
			rows(t, "", text("title", css("title")), text("lang", Source{Attr: "lang"}), text("url", Source{Meta: "url"})),
		},
		Follow: []Follow{{Source: css("a, link")}, {Source: Source{CSS: "img", Attr: "src"}, Within: "any"}},
		Expect: Expect{Absent: "form#captcha"},
	})
}

func hostileJSON(t testing.TB) *Rules {
	return compile(t, Options{
		Records: []Records{
			rows(t, "$.items[*]", typed("id", schema.Int, js("$.id")), text("all", js("$")), typed("doc", schema.JSON, js("$..*")),
				typed("u", schema.URL, js("$.u"))),
			rows(t, "", text("cheap", js("$..[?@.price < 10].price")), text("last", js("$.items[-1:]")), text("two", js("$[*][1]"))),
		},
		Follow: []Follow{{Source: js("$.next")}, {Source: js("$..u"), Within: "domain"}},
		Expect: Expect{Absent: "$.error"},
	})
}

// hostileScripts asks for JSON in elements, and for elements within each other.
func hostileScripts(t testing.TB) *Rules {
	bar := "|"
	script := Selector{CSS: "script", JSON: "$.items[*]"}
	return compile(t, Options{
		Records: []Records{
			nested(t, []Selector{{CSS: "li, p"}, script, {JSON: "$.l[*]"}}, text("all", js("$")),
				typed("id", schema.Int, Source{JSON: "$.id", Up: 1}), text("outer", Source{CSS: "a", Take: TakeOuter, Up: 2})),
			nested(t, steps("li, p, div", "li, p, div", "*"), text("own", Source{Take: TakeOwn}), text("in", Source{Take: TakeHTML, Up: 1})),
			rows(t, "", text("next", in("script", "$..next")), text("j", Source{CSS: "li", Attr: "data-j", JSON: "$.id"}),
				text("tags", Source{CSS: "li", Join: &bar}), text("many", Source{CSS: "script", JSON: "$..*", Join: &bar})),
		},
		Follow: []Follow{{Each: steps("li"), Source: in("script", "$..u"), Carry: carrying(t, text("all", Source{}), text("up", Source{Meta: "carry.up"}))}},
		Next:   &Next{Source: in("script", "$.next")},
	})
}

func hostileWalk(t testing.TB) *Rules {
	return compile(t, Options{
		Records: []Records{nested(t, steps("$..items", "$..l[*]"), text("u", js("$.u")), typed("up", schema.JSON, Source{JSON: "$", Up: 1}))},
		Follow:  []Follow{{Each: steps("$.items[*]", "$.l[*]"), Source: js("$.u"), Carry: carrying(t, text("all", js("$")))}},
		Next:    &Next{Source: js("$.next"), URL: []string{"/a/", "?b=", ""}},
	})
}

func promises(t *testing.T, res *Result) {
	t.Helper()
	seen := make(map[string]bool)
	for _, l := range res.Links {
		if !strings.HasPrefix(l.URL, "http://") && !strings.HasPrefix(l.URL, "https://") {
			t.Errorf("link %q is neither http nor https", l.URL)
		}
		if seen[l.Key()] {
			t.Errorf("link %q is there twice", l.URL)
		}
		seen[l.Key()] = true
		if given := map[string]string{}; l.Carry != "" && json.Unmarshal([]byte(l.Carry), &given) != nil {
			t.Errorf("link %q takes %q along", l.URL, l.Carry)
		}
	}
	for _, r := range res.Rows {
		for i, v := range r.Values {
			if s, ok := v.(string); ok && !utf8.ValidString(s) {
				t.Errorf("%s: %q is no UTF-8", r.Table.Fields[i].Name, s)
			}
		}
	}
}
