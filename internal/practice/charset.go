package practice

import (
	"fmt"
	"net/http"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

const charsetPrefix = "/charset/"

// CommonTitle is written with characters that GBK, GB2312 and Big5 all have:
// the h2 of those three pages, and of the UTF-8 ones, is the same text in
// different bytes.
const CommonTitle = "古今大小事，天地一家春"

// CharsetText is what a charset page says once it is decoded as it should be.
type CharsetText struct {
	Title  string // h1
	Common string // h2: CommonTitle, or "" when the charset can't write it
	Price  string // .price
	Body   string // p.text
}

// charset is one encoding: its label in declarations, one that it is not, and
// the encoder.
type charset struct {
	name, label, wrong string
	bom                string
	enc                encoding.Encoding
	text               CharsetText
}

// gb2312 is declared by pages that were written with GBK: its text has two
// characters (镕, 囍) that GB2312 itself lacks, as colly #777 and webmagic #643
// met them. No price has U+00A5: Shift_JIS and GBK have no place of their own for it.
var charsets = []charset{
	{"gbk", "gbk", "iso-8859-1", "", simplifiedchinese.GBK, CharsetText{"简体中文商品页", CommonTitle, "￥7,999.00", "编码测试：华为手机，旗舰版，朱镕基，囍"}},
	{"gb2312", "gb2312", "iso-8859-1", "", simplifiedchinese.GBK, CharsetText{"国标编码网页", CommonTitle, "￥1,234.50", "声明是国标，内容有扩展字：朱镕基，囍"}},
	{"big5", "big5", "iso-8859-1", "", traditionalchinese.Big5, CharsetText{"繁體中文商品頁", CommonTitle, "NT$7,999", "許功蓋的編碼測試，臺灣網頁"}},
	{"shift_jis", "shift_jis", "iso-8859-1", "", japanese.ShiftJIS, CharsetText{"日本語の商品ページ", "", "￥1,980", "ソニーのカメラ、表示能力のテスト。ﾊﾝｶｸ"}},
	{"windows-1252", "windows-1252", "utf-8", "", charmap.Windows1252, CharsetText{"Crème brûlée d’été", "", "7\u00a0999,00\u00a0€", "« Où est l’œuvre ? » – à Noël, garçon…"}},
	{"utf-8-bom", "utf-8", "gbk", "\ufeff", unicode.UTF8, CharsetText{"带标记的网页 BOM", CommonTitle, "¥7,999.00", "简体、繁體、日本語、français, emoji 📖"}},
	{"utf-8", "utf-8", "gbk", "", unicode.UTF8, CharsetText{"万国码网页 Unicode", CommonTitle, "¥7,999.00", "简体、繁體、日本語、français, emoji 📖"}},
}

// Charsets returns the names that /charset/{name}/… knows.
func Charsets() []string {
	names := make([]string, len(charsets))
	for i, c := range charsets {
		names[i] = c.name
	}
	return names
}

// TextOf returns what the page of a charset says; false if there is none of
// that name.
func TextOf(name string) (CharsetText, bool) {
	for _, c := range charsets {
		if c.name == name {
			return c.text, true
		}
	}
	return CharsetText{}, false
}

// declared says which charset the header and the meta element declare ("" for
// none). The two lies have the truth in the other place.
func (c charset) declared(how string) (header, meta string, ok bool) {
	switch how {
	case "meta":
		return "", c.label, true
	case "header":
		return c.label, "", true
	case "both":
		return c.label, c.label, true
	case "none":
		return "", "", true
	case "meta-lies":
		return c.label, c.wrong, true
	case "header-lies":
		return c.wrong, c.label, true
	}
	return "", "", false
}

// charsetPage is the page at {name}/{how}.
func charsetPage(dst []byte, rest string) answer {
	name, how, _ := strings.Cut(rest, "/")
	for _, c := range charsets {
		header, meta, ok := c.declared(how)
		if c.name != name || !ok {
			continue
		}
		body, err := c.enc.NewEncoder().String(c.bom + c.html(meta))
		if err != nil {
			return answer{status: http.StatusInternalServerError, kind: kindText, body: fmt.Appendf(dst, "write %s: %v", name, err)}
		}
		return answer{status: http.StatusOK, kind: contentType(header), body: append(dst, body...)}
	}
	return missing(dst)
}

func contentType(charset string) []string {
	if charset == "" {
		return []string{"text/html"}
	}
	return []string{"text/html; charset=" + charset}
}

func (c charset) html(meta string) string {
	if meta != "" {
		meta = `<meta http-equiv="Content-Type" content="text/html; charset=` + meta + `">`
	}
	return "<!DOCTYPE html>\n<html><head>" + meta + "<title>" + c.text.Title + "</title></head>\n<body><h1>" +
		c.text.Title + "</h1>\n<h2>" + c.text.Common + "</h2>\n<span class=\"price\">" + c.text.Price +
		"</span>\n<p class=\"text\">" + c.text.Body + "</p>\n</body></html>\n"
}
