package practice

import (
	"net/http"
	"strconv"
)

const productPrefix = "/v1/product/"

// Product is what the site says of one id, as text exactly as it stands on the
// page: what a test compares records with.
type Product struct {
	ID       int64
	Name     string // with < and > when ID%5 == 3
	Price    string // two decimals: 7999.00
	Shown    string // the price as listing and detail show it: ¥7,999.00
	Stock    int64
	Category string
	Rating   string // two decimals; 5.37 (more than the 5 it should be) when ID%10 == 7; "" (null) when ID%25 == 0
	Score    string // one decimal, 0 to 10, on listing and detail
	Tags     []string
	Updated  string // 2025-03-07T08:15:00+08:00
	URL      string // relative: /detail/7
}

// ProductAt returns the product with this id, which is the same at any time in
// any process.
func ProductAt(id int64) Product {
	k := kindOf(id)
	return Product{
		ID: id, Name: string(appendName(nil, id, "<", ">")),
		Price: string(appendPrice(nil, id)), Shown: string(appendShown(nil, id)),
		Stock: stock(id), Category: k.category,
		Rating: string(appendRating(nil, id)), Score: string(appendScore(nil, id)),
		Tags: tagsOf(id), Updated: string(appendUpdated(nil, id)),
		URL: string(appendDetailPath(nil, id)),
	}
}

// ProductJSON returns the body of /v1/product/{id}.
func ProductJSON(id int64) []byte { return appendProduct(nil, id) }

func (s *Site) product(dst []byte, text string) answer {
	id, ok := number(text)
	if !ok || s.o.Products > 0 && id > s.o.Products {
		return answer{status: http.StatusNotFound, kind: kindJSON, body: append(dst, `{"error":"no such product","code":404}`...)}
	}
	return answer{status: http.StatusOK, kind: kindJSON, body: appendProduct(dst, id)}
}

// appendProduct writes the JSON by hand: encoding/json would cost more than
// the rest of the handler. No text of ours needs escaping.
func appendProduct(b []byte, id int64) []byte {
	b = append(b, `{"id":`...)
	b = strconv.AppendInt(b, id, 10)
	b = append(b, `,"name":"`...)
	b = appendName(b, id, "<", ">")
	b = append(b, `","price":`...)
	b = appendPrice(b, id)
	b = append(b, `,"stock":`...)
	b = strconv.AppendInt(b, stock(id), 10)
	b = append(b, `,"category":"`...)
	b = append(b, kindOf(id).category...)
	b = append(b, `","rating":`...)
	if noRating(id) {
		b = append(b, "null"...)
	} else {
		b = appendRating(b, id)
	}
	b = append(b, `,"tags":["`...)
	for i, tag := range tagsOf(id) {
		if i > 0 {
			b = append(b, `","`...)
		}
		b = append(b, tag...)
	}
	b = append(b, `"],"updated":"`...)
	b = appendUpdated(b, id)
	b = append(b, `","url":"`...)
	b = appendDetailPath(b, id)
	return append(b, `"}`...)
}
