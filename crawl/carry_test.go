package crawl_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"dogear/crawl"
	"dogear/internal/practice"
	"dogear/state"
)

const shopJob = `
start: {url: SITE/shop/list, as: listing}
rate: none
pages:
  listing:
    next: a.next@href
    follow:
      each: .item
      css: a.name@href
      as: product
      carry:
        category: .category
        list_price: {css: .list-price, remove: "[¥]"}
        list: {meta: final_url}
        shop: {value: practice}
  product:
    records:
      table: products
      key: sku
      fields:
        sku: {css: "script#state", json: $.product.id, type: int}
        category: {meta: carry.category}
        list_price: {meta: carry.list_price, type: "decimal(10,2)", decimal: "."}
        shop: {meta: carry.shop}
        list: {meta: carry.list, type: url}
`

func TestAPageHasWhatOnlyItsLinkKnew(t *testing.T) {
	b := newBench(t, practice.Options{Pages: 3}, shopJob)
	b.run(state.Finished, crawl.Options{})
	var want []string
	for id := int64(1); id <= 30; id++ {
		item := practice.ShopItemAt(id)
		list := b.site.URL + "/shop/list"
		if page := (id-1)/practice.PageItems + 1; page > 1 {
			list = fmt.Sprintf("%s?page=%d", list, page)
		}
		price := replace(replace(item.ListPrice, "¥", ""), ",", "")
		want = append(want, fmt.Sprintf("%d %s %s practice %s", item.SKU, item.Category, price, list))
	}
	wantLines(t, want, b.lines(`SELECT sku || ' ' || category || ' ' || list_price || ' ' || shop || ' ' || list FROM products ORDER BY sku`))
	b.want("33", `SELECT count(*) FROM tasks`)
	b.want(`{"carry.category":"`+practice.ShopItemAt(1).Category+`","carry.list":"`+b.site.URL+`/shop/list","carry.list_price":"`+
		replace(practice.ShopItemAt(1).ListPrice, "¥", "")+`","carry.shop":"practice"}`,
		`SELECT carry FROM tasks WHERE url LIKE '%/item/1'`)
}

// categories is a site of categories, whose lists go on, whose items have parts.
func categories(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprint(w, map[string]string{
		"/":    `<h1>north</h1><p><b>Toys</b><a href=/t>all</a></p><p><b>Cars</b><a href=/c>all</a></p>`,
		"/t":   `<i><u>red</u><a href=/1>1</a></i><a class=next href=/t?2>next</a>`,
		"/t?2": `<i><u>blue</u><a href=/2>2</a></i>`,
		"/c":   `<i><u>green</u><a href=/1>1</a></i><i><a href=/3>3</a></i>`,
	}[r.RequestURI])
}

// What a category says of its lists goes on with each next page of a list, and from there to the items. An item that is
// on two lists is one task, and has what the first one said.
func TestTextsAreCarriedOverSeveralLevels(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(categories))
	defer site.Close()
	b := newBench(t, practice.Options{}, `
start: {url: "`+site.URL+`{path}", path: [/], as: home}
rate: none
concurrency: 1
pages:
  home:
    follow: {each: [html, p], css: a@href, as: list, carry: {name: b, shop: {css: h1, up: 1}}}
  list:
    next: a.next@href
    follow: {each: i, css: a@href, as: item, carry: {colour: u, category: {meta: carry.name}, shop: {meta: carry.shop}}}
  item:
    records: {table: items, fields: {url: {meta: url}, colour: {meta: carry.colour}, category: {meta: carry.category}, shop: {meta: carry.shop}}}
`)
	b.run(state.Finished, crawl.Options{})
	wantLines(t, []string{"/1 red Toys north", "/2 blue Toys north", "/3 - Cars north"},
		b.lines(`SELECT substr(url, `+fmt.Sprint(len(site.URL)+1)+`) || ' ' || coalesce(colour, '-') || ' ' || category || ' ' || shop FROM items ORDER BY url`))
}

func TestASecretInACarriedTextIsNotStored(t *testing.T) {
	t.Setenv("API_KEY", `hunter2"hunter2`)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<h1>key %s ${API_KEY}</h1><a href="/item">1</a>`, r.URL.Query().Get("key"))
	}))
	defer site.Close()
	b := newBench(t, practice.Options{}, `
start: {url: "`+site.URL+`/?key=${API_KEY}", as: list}
rate: none
pages:
  list: {follow: {css: a@href, as: item, carry: {title: h1, from: {meta: final_url}}}}
  item: {records: {table: items, fields: {title: {meta: carry.title}, from: {meta: carry.from}}}}
`)
	b.run(state.Finished, crawl.Options{})
	b.want("key ${API_KEY} ${API_KEY} "+site.URL+"/?key=${API_KEY}", `SELECT title, "from" FROM items`)
	b.wantHidden("hunter2")
}
