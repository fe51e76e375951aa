package practice

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

func TestShopListingHasWhatItsItemsDoNotSay(t *testing.T) {
	s, id := New(Options{Pages: 3}), int64(0)
	for uri := "/shop/list"; uri != ""; {
		d := parsed(t, s, uri)
		d.Find(".item").Each(func(_ int, item *goquery.Selection) {
			id++
			want := ShopItemAt(id)
			href := item.Find("a.name").AttrOr("href", "")
			if item.Find(".name").Text() != want.Name || item.Find(".category").Text() != want.Category ||
				item.Find(".list-price").Text() != want.ListPrice || href != want.URL {
				t.Errorf("item %d is %q, want %+v", id, item.Text(), want)
			}
			page := recorded(s, href).Body.String()
			if strings.Contains(page, want.Category) || strings.Contains(page, want.ListPrice) {
				t.Errorf("the page of item %d has its category or list price", id)
			}
		})
		uri = d.Find("a.next").AttrOr("href", "")
	}
	if id != 3*PageItems {
		t.Errorf("%d items", id)
	}
}

func TestShopItemIsWhatShopItemAtSays(t *testing.T) {
	s := New(Options{})
	for id := int64(1); id <= 100; id++ {
		want := ShopItemAt(id)
		d := parsed(t, s, want.URL)
		description, err := d.Find(".description").Html()
		if err != nil || description != want.Description || !strings.Contains(description, "&amp;") {
			t.Errorf("item %d: %v %q, want %q", id, err, description, want.Description)
		}
		tags := d.Find(".tag").Map(func(_ int, tag *goquery.Selection) string { return tag.Text() })
		own := strings.TrimSpace(d.Find("p.price").Contents().Not("*").Text())
		if d.Find("h1").Text() != want.Name || strings.Join(tags, "|") != strings.Join(want.Tags, "|") || own != want.Shown ||
			!strings.Contains(d.Find("p.price").Text(), "现价") {
			t.Errorf("item %d says %q, want %+v", id, d.Find("article").Text(), want)
		}
		sku := strconv.FormatInt(want.SKU, 10)
		product := d.Find(".product")
		if product.AttrOr("data-sku", "") != sku || product.AttrOr("data-stock", "") != strconv.FormatInt(want.Stock, 10) ||
			d.Find("meta[itemprop=price]").AttrOr("content", "") != want.Price ||
			d.Find("time").AttrOr("datetime", "") != want.Updated {
			h, _ := d.Html()
			t.Errorf("item %d: %s", id, h)
		}
	}
}

// wireState is either JSON of an item's page, with its numbers as they stand.
type wireState struct {
	Product struct {
		ID, Price json.Number
		Name      string
		Stock     int64
		Tags      []string
	}
	Seller        struct{ Score json.Number }
	SKU, Price    json.Number
	Updated, Note string
}

func TestShopItemHasItsStateInScripts(t *testing.T) {
	s := New(Options{})
	for id := int64(1); id <= 100; id++ {
		want := ShopItemAt(id)
		sku := strconv.FormatInt(want.SKU, 10)
		d := parsed(t, s, want.URL)
		var island, window wireState
		if err := json.Unmarshal([]byte(d.Find(`script[type="application/json"]#state`).Text()), &island); err != nil {
			t.Fatal(err)
		}
		p := island.Product
		if p.ID.String() != sku || p.Price.String() != want.Price || p.Name != want.Name || p.Stock != want.Stock ||
			strings.Join(p.Tags, "|") != strings.Join(want.Tags, "|") || island.Seller.Score.String() != want.Score {
			t.Errorf("item %d: %+v, want %+v", id, island, want)
		}
		_, text, found := strings.Cut(d.Find("script:not([type])").Text(), "window.__STATE__ = ")
		if err := json.NewDecoder(strings.NewReader(text)).Decode(&window); err != nil || !found {
			t.Fatal(err)
		}
		if window.SKU.String() != sku || window.Price.String() != want.Price || window.Updated != want.Updated ||
			window.Note != stateNote {
			t.Errorf("item %d: %+v, want %+v", id, window, want)
		}
		if int64(float64(want.SKU)) == want.SKU {
			t.Errorf("a float64 holds %s", sku)
		}
	}
}

func TestShopOrdersHaveTheirLinesInThem(t *testing.T) {
	s, n, without := New(Options{Pages: 4}), int64(0), 0
	for uri := "/shop/orders?page=1"; uri != ""; {
		d := parsed(t, s, uri)
		if d.Find(".order").Length() != OrderItems || d.Find(".order .line").Length() != d.Find(".line").Length() {
			t.Fatalf("%s: %d orders", uri, d.Find(".order").Length())
		}
		d.Find(".order").Each(func(_ int, order *goquery.Selection) {
			n++
			checkOrder(t, s, order, OrderAt(n))
			if order.Find(".line").Length() == 0 {
				without++
			}
		})
		uri = d.Find("a.next").AttrOr("href", "")
	}
	if n != 4*OrderItems || without != 2 {
		t.Errorf("%d orders, %d without lines", n, without)
	}
}

func checkOrder(t *testing.T, s *Site, order *goquery.Selection, want Order) {
	t.Helper()
	id, total := strconv.FormatInt(want.ID, 10), int64(0)
	if order.AttrOr("id", "") != "order-"+id || order.AttrOr("data-id", "") != id || order.Find(".no").Text() != id ||
		order.Find(".placed").AttrOr("datetime", "") != want.Placed || order.Find(".status").Text() != want.Status ||
		order.Find(".total").Text() != want.Total || order.Find(".line").Length() != len(want.Lines) {
		t.Errorf("it says %q, want %+v", order.Text(), want)
	}
	order.Find(".line").Each(func(i int, line *goquery.Selection) {
		l := want.Lines[i]
		href := line.Find("a.name").AttrOr("href", "")
		if href != ShopItemAt(l.Item).URL || line.Find(".name").Text() != l.Name || line.Find(".price").Text() != l.Price ||
			line.Find(".quantity").Text() != strconv.FormatInt(l.Quantity, 10) {
			t.Errorf("line %d says %q, want %+v", i, line.Text(), l)
		}
		if w := recorded(s, href); w.Code != http.StatusOK {
			t.Errorf("%s: %d", href, w.Code)
		}
		total += l.Quantity * cents(l.Item)
	})
	if string(appendAmount(nil, total)) != want.Total {
		t.Errorf("order %s: the lines sum up to %d", id, total)
	}
}

func TestShopPagesThatAreNotThere(t *testing.T) {
	s := New(Options{Pages: 2})
	for _, uri := range []string{
		"/shop/", "/shop/item/", "/shop/item/21", "/shop/item/x", "/shop/list?page=3", "/shop/list?page=",
		"/shop/orders?page=0", "/shop/carts",
	} {
		if w := recorded(s, uri); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", uri, w.Code)
		}
	}
}
