package extract

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dogear/schema"
)

// column is a field of a test's table and where it comes from.
type column struct {
	schema.Field
	from Source
}

func text(name string, from Source) column {
	return column{schema.Field{Name: name}, from}
}

func typed(name string, kind schema.Kind, from Source) column {
	return column{schema.Field{Name: name, Type: schema.Type{Kind: kind}}, from}
}

func css(selector string) Source { return Source{CSS: selector} }

func js(path string) Source { return Source{JSON: path} }

// rows makes the rule of one table, called t.
func rows(t testing.TB, each string, columns ...column) Records {
	t.Helper()
	if each == "" {
		return nested(t, nil, columns...)
	}
	return nested(t, steps(each), columns...)
}

// steps is an each of several selectors.
func steps(each ...string) []Selector {
	var all []Selector
	for _, text := range each {
		if strings.HasPrefix(text, "$") {
			all = append(all, Selector{JSON: text})
		} else {
			all = append(all, Selector{CSS: text})
		}
	}
	return all
}

// nested makes the rule of one table, called t, from an each of any form.
func nested(t testing.TB, each []Selector, columns ...column) Records {
	t.Helper()
	r := Records{Each: each, Table: &schema.Table{Name: "t"}}
	for _, c := range columns {
		r.Table.Fields = append(r.Table.Fields, c.Field)
		r.Sources = append(r.Sources, c.from)
	}
	if err := r.Table.Compile(); err != nil {
		t.Fatal(err)
	}
	return r
}

