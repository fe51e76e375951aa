package extract

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dogear/schema"
)

// in is a source in the JSON that stands in an element.
func in(selector, path string) Source { return Source{CSS: selector, JSON: path} }

func TestJSONInAnElementIsReadAsItStandsThere(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want any // nil: not found
	}{
		"json":                            {`<script id=s type="application/json">{"id": 9007199254740993}</script>`, int64(9007199254740993)},
		"an array is no object":           {`<script id=s>[{"id": 7}]</script>`, nil},
		"an assignment":                   {`<script id=s>window.__STATE__ = {"id": 7};</script>`, int64(7)},
		"one with more behind it":         {"<script id=s>\n var a=1; window['x']={\"id\":7,\"b\":\"};\"};\nfunction f() { return {id: 8} }</script>", int64(7)},
		"one behind code":                 {`<script id=s>if (a == b) { f(); window.x = {"id": 7}; }</script>`, int64(7)},
		"only the first value counts":     {`<script id=s>x = {"no": 1}; y = {"id": 7};</script>`, nil},
		"in a comment":                    {"<script id=s>\n<!--\n{\"id\": 7}\n-->\n</script>", int64(7)},
		"an assignment in a comment":      {"<script id=s><!--\nx = {\"id\": 7};\n//--></script>", int64(7)},
		"in any element":                  {`<p id=s hidden>{"id": <b>7</b>}</p>`, int64(7)},
		"in a template":                   {`<template id=s>{"id": 7}</template>`, int64(7)},
		"no json":                         {`<script id=s>f({id: 7})</script>`, nil},
		"json that is cut":                {`<script id=s>{"id": 7</script>`, nil},
		"more than one document":          {`<script id=s>{"id": 7} {"id": 8}</script>`, nil},
		"nothing":                         {`<script id=s></script>`, nil},
		"no element":                      {`<p>`, nil},
		"null":                            {`<script id=s>{"id": null}</script>`, nil},
		"the first in which it is":        {`<script id=s>{"no":1}</script><script id=s>x</script><script id=s>{"id":null}</script><script id=s>{"id":7}</script><script id=s>{"id":8}</script>`, int64(7)},
		"an = without end":                {`<script id=s>` + strings.Repeat("=", 100_000) + `{</script>`, nil},
		"a string that begins everywhere": {`<script id=s>` + strings.Repeat(`=["`, 50_000) + `</script>`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			r := compile(t, Options{Records: []Records{rows(t, "", typed("id", schema.Int, in("#s", "$.id")))}})
			wantValues(t, r, page(c.body), [][]any{{c.want}})
		})
	}
}

func TestJSONStandsInAttributesToo(t *testing.T) {
	body := `<ul><li data-p='{"id": 9007199254740993, "tags": ["a", "b &amp; c"]}'>x</li><li data-p="{}"><li><li data-p=x></ul>`
	comma := ", "
	r := compile(t, Options{Records: []Records{rows(t, "li",
		typed("id", schema.Int, Source{Attr: "data-p", JSON: "$.id"}), text("tags", Source{Attr: "data-p", JSON: "$.tags[*]", Join: &comma}), text("t", Source{}),
	), nested(t, []Selector{{CSS: "li", Attr: "DATA-P", JSON: "$.tags[*]"}}, text("tag", js("$"))),
	}})
	res, err := r.Extract(page(body))
	if err != nil {
		t.Fatal(err)
	}
	want := [][]any{{int64(9007199254740993), "a, b & c", "x"}, {nil, nil, nil}, {nil, nil, nil}, {nil, nil, nil}, {"a"}, {"b & c"}}
	if diff := cmp.Diff(want, values(res)); diff != "" {
		t.Errorf("records (-want +got)\n%s", diff)
	}
}

const stateBody = `<h1>Shop</h1><script>var no = "json"</script>
	<script>window.S = {"items": [{"id": 1, "lines": [{"n": "a"}, {"n": "b"}]}, {"id": 2, "lines": []}, {"id": 3, "lines": [{"n": "c"}]}], "next": "?p=2"};</script>
	<script>window.T = {"items": [{"id": 4}]};</script>`

