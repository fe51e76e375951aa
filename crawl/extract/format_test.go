package extract

import (
	"errors"
	"strings"
	"testing"

	"dogear/schema"
)

func TestAPageOfAnotherSortIsAParseFailureThatSaysSo(t *testing.T) {
	html := compile(t, Options{Records: []Records{rows(t, "", text("title", css("h1")))}})
	list := compile(t, Options{Records: []Records{rows(t, "li", text("title", css("h1")))}})
	json := compile(t, Options{Records: []Records{rows(t, "", text("id", js("$.id")))}})
	links := compile(t, Options{Follow: []Follow{{Source: js("$.next")}}})
	for _, c := range []struct {
		name, contentType, body string
		rules                   *Rules
		says                    string // "" when the page can be read
	}{
		{"html for json", "text/html; charset=utf-8", "<!doctype html><h1>x", json,
			`the page is HTML (text/html; charset=utf-8), but the rule "$.id" needs JSON`},
		{"html for json, whatever it says it is", "application/json", " \n<h1>x", json, "the page is HTML"},
		{"html for json links", "text/html", "<a href=x>", links, `"$.next" needs JSON`},
		{"json for html", "application/json", `{"id":1}`, html, `the page is JSON (application/json), but the rule "h1" needs HTML`},
		{"json for html records", "application/ld+json", `[]`, list, `"li" needs HTML`},
		{"json for html, without a type", "", `{"id":1}`, html, "the page is JSON, but"},
		{"json for html, of the wrong type", "text/html", `[{"id":1}]`, html, "the page is JSON (text/html), but"},
		{"a picture for html", "image/png", "\x89PNG\r\n\x1a\n", html, "neither HTML nor JSON (image/png)"},
		{"a document for json", "application/pdf", "%PDF-1.7", json, "neither HTML nor JSON (application/pdf)"},
		{"json served as html", "text/html", `{"id":1}`, json, ""},
		{"json served as nothing", "", ` {"id":1}`, json, ""},
		{"html served as json", "application/json", "<h1>x", html, ""},
		{"html served as bytes", "application/octet-stream", "<h1>x", html, ""},
		{"html that begins as JSON might", "text/html", "{{ template }}<h1>x", html, ""},
		{"html behind a byte order mark", "text/html", "\uFEFF<h1>x", html, ""},
		{"xml for html", "application/xml", "<?xml version='1.0'?><h1>x</h1>", html, ""},
		{"plain text", "text/plain", "h1", html, ""},
		{"nothing at all", "text/html", "", html, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := page(c.body)
			p.ContentType = c.contentType
			if c.says != "" {
				wantFailure(t, c.rules, p, Parse, c.says)
			} else if _, err := c.rules.Extract(p); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestBrokenJSONIsAParseFailureWithItsOffset(t *testing.T) {
	r := compile(t, Options{Records: []Records{rows(t, "$.items[*]", text("id", js("$.id")))}})
	for body, says := range map[string]string{
		`{"items":[{"id":1},{"id"`:      "byte 24: unexpected end of the text",
		`{"items":[]} {"items":[]}`:     "byte 13: unexpected '{' after the end",
		`{"items":[{"id":NaN}]}`:        "byte 16: unexpected 'N'",
		"\uFEFF{\"items\":[]}":          "byte 0: unexpected byte order mark",
		`{"items":[],"items":[{}]}`:     `byte 12: the member "items" occurs twice`,
		strings.Repeat(`{"a":`, 20_000): "nested deeper than 10000 levels",
		"":                              "byte 0: unexpected end of the text",
		"Too many requests":             "byte 0: unexpected 'T'",
	} {
		wantFailure(t, r, page(body), Parse, says)
	}
}

// TestHTMLBeyondTheParsersLimitFailsThePage: golang/go #76279.
func TestHTMLBeyondTheParsersLimitFailsThePage(t *testing.T) {
	r := compile(t, Options{
		Records: []Records{rows(t, "p", text("text", Source{}))},
		Follow:  []Follow{{Source: css("a")}},
	})
	deep := func(n int) *Page { return page(strings.Repeat("<div>", n) + "<p>x") }
	wantFailure(t, r, deep(513), Parse, "exceeds 512")
	wantValues(t, r, deep(500), [][]any{{"x"}})
}

func TestAPanicInAParserIsAParseFailure(t *testing.T) {
	r := compile(t, Options{Records: []Records{rows(t, "", text("title", css("h1")))}})
	r.records[0].table = nil // not to be had from outside; stands for a fault in a library
	res := wantFailure(t, r, page("<h1>x"), Parse, "please report it")
	if res != nil {
		t.Errorf("got %+v, want no result", res)
	}
	var f *Failure
	if _, err := r.Extract(page("<h1>x")); !errors.As(err, &f) || f.Unwrap() == nil {
		t.Errorf("got %v, want a cause", err)
	}
}

func TestNumbersInJSONStringsAreThoseOfPrograms(t *testing.T) {
	weight := func(name, decimal string) column {
		f := schema.Field{Name: name, Type: schema.Type{Kind: schema.Decimal, Precision: 10, Scale: 3}, Decimal: decimal}
		return column{f, js("$." + name)}
	}
	r := compile(t, Options{Records: []Records{rows(t, "", weight("plain", ""), weight("german", ","), weight("number", ","))}})
	wantValues(t, r, page(`{"plain":"3.350","german":"3.350","number":3.35}`), [][]any{{"3.350", "3350.000", "3.350"}})
}
