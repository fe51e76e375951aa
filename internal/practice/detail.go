package practice

import (
	"net/http"
	"strconv"
)

// detail is the page of one product: 1..Pages*PageItems are there. It links
// back to its listing page and to its two neighbours; the first and the last
// are neighbours of each other, so every page has both.
func (s *Site) detail(b []byte, text string) answer {
	id, ok := number(text)
	last := s.o.Pages * PageItems
	if !ok || id > last {
		return missing(b)
	}
	b = append(b, "<!DOCTYPE html>\n<html lang=\"zh\">\n<head><meta charset=\"utf-8\"><title>"...)
	b = appendName(b, id, "&lt;", "&gt;")
	b = append(b, " | Practice</title></head>\n<body>\n<nav class=\"path\"><a href=\"/\">首页 Home</a> "...)
	b = appendPageLink(b, "back", (id-1)/PageItems+1, "返回列表 Back to the listing")
	b = append(b, "</nav>\n<main class=\"product\"><h1>"...)
	b = appendName(b, id, "&lt;", "&gt;")
	b = append(b, "</h1>\n<span class=\"price\">"...)
	b = appendShown(b, id)
	b = append(b, "</span> <span class=\"score\">"...)
	b = appendScore(b, id)
	b = append(b, "</span>\n"...)
	b = appendDescription(b, id)
	b = append(b, "</main>\n<nav class=\"near\">"...)
	b = appendNeighbour(b, "before", (id-2+last)%last+1)
	b = appendNeighbour(b, "after", id%last+1)
	return answer{status: http.StatusOK, kind: kindHTML, body: append(b, "</nav>\n</body></html>\n"...)}
}

func appendDescription(b []byte, id int64) []byte {
	k := kindOf(id)
	b = append(b, "<div class=\"description\"><p>"...)
	b = append(b, k.name...)
	b = append(b, "，"...)
	b = append(b, k.category...)
	b = append(b, "类精选商品，库存 "...)
	b = strconv.AppendInt(b, stock(id), 10)
	b = append(b, " 件。</p><p>A practice product. It looks like a real one, and nobody sells it.</p><ul>"...)
	for _, tag := range tagsOf(id) {
		b = append(append(append(b, "<li>"...), tag...), "</li>"...)
	}
	return append(b, "</ul></div>\n"...)
}

func appendNeighbour(b []byte, class string, id int64) []byte {
	b = append(append(b, "<a class=\""...), class...)
	b = appendDetailPath(append(b, "\" href=\""...), id)
	b = append(b, "\">"...)
	b = appendName(b, id, "&lt;", "&gt;")
	return append(b, "</a>"...)
}
