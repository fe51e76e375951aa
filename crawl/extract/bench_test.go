package extract

import (
	"fmt"
	"strings"
	"testing"

	"dogear/schema"
)

// product is a 300-byte answer of a product API.
const product = `{"id":9007199254740993,"name":"Stainless steel bottle, 750 ml, no. 4711","price":"1799.90","stock":42,` +
	`"category":"kitchen/bottles","rating":4.37,"tags":["steel","bottle","outdoor"],` +
	`"seller":{"id":88121,"name":"Northern Goods","country":"NO"},"shipping":{"weight_g":412,"days":3},"active":true}`

func productRules(b *testing.B) *Rules {
	decimal := func(name string, precision, scale int) column {
		return column{schema.Field{Name: name, Type: schema.Type{Kind: schema.Decimal, Precision: precision, Scale: scale}}, js("$." + name)}
	}
	return compile(b, Options{Records: []Records{rows(b, "",
		typed("id", schema.Int, js("$.id")), text("name", js("$.name")), decimal("price", 10, 2),
		typed("stock", schema.Int, js("$.stock")), text("category", js("$.category")), decimal("rating", 3, 2),
		typed("update_time", schema.Datetime, Source{Meta: "fetched_at"}),
	)}})
}

// BenchmarkProduct is a whole page: 7 fields out of 300 bytes of JSON, cleaned.
func BenchmarkProduct(b *testing.B) {
	r, p := productRules(b), page(product)
	p.ContentType = "application/json"
	b.SetBytes(int64(len(p.Body)))
	b.ReportAllocs()
	for b.Loop() {
		p.At = p.At.Add(1)
		if _, err := r.Extract(p); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkProductRead is the part of it that checks the JSON and cuts it up.
func BenchmarkProductRead(b *testing.B) {
	var d document
	body := []byte(product)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if err := d.read(body); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkScript is the same product in a script of a page of HTML, read by seven rules.
func BenchmarkScript(b *testing.B) {
	decimal := func(name string, precision, scale int) column {
		return column{schema.Field{Name: name, Type: schema.Type{Kind: schema.Decimal, Precision: precision, Scale: scale}}, in("script", "$."+name)}
	}
	r := compile(b, Options{Records: []Records{rows(b, "",
		typed("id", schema.Int, in("script", "$.id")), text("name", in("script", "$.name")), decimal("price", 10, 2),
		typed("stock", schema.Int, in("script", "$.stock")), text("category", in("script", "$.category")), decimal("rating", 3, 2),
		text("title", css("title")),
	)}})
	p := page("<!doctype html><title>Bottle</title><script>let ready = true</script><script>window.STATE = " + product + ";</script>")
	b.SetBytes(int64(len(p.Body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Extract(p); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkListing is a listing of 100 items with a link each, 15 kB of HTML.
func BenchmarkListing(b *testing.B) {
	var body strings.Builder
	body.WriteString("<!doctype html><title>Listing</title><ul>")
	for i := range 100 {
		fmt.Fprintf(&body, "\n<li class=item><h2>Item %d</h2><a class=name href=\"/item/%d\">more</a><p class=score>%d.5</p></li>", i, i, i%10)
	}
	r := compile(b, Options{
		Records: []Records{rows(b, ".item", text("title", css("h2")), typed("score", schema.Real, css(".score")),
			typed("url", schema.URL, Source{CSS: "a.name", Attr: "href"}))},
		Follow: []Follow{{Source: css("a.name")}},
	})
	p := page(body.String())
	b.SetBytes(int64(len(p.Body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Extract(p); err != nil {
			b.Fatal(err)
		}
	}
}
