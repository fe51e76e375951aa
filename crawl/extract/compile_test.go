package extract

import (
	"strings"
	"testing"

	"dogear/schema"
)

func TestRulesThatNoPageCanSatisfyAreRefused(t *testing.T) {
	fixed := "x"
	field := func(each string, from Source) Options {
		return Options{Page: "p", Records: []Records{rows(t, each, text("name", from))}}
	}
	for _, c := range []struct {
		name  string
		rules Options
		says  string
	}{
		{"css that is none", field("", css("a[")), `page "p": table "t": field "name": css "a["`},
		{"a path that is none", field("", js("$.a[")), `field "name": json path "$.a["`},
		{"a path without $", field("", js("a.b")), "starts with $"},
		{"a path as css", field("", css("$.a")), "JSONPath"},
		{"two sources", field("", Source{CSS: "a", Meta: "url"}), "more than one of"},
		{"an attribute and a value", field("", Source{Value: &fixed, Attr: "b"}), "more than one of"},
		{"a value and a meta", field("", Source{Value: &fixed, Meta: "url"}), "more than one of"},
		{"meta that is none", field("", Source{Meta: "urls"}), `meta "urls": want url, final_url`},
		{"a parameter without name", field("", Source{Meta: "param."}), "param.NAME"},
		{"each that is none", field("a[", css("b")), `each: css "a["`},
		{"css in a JSON each", field("$.a[*]", css("b")), "no elements in JSON"},
		{"an attribute in a JSON each", field("$.a[*]", Source{Attr: "b"}), "no attributes"},
		{"json in a CSS each", field("li", js("$.b")), "no JSON in an element"},
		{"css and json in one record", Options{Records: []Records{rows(t, "", text("a", css("a")), text("b", js("$.b")))}}, "either HTML or JSON"},
		{"the text of the page and json", Options{Records: []Records{rows(t, "", text("a", Source{}), text("b", js("$.b")))}}, "either HTML or JSON"},
		{"json records and css links", Options{
			Records: []Records{rows(t, "", text("b", js("$.b")))}, Follow: []Follow{{Source: css("a")}},
		}, "either HTML or JSON"},
		{"no table", Options{Records: []Records{{}}}, "without a table"},
		{"a source too few", Options{Records: []Records{{Table: &schema.Table{Name: "t", Fields: make([]schema.Field, 2)}}}}, "0 sources for 2 fields"},
		{"links from nowhere", Options{Follow: []Follow{{Source: Source{Meta: "url"}}}}, "follow rule 1: links come from css or json"},
		{"an unknown scope", Options{Follow: []Follow{{Source: css("a"), Within: "hosts"}}}, `within "hosts"`},
		{"contains that is none", Options{Expect: Expect{Contains: "a["}}, `expect contains: css "a["`},
		{"absent that is none", Options{Expect: Expect{Absent: "$["}}, `expect absent: json path "$["`},
	} {
		if _, err := Compile(c.rules); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want …%s…", c.name, err, c.says)
		}
	}
}

// refusal is rules that Compile refuses, and what it says.
type refusal struct {
	rules Options
	says  string
}

// wantRefused wants Compile to refuse rules, saying why.
func wantRefused(t *testing.T, refusals map[string]refusal) {
	t.Helper()
	for name, c := range refusals {
		if _, err := Compile(c.rules); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want …%s…", name, err, c.says)
		}
	}
}

func TestExpectationsMayBeOfTheOtherSort(t *testing.T) {
	compile(t, Options{
		Records: []Records{rows(t, "$.a[*]", text("b", js("$.b")), text("url", Source{Meta: "url"}))},
		Expect:  Expect{Absent: "form#captcha"},
	})
}