func TestRecordsAndLinksComeFromJSONInAnElement(t *testing.T) {
	r := compile(t, Options{
		Records: []Records{
			nested(t, []Selector{{CSS: "script", JSON: "$.items[*]"}}, typed("id", schema.Int, js("$.id"))),
			nested(t, []Selector{{CSS: "html"}, {CSS: "script", JSON: "$.items[*]"}, {JSON: "$.lines[*]"}},
				text("n", js("$.n")), typed("id", schema.Int, Source{JSON: "$.id", Up: 1}), text("shop", Source{CSS: "h1", Up: 2})),
		},
		Follow: []Follow{{Source: in("script", "$.items[*].lines[0].n")}},
		Next:   &Next{Source: in("script", "$.next")},
	})
	res, err := r.Extract(page(stateBody))
	if err != nil {
		t.Fatal(err)
	}
	want := [][]any{{int64(1)}, {int64(2)}, {int64(3)}, {"a", int64(1), "Shop"}, {"b", int64(1), "Shop"}, {"c", int64(3), "Shop"}}
	if diff := cmp.Diff(want, values(res)); diff != "" {
		t.Errorf("records (-want +got)\n%s", diff)
	}
	wantLinks(t, "script", urls(res), "https://shop.example/a/page.html?p=2", "https://shop.example/a/a", "https://shop.example/a/c")
}

func TestAPageWhoseScriptHasNoJSONIsAParseFailureForWhatNeedsIt(t *testing.T) {
	each := compile(t, Options{Records: []Records{nested(t, []Selector{{CSS: "#s", JSON: "$.items[*]"}}, text("id", js("$.id")))}})
	follow := compile(t, Options{Follow: []Follow{{Source: in("#s", "$.items[*].url")}}})
	next := compile(t, Options{Next: &Next{Source: in("#s", "$.next")}})
	for name, r := range map[string]*Rules{"each": each, "follow": follow, "next": next} {
		t.Run(name, func(t *testing.T) {
			wantFailure(t, r, page(`<p id=s></p><script id=s>{"items": [</script>`), Parse, `"#s $.`)
			wantFailure(t, r, page(`<script id=s>{"items": [</script>`), Parse, "there is none in what it selects: json: byte 11: unexpected end of the text")
			for _, good := range []string{"<p>no script", `<script id=s>f()</script><script id=s>{"a":1}</script>`, `<script id=s>{"items":[]}</script>`} {
				if res, err := r.Extract(page(good)); err != nil || len(res.Rows)+len(res.Links) > 0 {
					t.Errorf("%s: %v %v", good, res, err)
				}
			}
			wantFailure(t, r, page(`{"items":[]}`), Parse, "needs HTML")
		})
	}
}

// An element that stands in another one has part of its text, and so on.
func TestElementsWithinEachOtherCanNotMultiplyTheirJSON(t *testing.T) {
	body := strings.Repeat("<div>", 400) + "[" + strings.Repeat("1,", 20_000) + "1]"
	r := compile(t, Options{Records: []Records{rows(t, "", text("x", in("div", "$.x")))}})
	wantFailure(t, r, page(body), Parse, "far more JSON")
}

func TestAScriptIsAsDeepAsAPageMayBe(t *testing.T) {
	r := compile(t, Options{Records: []Records{nested(t, []Selector{{CSS: "script", JSON: "$"}}, text("x", js("$")))}})
	for depth, says := range map[int]string{maxNesting: "", maxNesting + 1: "nested deeper"} {
		p := page("<script>" + strings.Repeat("[", depth) + strings.Repeat("]", depth) + "</script>")
		if says != "" {
			wantFailure(t, r, p, Parse, says)
		} else if _, err := r.Extract(p); err != nil {
			t.Error(err)
		}
	}
}
