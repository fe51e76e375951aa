package practice

import (
	"fmt"
	"html"
)

// OrderItems is how many orders a page of the shop's orders has.
const OrderItems = 5

// Order is one order of the shop, text exactly as it stands on the page.
type Order struct {
	ID     int64  // over 2^53
	Placed string // 2025-03-07T08:15:00+08:00
	Status string
	Total  string // the sum of its lines, two decimals
	Lines  []OrderLine
}

// OrderLine is one line of an order.
type OrderLine struct {
	Item     int64 // the shop's item, which is there on a site with as many pages as the order needs
	Name     string
	Quantity int64
	Price    string // of one, two decimals
}

var orderStates = []string{"待付款", "已发货", "已完成", "已取消 cancelled"}

// OrderAt returns the n-th order, counted from 1: page N has the orders from
// (N-1)*OrderItems+1 on. It has 1 to 4 lines, each tenth has none.
func OrderAt(n int64) Order {
	o := Order{
		ID: 20260204000000000 + n, Placed: string(appendUpdated(nil, n)),
		Status: orderStates[pick(n, 14, len(orderStates))],
	}
	count, total := 1+pick(n, 15, 4), int64(0)
	if n%10 == 0 {
		count = 0
	}
	for i := range count {
		item := int64(spread(n, uint64(20+i))%uint64(n*PageItems/OrderItems)) + 1
		quantity := int64(pick(n, uint64(30+i), 9)) + 1
		total += quantity * cents(item)
		o.Lines = append(o.Lines, OrderLine{item, ProductAt(item).Name, quantity, string(appendPrice(nil, item))})
	}
	o.Total = string(appendAmount(nil, total))
	return o
}

func appendOrder(b []byte, o Order) []byte {
	b = fmt.Appendf(b, "<section class=\"order\" id=\"order-%[1]d\" data-id=\"%[1]d\">", o.ID)
	b = fmt.Appendf(b, "<h2>订单 <span class=\"no\">%d</span></h2>\n", o.ID)
	b = fmt.Appendf(b, "<time class=\"placed\" datetime=\"%s\">%s</time> <span class=\"status\">%s</span>\n",
		o.Placed, o.Placed[:len("2025-03-07")], o.Status)
	b = append(b, "<ol class=\"lines\">\n"...)
	for i, l := range o.Lines {
		b = fmt.Appendf(b, "<li class=\"line\" data-line=\"%d\"><a class=\"name\" href=\"%sitem/%d\">%s</a>"+
			" <span class=\"quantity\">%d</span> × <span class=\"price\">%s</span></li>\n",
			i+1, shopPrefix, l.Item, html.EscapeString(l.Name), l.Quantity, l.Price)
	}
	return append(b, "</ol>\n合计 <b class=\"total\">"+o.Total+"</b></section>\n"...)
}