func compile(t testing.TB, o Options) *Rules {
	t.Helper()
	r, err := Compile(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func page(body string) *Page {
	return &Page{
		RequestURL: "https://shop.example/start", URL: "https://shop.example/a/page.html", Status: 200,
		Body: []byte(body), At: time.Date(2026, 2, 4, 6, 30, 0, 7_000_000, time.UTC),
	}
}

// values returns the records of a result, field after field.
func values(res *Result) [][]any {
	var all [][]any
	for _, r := range res.Rows {
		all = append(all, r.Values)
	}
	return all
}

// wantValues extracts and compares the records kept.
func wantValues(t *testing.T, r *Rules, p *Page, want [][]any) {
	t.Helper()
	res, err := r.Extract(p)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, values(res)); diff != "" {
		t.Error("records (-want +got):\n" + diff)
	}
}

// wantFailure extracts and wants it to fail as kind, saying says.
func wantFailure(t *testing.T, r *Rules, p *Page, kind Kind, says string) *Result {
	t.Helper()
	res, err := r.Extract(p)
	var f *Failure
	if !errors.As(err, &f) {
		t.Fatalf("got %v, want a failure", err)
	}
	if f.Kind != kind || !strings.Contains(f.Error(), says) {
		t.Errorf("got %q, want %s: …%s…", f, kind, says)
	}
	return res
}

func TestOneRecordPerMatchOfACSSSelector(t *testing.T) {
	r := compile(t, Options{Records: []Records{rows(t, ".item",
		text("title", css("h2")), text("sku", Source{Attr: "data-sku"}), text("all", Source{}),
		text("image", Source{CSS: "img", Attr: "src"}), typed("url", schema.URL, Source{CSS: "a", Attr: "href"}),
	)}})
	wantValues(t, r, page(`<h2>not this</h2>
		<div class=item data-sku=" 1 "><h2> One
		 of&nbsp;many </h2><a href="../b?x=1#top"><img src=1.png></a></div>
		<div class=item><h2></h2><h2>second</h2><p>left</p><p>right</p></div>`), [][]any{
		{"One of many", "1", "One of many", "1.png", "https://shop.example/b?x=1"},
		{nil, nil, "second left right", nil, nil},
	})
}

func TestOneRecordPerNodeOfAJSONPath(t *testing.T) {
	r := compile(t, Options{Records: []Records{rows(t, "$.items[*]",
		typed("id", schema.Int, js("$.id")), text("name", js("$.names[0]")), typed("in", schema.Bool, js("$.in")),
		typed("more", schema.JSON, js("$.more")), text("self", js("$")),
	)}})
	wantValues(t, r, page(`{"items":[
		{"id": 9007199254740993, "names": ["caf\u00e9", "x"], "in": true, "more": {"a" : 1.50}},
		{"id": "7", "names": [], "in": false, "more": "text"},
		{"id": null, "more": null}, 8]}`), [][]any{
		{int64(9007199254740993), "café", int64(1), `{"a":1.50}`,
			`{"id":9007199254740993,"names":["caf\u00e9","x"],"in":true,"more":{"a":1.50}}`},
		{int64(7), nil, int64(0), `"text"`, `{"id":"7","names":[],"in":false,"more":"text"}`},
		{nil, nil, nil, nil, `{"id":null,"more":null}`},
		{nil, nil, nil, nil, `8`},
	})
}

// TestJSONNumbersKeepEveryDigit: restish #397.
func TestJSONNumbersKeepEveryDigit(t *testing.T) {
	price := column{schema.Field{Name: "price", Type: schema.Type{Kind: schema.Decimal, Precision: 20, Scale: 2}}, js("$.price")}
	r := compile(t, Options{Records: []Records{rows(t, "",
		typed("id", schema.Int, js("$.id")), text("same", js("$.id")), price, typed("list", schema.JSON, js("$.list")),
		typed("first", schema.Int, js("$.list[?@.id > 1].id")),
	)}})
	wantValues(t, r, page(`{"id":9007199254740993,"price":123456789012345678.91,"list":[{"id":9007199254740995}]}`), [][]any{
		{int64(9007199254740993), "9007199254740993", "123456789012345678.91", `[{"id":9007199254740995}]`, int64(9007199254740995)},
	})
}

func TestMetaAndFixedValues(t *testing.T) {
	shop := "north"
	meta := func(name string) Source { return Source{Meta: name} }
	r := compile(t, Options{Records: []Records{rows(t, "",
		text("url", meta("url")), text("final", meta("final_url")), typed("status", schema.Int, meta("status")),
		text("at", meta("fetched_at")), typed("ms", schema.Datetime, meta("fetched_at")), text("id", meta("param.id")),
		text("none", meta("param.none")), text("shop", Source{Value: &shop}),
	)}})
	p := page("\x00 is not looked at, because no rule asks")
	p.At = p.At.In(time.FixedZone("", 3600))
	p.Params = map[string]string{"id": "17"}
	wantValues(t, r, p, [][]any{{
		"https://shop.example/start", "https://shop.example/a/page.html", int64(200), "2026-02-04T06:30:00.007Z",
		time.Date(2026, 2, 4, 6, 30, 0, 7_000_000, time.UTC).UnixMilli(), "17", nil, "north",
	}})
}

func TestAPageWithoutEachIsOneRecord(t *testing.T) {
	r := compile(t, Options{Records: []Records{rows(t, "",
		text("title", css("title")), text("lang", Source{Attr: "lang"}), text("last", css("li:last-child")),
	)}})
	wantValues(t, r, page(`<!doctype html><html lang=no><title>T</title><ul><li>1<li>2</ul>`), [][]any{{"T", "no", "2"}})
}

func TestAPageOfWhichEveryRecordIsRejectedIsInvalidAndKeepsRejectsAndLinks(t *testing.T) {
	need := column{schema.Field{Name: "id", Type: schema.Type{Kind: schema.Int}, Required: true}, Source{Attr: "id"}}
	r := compile(t, Options{
		Records: []Records{rows(t, "li", need)},
		Follow:  []Follow{{Source: css("a")}},
	})
	res := wantFailure(t, r, page(`<li id=x>1<li>2</li><a href=/n>`), Invalid, "2 rejected, the first by t.id")
	if res == nil || len(res.Rejects) != 2 || len(res.Links) != 1 {
		t.Errorf("got %+v, want two rejects and a link", res)
	}
	res, err := r.Extract(page(`<li id=x>1<li id=4>2</li>`))
	if err != nil || len(res.Rejects) != 1 || len(res.Rows) != 1 {
		t.Errorf("got %+v, %v, want one row and one reject", res, err)
	}
	if _, err := r.Extract(page(`<p>no records`)); err != nil {
		t.Errorf("a page without records: %v", err)
	}
}
