package practice

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
)

const gbkPrefix = "/gbk/"

// gbkText is on every item's page: the full stop and the digits of Chinese, and
// characters of GBK and GB18030 that a decoder of GB2312 does not know.
const gbkText = "正品保证，支持７天无理由退货。朱镕基、囍字、𠮷野家、㐂寿司。"

// gbk is a page of the site that says gb2312 in its meta element alone, as
// Chinese sites of its age do, and is written in more than that.
func (s *Site) gbk(dst []byte, u *url.URL) answer {
	path := u.Path[len(gbkPrefix):]
	if rest, ok := strings.CutPrefix(path, "item/"); ok {
		return s.gbkItem(dst, rest, u.Query())
	}
	if path != "list" {
		return missing(dst)
	}
	n, ok := s.listed(u.Query())
	if !ok {
		return missing(dst)
	}
	var b strings.Builder
	for i := range int64(PageItems) {
		item := GBKItemAt((n-1)*PageItems + i + 1)
		fmt.Fprintf(&b, "<li class=\"item\"><a class=\"name\" href=\"%s\">%s</a> ", item.Href, html.EscapeString(item.Name))
		fmt.Fprintf(&b, "<span class=\"price\">%s</span> <span class=\"date\">%s</span></li>\n", inGBK(item.Price), item.Date)
	}
	list := "<ul>\n" + b.String() + "</ul>\n"
	if n < s.o.Pages {
		list += fmt.Sprintf("<a class=\"next\" href=\"?page=%d\">下一页</a>\n", n+1)
	}
	return gbkAnswer(dst, fmt.Sprintf("商品列表 第 %d 页", n), list)
}

// gbkItem is the page at {id}, {id}?cat={category in GBK} or {category in
// UTF-8}/{id}. A category in other bytes is a page that is not there.
func (s *Site) gbkItem(dst []byte, rest string, q url.Values) answer {
	category, text, below := strings.Cut(rest, "/")
	if !below {
		category, text = "", rest
	}
	id, ok := number(text)
	if !ok || id > s.o.Pages*PageItems {
		return missing(dst)
	}
	item := GBKItemAt(id)
	if below && category != item.Category || q.Has("cat") && q.Get("cat") != gbk(item.Category) {
		return missing(dst)
	}
	name := html.EscapeString(item.Name)
	return gbkAnswer(dst, name, fmt.Sprintf("<h1>%s</h1>\n<p>价格 <span class=\"price\">%s</span></p>\n"+
		"<p>发布时间：<span class=\"date\">%s</span></p>\n<p class=\"category\">%s</p>\n<p class=\"text\">%s</p>\n",
		name, inGBK(item.Price), item.Date, item.Category, gbkText))
}

// inGBK writes ¥, which GBK has no place for, as its pages do.
func inGBK(price string) string { return strings.ReplaceAll(price, "¥", "&yen;") }

func gbkAnswer(dst []byte, title, body string) answer {
	page := "<!DOCTYPE html>\n<html><head><meta charset=gb2312><title>" + title + "</title></head>\n<body>\n" +
		body + "</body></html>\n"
	return answer{status: http.StatusOK, kind: contentType(""), body: append(dst, gbk(page)...)}
}
