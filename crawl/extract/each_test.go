package extract

import (
	"testing"

	"dogear/schema"
)

const orders = `<h1>Orders</h1>
	<div class=order data-id=1><i class=no>A</i><ul><li class=line>a1</li><li class=line>a2</li></ul></div>
	<div class=order data-id=2><i class=no>B</i></div>
	<div class=order data-id=3><i class=no>C</i><p class=line>c1</p></div><p class=line>of no order</p>`

func TestOneRecordPerInnermostMatchOfSeveralSelectors(t *testing.T) {
	r := compile(t, Options{Records: []Records{nested(t, steps(".order", ".line"),
		text("line", Source{}), text("no", Source{CSS: ".no", Up: 1}), typed("id", schema.Int, Source{Attr: "data-id", Up: 1}),
	)}})
	wantValues(t, r, page(orders), [][]any{{"a1", "A", int64(1)}, {"a2", "A", int64(1)}, {"c1", "C", int64(3)}})

	r = compile(t, Options{Records: []Records{nested(t, steps("html", ".order", ".line"),
		text("line", Source{}), text("no", Source{CSS: ".no", Up: 1}), text("title", Source{CSS: "h1", Up: 2}),
	)}})
	wantValues(t, r, page(orders), [][]any{{"a1", "A", "Orders"}, {"a2", "A", "Orders"}, {"c1", "C", "Orders"}})
}

func TestPathsOfAnEachAreRelativeToTheNodeOutside(t *testing.T) {
	r := compile(t, Options{Records: []Records{nested(t, steps("$.orders[*]", "$.lines[*]"),
		text("line", js("$.name")), typed("id", schema.Int, Source{JSON: "$.id", Up: 1}),
	), nested(t, steps("$", "$.orders[*].lines[?@.name == 'c1']"),
		text("line", js("$.name")), text("shop", Source{JSON: "$.shop", Up: 1}),
	)}})
	wantValues(t, r, page(`{"shop":"north","orders":[
		{"id":9007199254740993,"lines":[{"name":"a1"},{"name":"a2"}]},{"id":2,"lines":[]},{"id":3},
		{"id":4,"lines":[{"name":"c1"}]}]}`), [][]any{
		{"a1", int64(9007199254740993)}, {"a2", int64(9007199254740993)}, {"c1", int64(4)}, {"c1", "north"},
	})
}

// Replies stand within the comments that they answer, and those within others.
func TestAMatchWithinSeveralOuterOnesBelongsToTheNearest(t *testing.T) {
	r := compile(t, Options{Records: []Records{nested(t, steps(".comment", "a"),
		text("link", Source{}), text("of", Source{Attr: "id", Up: 1}),
	)}})
	wantValues(t, r, page(`<div class=comment id=1><a>1a</a><div class=comment id=2><a>2a</a><p><a>2b</a></p></div><a>1b</a></div>
		<div class=comment id=3><a>3a</a></div>`), [][]any{{"1a", "1"}, {"1b", "1"}, {"2a", "2"}, {"2b", "2"}, {"3a", "3"}})

	r = compile(t, Options{Records: []Records{nested(t, steps("div", "div"),
		text("inner", Source{Attr: "id"}), text("outer", Source{Attr: "id", Up: 1}),
	)}})
	wantValues(t, r, page(`<div id=1><div id=2><div id=3></div></div></div>`), [][]any{{"2", "1"}, {"3", "2"}})
}

func TestATableForEachOfSeveralEachesOnOnePage(t *testing.T) {
	r := compile(t, Options{Records: []Records{
		rows(t, ".order", text("no", css(".no"))),
		nested(t, steps(".order", ".line"), text("line", Source{})),
		rows(t, "", text("title", css("h1"))),
	}})
	wantValues(t, r, page(orders), [][]any{{"A"}, {"B"}, {"C"}, {"a1"}, {"a2"}, {"c1"}, {"Orders"}})
}

func TestEachesThatNoPageCanSatisfyAreRefused(t *testing.T) {
	field := func(from Source, each ...Selector) Options {
		return Options{Records: []Records{nested(t, each, text("name", from))}}
	}
	script := Selector{CSS: "script", JSON: "$.items[*]"}
	wantRefused(t, map[string]refusal{
		"elements in JSON":                {field(js("$"), Selector{JSON: "$"}, Selector{CSS: "a"}), "no elements in JSON"},
		"a script in JSON":                {field(js("$"), Selector{JSON: "$"}, script), "no elements in JSON"},
		"JSON in elements":                {field(css("a"), Selector{CSS: "a"}, Selector{JSON: "$"}), "no JSON in an element"},
		"elements in a script":            {field(css("a"), script), "no elements in JSON"},
		"an element of a script":          {field(Source{CSS: "a", JSON: "$"}, script), "no elements in JSON"},
		"an attribute of nothing":         {field(css("a"), Selector{CSS: "a", Attr: "b"}), "in an attribute"},
		"nothing":                         {field(css("a"), Selector{}), "empty selector"},
		"up without each":                 {field(Source{CSS: "a", Up: 1}), "up 1: each has 0"},
		"up to the page":                  {field(Source{CSS: "a", Up: 1}, Selector{CSS: "b"}), "up 1: each has 1"},
		"up and away":                     {field(Source{CSS: "a", Up: 2}, Selector{CSS: "b"}, Selector{CSS: "c"}), "up 2: each has 2"},
		"up from a meta":                  {field(Source{Meta: "url", Up: 1}, Selector{CSS: "b"}, Selector{CSS: "c"}), "what stands on the page"},
		"json in the element outside":     {field(Source{JSON: "$", Up: 1}, Selector{CSS: "b"}, script), "no JSON in an element"},
		"one page of JSON and of scripts": {Options{Records: []Records{nested(t, []Selector{script}, text("n", js("$"))), rows(t, "$", text("n", js("$")))}}, "either HTML or JSON"},
	})
}
