package extract

import (
	"testing"

	"dogear/schema"
)

func TestTakeSaysWhatOfAnElementIsMeant(t *testing.T) {
	const body = `<p class=price><b>Now</b> 7,999.00
		<small>with <i>tax</i></small></p>
		<div class=d> <p>a &amp; <b>b</b></p><!-- c --><br>d<script>e < f</script> </div>
		<div class=split>1<i>x</i>2<br>3<p>x</p>4</div>`
	for _, c := range []struct{ css, take, want string }{
		{".price", "", "Now 7,999.00 with tax"},
		{".price", TakeText, "Now 7,999.00 with tax"},
		{".price", TakeOwn, "7,999.00"},
		{".price b", TakeOwn, "Now"},
		{".split", TakeOwn, "12 3 4"},
		{".d", TakeText, "a & b d"},
		{".d", TakeHTML, `<p>a &amp; <b>b</b></p><!-- c --><br/>d<script>e < f</script>`},
		{".d b", TakeOuter, "<b>b</b>"},
		{".price small", TakeOuter, "<small>with <i>tax</i></small>"},
		{".d script", TakeOwn, "e < f"},
		{".d script", TakeHTML, "e < f"},
		{".d br", TakeOuter, "<br/>"},
	} {
		r := compile(t, Options{Records: []Records{rows(t, "", text("a", Source{CSS: c.css, Take: c.take}))}})
		wantValues(t, r, page(body), [][]any{{c.want}})
	}
	r := compile(t, Options{Records: []Records{rows(t, "p.price", text("own", Source{Take: TakeOwn}), text("no", Source{CSS: "u", Take: TakeHTML}))}})
	wantValues(t, r, page(body), [][]any{{"7,999.00", nil}})
}

// What x/net/html can't write as HTML is not there, and not a part of it.
func TestAnElementThatCanNotBeWrittenIsNotFound(t *testing.T) {
	r := compile(t, Options{Records: []Records{rows(t, "", text("a", Source{CSS: "svg", Take: TakeOuter}), text("b", css("svg")))}})
	wantValues(t, r, page(`<svg><link><g>x</g></link></svg>`), [][]any{{nil, "x"}})
}

func TestJoinTakesAllMatches(t *testing.T) {
	comma, none := ", ", ""
	r := compile(t, Options{Records: []Records{rows(t, "",
		text("tags", Source{CSS: ".tag", Join: &comma}), text("links", Source{CSS: "a", Attr: "href", Join: &comma}),
		text("html", Source{CSS: ".tag", Take: TakeHTML, Join: &comma}), text("no", Source{CSS: "u", Join: &comma}),
		typed("digits", schema.Int, Source{CSS: ".digit", Join: &none}),
	)}})
	wantValues(t, r, page(`<i class=tag> a
		<b>b</b></i><i class=tag> </i><i class=tag>c</i><a href=" /1 "></a><a></a><a href=/2></a><s class=digit>4</s><s class=digit>2</s>`),
		[][]any{{"a b, c", "/1, /2", "a\n\t\t<b>b</b>, c", nil, int64(42)}})
}

func TestJoinOfJSONJoinsScalars(t *testing.T) {
	comma, none := ", ", ""
	r := compile(t, Options{Records: []Records{rows(t, "",
		text("all", Source{JSON: "$.tags[*]", Join: &comma}), text("list", Source{JSON: "$.tags", Join: &comma}),
		column{schema.Field{Name: "price", Type: schema.Type{Kind: schema.Decimal, Precision: 9, Scale: 3}}, Source{JSON: "$.price", Join: &none}},
	)}})
	wantValues(t, r, page(`{"tags":[" a ", 9007199254740993, true, null, "", {"b": 1.50}, [2, "c"]],"price":1.234}`), [][]any{
		{`a, 9007199254740993, true, {"b":1.50}, [2,"c"]`, `[" a ",9007199254740993,true,null,"",{"b":1.50},[2,"c"]]`, "1.234"},
	})
}

func TestWhatSaysNothingAboutASourceIsRefused(t *testing.T) {
	comma, fixed := ",", "x"
	field := func(from Source) Options { return Options{Records: []Records{rows(t, "", text("name", from))}} }
	wantRefused(t, map[string]refusal{
		"a take that is none":     {field(Source{CSS: "a", Take: "inner"}), `take "inner": want text, own, html or outer`},
		"take of an attribute":    {field(Source{CSS: "a", Attr: "href", Take: TakeOwn}), "what of an element"},
		"take of JSON":            {field(Source{JSON: "$.a", Take: TakeHTML}), "what of an element"},
		"take of a meta":          {field(Source{Meta: "url", Take: TakeOwn}), "what of an element"},
		"join of a value":         {field(Source{Value: &fixed, Join: &comma}), "what stands on the page"},
		"take of a node of JSON":  {Options{Records: []Records{rows(t, "$.a", text("name", Source{Take: TakeOwn}))}}, "no elements in JSON"},
		"links that are joined":   {Options{Follow: []Follow{{Source: Source{CSS: "a", Join: &comma}}}}, "links come from"},
		"a next that is a meta":   {Options{Next: &Next{Source: Source{Meta: "url"}}}, "next: it comes from css or json"},
		"a next without {value}":  {Options{Next: &Next{Source: css("a"), URL: []string{"/x"}}}, "has no {value}"},
		"a next within nowhere":   {Options{Next: &Next{Source: css("a"), Within: "here"}}, `next: within "here"`},
		"a carry of no selector":  {Options{Follow: []Follow{{Source: css("a"), Carry: carrying(t, text("x", css("a[")))}}}, `carry "x": css "a["`},
		"a carry of another sort": {Options{Follow: []Follow{{Source: css("a"), Carry: carrying(t, text("x", js("$.a")))}}}, "either HTML or JSON"},
	})
}
