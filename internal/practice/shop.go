package practice

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
)

const shopPrefix = "/shop/"

// shop is a page of the shop, whose pages have more structure than one record
// each of flat fields.
func (s *Site) shop(dst []byte, u *url.URL) answer {
	path := u.Path[len(shopPrefix):]
	if text, ok := strings.CutPrefix(path, "item/"); ok {
		return s.shopItem(dst, text)
	}
	n, ok := s.listed(u.Query())
	switch {
	case !ok:
	case path == "list":
		return s.shopList(dst, n)
	case path == "orders":
		return s.orders(dst, n)
	}
	return missing(dst)
}

// listed returns the page of a listing that a query asks for, the first when
// it asks for none; false when it is not there.
func (s *Site) listed(q url.Values) (int64, bool) {
	if !q.Has("page") {
		return 1, true
	}
	n, ok := number(q.Get("page"))
	return n, ok && n <= s.o.Pages
}

func (s *Site) shopItem(dst []byte, text string) answer {
	id, ok := number(text)
	if !ok || id > s.o.Pages*PageItems {
		return missing(dst)
	}
	b, err := appendItemPage(dst, ShopItemAt(id))
	if err != nil {
		return answer{status: http.StatusInternalServerError, kind: kindText, body: append(dst, err.Error()...)}
	}
	return answer{status: http.StatusOK, kind: kindHTML, body: b}
}

// shopList is where an item's category and list price stand, and nowhere else.
func (s *Site) shopList(b []byte, n int64) answer {
	b = appendShopHead(b, "商品 Items")
	for i := range int64(PageItems) {
		item := ShopItemAt((n-1)*PageItems + i + 1)
		b = append(b, "<div class=\"item\"><span class=\"category\">"+item.Category+"</span> "...)
		b = fmt.Appendf(b, "<a class=\"name\" href=\"%s\">%s</a> ", item.URL, html.EscapeString(item.Name))
		b = append(b, "<span class=\"list-price\">"+item.ListPrice+"</span></div>\n"...)
	}
	return s.shopFoot(b, "list", n)
}

func (s *Site) orders(b []byte, n int64) answer {
	b = appendShopHead(b, "订单 Orders")
	for i := range int64(OrderItems) {
		b = appendOrder(b, OrderAt((n-1)*OrderItems+i+1))
	}
	return s.shopFoot(b, "orders", n)
}

func appendShopHead(b []byte, title string) []byte {
	b = append(b, "<!DOCTYPE html>\n<html lang=\"zh\">\n<head><meta charset=\"utf-8\"><title>"...)
	return append(b, title+" | Practice shop</title></head>\n<body>\n"...)
}

// shopFoot ends page n of a listing with the link to the next, if there is one.
func (s *Site) shopFoot(b []byte, list string, n int64) answer {
	if n < s.o.Pages {
		b = fmt.Appendf(b, "<a class=\"next\" href=\"%s%s?page=%d\">下一页 Next</a>\n", shopPrefix, list, n+1)
	}
	return answer{status: http.StatusOK, kind: kindHTML, body: append(b, "</body></html>\n"...)}
}
