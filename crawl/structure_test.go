package crawl_test

import (
	"fmt"
	"strings"
	"testing"

	"dogear/crawl"
	"dogear/internal/practice"
	"dogear/state"
)

const orderJob = `
start: SITE/shop/orders?page={1..4}
rate: none
records:
  - table: orders
    each: .order
    key: no
    fields: {no: {css: .no, type: int}, placed: .placed@datetime, status: .status, total: {css: .total, type: "decimal(12,2)"}}
  - table: lines
    each: [.order, .line]
    key: [no, line]
    fields:
      no: {css: .no, up: 1, type: int}
      status: {css: .status, up: 1}
      line: {css: "@data-line", type: int}
      name: .name
      quantity: {css: .quantity, type: int}
      price: {css: .price, type: "decimal(12,2)"}
`

func TestOrdersAndTheirLinesAreTwoTables(t *testing.T) {
	b := newBench(t, practice.Options{Pages: 4}, orderJob)
	b.run(state.Finished, crawl.Options{})
	var orders, lines []string
	for n := int64(1); n <= 4*practice.OrderItems; n++ {
		o := practice.OrderAt(n)
		orders = append(orders, fmt.Sprintf("%d %s %s %s", o.ID, o.Placed, o.Status, o.Total))
		for i, l := range o.Lines {
			lines = append(lines, fmt.Sprintf("%d %s %d %s %d %s", o.ID, o.Status, i+1, l.Name, l.Quantity, l.Price))
		}
	}
	wantLines(t, orders, b.lines(`SELECT no || ' ' || placed || ' ' || status || ' ' || total FROM orders ORDER BY no`))
	wantLines(t, lines, b.lines(`SELECT no || ' ' || status || ' ' || line || ' ' || name || ' ' || quantity || ' ' || price FROM lines ORDER BY no, line`))
}

func TestAnItemIsReadFromItsElementsAndItsScripts(t *testing.T) {
	b := newBench(t, practice.Options{}, `
start: "SITE/shop/item/{1..40}"
rate: none
records:
  - table: items
    key: sku
    fields:
      sku: {css: "script#state", json: $.product.id, type: int}
      same: {css: script, json: $.sku, type: int}
      note: {css: "script:not([type])", json: $.note}
      price: {css: .price, take: own}
      description: {css: .description, take: html}
      tags: {css: .tag, join: "|"}
      listed: {css: "script#state", json: "$.product.tags[*]", join: "|"}
      score: {css: script, json: $.seller.score, type: "decimal(3,1)"}
  - table: tags
    each: {css: "script#state", json: "$.product.tags[*]"}
    fields: {tag: $}
`)
	b.run(state.Finished, crawl.Options{})
	var want, tags []string
	for id := int64(1); id <= 40; id++ {
		item := practice.ShopItemAt(id)
		joined := strings.Join(item.Tags, "|")
		want = append(want, fmt.Sprintf(`%d %d "};" ends nothing, nor does } or </script> %s %s %s %s`,
			item.SKU, item.SKU, item.Shown, item.Description, joined, joined))
		tags = append(tags, item.Tags...)
	}
	wantLines(t, want, b.lines(`SELECT sku || ' ' || same || ' ' || note || ' ' || price || ' ' || description || ' ' || tags || ' ' || listed FROM items ORDER BY sku`))
	wantLines(t, tags, b.lines(`SELECT tag FROM tags ORDER BY _task, _seq`))
	b.want("40", `SELECT count(score) FROM items`)
}

// The parameter of a start is NULL for the pages of another one, and goes on with the walk that it began.
func TestAParameterIsThatOfItsStart(t *testing.T) {
	b := newBench(t, practice.Options{Pages: 9}, `
start: [{url: "SITE/shop/list?page={first}", first: [4]}, "SITE/shop/list?page=1"]
rate: none
limits: {depth: 1}
records: {table: pages, fields: {url: {meta: url}, first: {meta: param.first, type: int}}}
next: a.next@href
`)
	b.run(state.Finished, crawl.Options{})
	wantLines(t, []string{"1 -", "2 -", "4 4", "5 4"},
		b.lines(`SELECT substr(url, -1) || ' ' || coalesce(first, '-') FROM pages ORDER BY url`))
}
