package practice

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

const (
	pagePrefix   = "/page/"
	detailPrefix = "/detail/"

	// PageItems is how many items a listing page has: page N shows the
	// products from (N-1)*PageItems+1 on.
	PageItems = 10
)

const robotsText = "User-agent: *\nAllow: /\n"

const indexPage = `<!DOCTYPE html>
<html lang="zh"><head><meta charset="utf-8"><title>练习站 Practice site</title></head>
<body><h1>练习站 Practice site</h1><ul>
<li><a href="/list?page=1">商品列表 Listing</a></li>
<li><a href="/page/1">Page 1</a></li>
<li><a href="/detail/1">商品详情 Detail</a></li>
<li><a href="/v1/product/1">接口 API</a></li>
<li><a href="/v1/events">动态 Events</a></li>
<li><a href="/charset/gbk/meta">编码 Charsets</a></li>
<li><a href="/gbk/list?page=1">国标 GBK</a></li>
<li><a href="/shop/list?page=1">商店 Shop</a></li>
<li><a href="/shop/orders?page=1">订单 Orders</a></li>
<li><a href="/sitemap.xml">sitemap.xml</a></li>
<li><a href="/robots.txt">robots.txt</a></li>
</ul></body></html>
`

// The parts of a listing page that are the same on all of them.
var (
	listingHead = head()
	listingFoot = foot()
)

// list is a listing page by query: /list?page=3, or /list for the first.
func (s *Site) list(dst []byte, q url.Values) answer {
	if !q.Has("page") {
		return s.listing(dst, "1")
	}
	return s.listing(dst, q.Get("page"))
}

// listing is a listing page of about 12 KB, mostly filler, as real ones are.
func (s *Site) listing(b []byte, text string) answer {
	n, ok := number(text)
	if !ok || n > s.o.Pages {
		return missing(b)
	}
	b = append(b, "<!DOCTYPE html>\n<html lang=\"zh\">\n<head><meta charset=\"utf-8\"><title>商品列表 第 "...)
	b = strconv.AppendInt(b, n, 10)
	b = append(b, " 页 | Practice listing</title>\n"...)
	b = append(b, listingHead...)
	for i := range int64(PageItems) {
		b = appendItem(b, (n-1)*PageItems+i+1)
	}
	b = append(b, "</main>\n<nav class=\"pager\">"...)
	if n > 1 {
		b = appendPageLink(b, "prev", n-1, "上一页 Previous")
	}
	if n < s.o.Pages {
		b = appendPageLink(b, "next", n+1, "下一页 Next")
	}
	b = append(b, "</nav>\n"...)
	return answer{status: http.StatusOK, kind: kindHTML, body: append(b, listingFoot...)}
}

func appendItem(b []byte, id int64) []byte {
	b = append(b, "<article class=\"item\"><h2>"...)
	b = appendName(b, id, "&lt;", "&gt;")
	b = append(b, "</h2> <span class=\"price\">"...)
	b = appendShown(b, id)
	b = append(b, "</span> <span class=\"score\">"...)
	b = appendScore(b, id)
	b = append(b, "</span> <a class=\"name\" href=\""...)
	b = appendDetailPath(b, id)
	return append(b, "\">查看详情 Details</a></article>\n"...)
}

func appendPageLink(b []byte, class string, n int64, text string) []byte {
	b = append(append(b, "<a class=\""...), class...)
	b = strconv.AppendInt(append(b, "\" href=\"/page/"...), n, 10)
	b = append(append(b, "\">"...), text...)
	return append(b, "</a>"...)
}

// head is the style, the menu and the side bar: no .item, no .next, no .name
// in them, so that a selector finds only what it should.
func head() string {
	var b strings.Builder
	b.WriteString("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<style>\n")
	for i := range 28 {
		n := strconv.Itoa(i)
		b.WriteString(".grid-" + n + " > .cell { margin: 0 " + n + "px 1rem; padding: .5rem; border-radius: 4px; flex: 1 1 auto }\n")
	}
	b.WriteString("</style></head>\n<body>\n<header><a class=\"logo\" href=\"/\">练习站 Practice</a>\n<ul class=\"menu\">\n")
	for i, k := range kinds {
		b.WriteString("<li class=\"menu-entry\"><a href=\"#c" + strconv.Itoa(i) + "\" title=\"" + k.category + "\">" + k.category + " / " + k.name + "</a></li>\n")
	}
	b.WriteString("</ul></header>\n<main class=\"grid-1\">\n")
	return b.String()
}

// foot is news, a script that quotes markup (as real pages do) and the small print.
func foot() string {
	var b strings.Builder
	b.WriteString("<aside class=\"news\">\n")
	for i := range 28 {
		n := strconv.Itoa(i + 1)
		b.WriteString("<p id=\"news-" + n + "\"><strong>公告 " + n + "</strong> 全场包邮，七天无理由退货。 Free shipping on all orders over ¥" +
			n + "99, see the conditions of sale for details.</p>\n")
	}
	b.WriteString("</aside>\n<script>var tpl = '<div class=\"card\"><b>{{title}}</b></div>'; window.practice = {v: 1};</script>\n")
	b.WriteString("<footer>© 练习站 Practice site. 本站商品均为虚构。 Nothing here is for sale.</footer>\n</body></html>\n")
	return b.String()
}
