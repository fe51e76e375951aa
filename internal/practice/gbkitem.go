package practice

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/simplifiedchinese"
)

// GBKItem is what the GBK site says of one id, decoded.
type GBKItem struct {
	ID       int64
	Name     string // ends with a character that GB2312 lacks
	Price    string // as people write it: ￥7,999.00, 1.2万, １２３．５, ¥7,999.00, 人民币 7999.00 元
	Amount   string // what Price means, two decimals
	Date     string // 2026年2月4日 14:30
	Local    string // what Date means, 2026-02-04T14:30:00; the page names no zone
	Category string
	Href     string // the link as it stands in the listing, relative to it
	Path     string // what a browser asks for when it follows Href
}

var (
	// rare are two characters that GBK has and GB2312 has not, and two that
	// need four bytes of GB18030.
	rare          = []string{"镕", "囍", "𠮷", "㐂"}
	gbkCategories = []string{"手机通讯", "图书：朱镕基讲话", "婚庆囍字", "家用电器"}
)

// GBKItemAt returns the item with this id.
func GBKItemAt(id int64) GBKItem {
	item := GBKItem{
		ID: id, Name: ProductAt(id).Name + " " + rare[id%int64(len(rare))],
		Category: gbkCategories[pick(id, 10, len(gbkCategories))],
	}
	item.Price, item.Amount = gbkPrice(id)
	item.Date, item.Local = gbkDate(id)
	item.Href, item.Path = gbkLink(id, item.Category)
	return item
}

// gbkPrice returns a price in one of five manners, and what it means.
func gbkPrice(id int64) (shown, amount string) {
	amount = string(appendPrice(nil, id))
	switch id % 5 {
	case 0:
		return "￥" + string(appendGrouped(nil, cents(id))), amount
	case 1:
		n := pick(id, 11, 999) + 1
		return fmt.Sprintf("%d.%d万", n/10, n%10), fmt.Sprintf("%d.00", n*1000)
	case 2:
		n := pick(id, 12, 99_999) + 1
		return wide(fmt.Sprintf("%d.%d", n/10, n%10)), fmt.Sprintf("%d.%d0", n/10, n%10)
	case 3:
		return string(appendShown(nil, id)), amount
	}
	return "人民币 " + amount + " 元", amount
}

// wide writes ASCII in its full-width forms.
func wide(s string) string {
	return strings.Map(func(r rune) rune { return r - '!' + '！' }, s)
}

func gbkDate(id int64) (shown, local string) {
	n := spread(id, 13)
	month, day, hour, minute := n%12+1, n>>8%28+1, n>>16%24, n>>24%60
	return fmt.Sprintf("2026年%d月%d日 %02d:%02d", month, day, hour, minute),
		fmt.Sprintf("2026-%02d-%02dT%02d:%02d:00", month, day, hour, minute)
}

// gbkLink returns a link in one of four manners. By the URL standard
// (https://url.spec.whatwg.org) a raw query is sent in the page's charset, a
// raw path in UTF-8 whatever the charset, and what the author encoded stays.
func gbkLink(id int64, category string) (href, path string) {
	n := strconv.FormatInt(id, 10)
	switch id % 4 {
	case 0:
		return "item/" + n + "?cat=" + category, gbkPrefix + "item/" + n + "?cat=" + escapeHigh(gbk(category))
	case 1:
		href = "item/" + n + "?cat=" + escapeAll(gbk(category))
	case 2:
		return "item/" + category + "/" + n, gbkPrefix + "item/" + url.PathEscape(category) + "/" + n
	case 3:
		href = "item/" + url.PathEscape(category) + "/" + n
	}
	return href, gbkPrefix + href
}

// gbk returns text in GBK's bytes, those of GB18030 for what GBK lacks.
func gbk(text string) string {
	b, err := simplifiedchinese.GB18030.NewEncoder().String(text)
	if err != nil {
		return err.Error() // never: GB18030 can write all there is
	}
	return b
}

// escapeHigh percent-encodes what is not ASCII, as browsers do: the second
// byte of 镕 in GBK is an F, and stays one.
func escapeHigh(s string) string { return escape(s, 0x80) }

// escapeAll percent-encodes every byte.
func escapeAll(s string) string { return escape(s, 0) }

func escape(s string, from byte) string {
	var b strings.Builder
	for i := range len(s) {
		if s[i] < from {
			b.WriteByte(s[i])
		} else {
			fmt.Fprintf(&b, "%%%02X", s[i])
		}
	}
	return b.String()
}
