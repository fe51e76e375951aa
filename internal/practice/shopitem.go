package practice

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"
)

// ShopItem is what the shop says of one id: the product of that id, and more.
// Category and ListPrice stand only on the listing.
type ShopItem struct {
	Product            // URL: /shop/item/7
	SKU         int64  // odd and over 2^53, so no float64
	ListPrice   string // as the listing shows it: ¥8,999.00
	Description string // the inner HTML of .description
}

// ShopItemAt returns the item with this id.
func ShopItemAt(id int64) ShopItem {
	p := ProductAt(id)
	p.URL = fmt.Sprintf("%sitem/%d", shopPrefix, id)
	var b strings.Builder
	fmt.Fprintf(&b, "<p>%s，<b>%s</b>，库存 <i>%d</i> 件。</p><p>Made &amp; packed with care, 5 &lt; 10.</p><ul>",
		kindOf(id).name, editions[pick(id, 4, len(editions))], p.Stock)
	for _, tag := range p.Tags {
		b.WriteString("<li>" + tag + "</li>")
	}
	return ShopItem{
		Product: p, SKU: 1<<53 + 2*id - 1, Description: b.String() + "</ul>",
		ListPrice: "¥" + string(appendGrouped(nil, cents(id)+100_000)),
	}
}

// state is the JSON of script#state.
type state struct {
	Product stateProduct `json:"product"`
	Seller  stateSeller  `json:"seller"`
}

type stateProduct struct {
	ID    int64       `json:"id"` // SKU
	Name  string      `json:"name"`
	Price json.Number `json:"price"`
	Stock int64       `json:"stock"`
	Tags  []string    `json:"tags"`
}

type stateSeller struct {
	Name  string      `json:"name"`
	Score json.Number `json:"score"`
}

// windowState is the JSON that is assigned to window.__STATE__. Note is what a
// search for the end of it stumbles over.
type windowState struct {
	SKU     int64       `json:"sku"`
	Price   json.Number `json:"price"`
	Updated string      `json:"updated"`
	Note    string      `json:"note"`
}

const stateNote = `"};" ends nothing, nor does } or </script>`

// appendItemPage writes the page of an item.
func appendItemPage(b []byte, item ShopItem) ([]byte, error) {
	island, err := json.Marshal(state{
		Product: stateProduct{item.SKU, item.Name, json.Number(item.Price), item.Stock, item.Tags},
		Seller:  stateSeller{"练习旗舰店 Practice", json.Number(item.Score)},
	})
	if err != nil {
		return b, err
	}
	window, err := json.Marshal(windowState{item.SKU, json.Number(item.Price), item.Updated, stateNote})
	if err != nil {
		return b, err
	}
	name := html.EscapeString(item.Name)
	b = appendShopHead(b, name)
	b = fmt.Appendf(b, "<script type=\"application/json\" id=\"state\">%s</script>\n", island)
	b = fmt.Appendf(b, "<script>window.__STATE__ = %s;\nwindow.ready = {shown: true};</script>\n", window)
	b = fmt.Appendf(b, "<article class=\"product\" data-sku=\"%d\" data-stock=\"%d\">\n", item.SKU, item.Stock)
	b = append(b, "<h1>"+name+"</h1>\n<meta itemprop=\"price\" content=\""+item.Price+"\">\n"...)
	b = append(b, "<p class=\"price\"><b>现价</b> "+item.Shown+" <small>含税包邮</small></p>\n"...)
	b = append(b, "<time class=\"updated\" datetime=\""+item.Updated+"\">最近更新</time>\n<ul class=\"tags\">"...)
	for _, tag := range item.Tags {
		b = append(b, "<li class=\"tag\">"+tag+"</li>"...)
	}
	b = append(b, "</ul>\n<div class=\"description\">"+item.Description+"</div>\n"...)
	return append(b, "</article>\n</body></html>\n"...), nil
}
