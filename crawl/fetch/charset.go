package fetch

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// text is a body as UTF-8, and how that came about; the fields are those of Page.
type text struct {
	body          []byte
	charset, from string
	replaced      int
}

// marks are the byte order marks (WHATWG Encoding, "BOM sniff").
var marks = []struct{ bytes, charset string }{
	{"\xef\xbb\xbf", "utf-8"},
	{"\xff\xfe", "utf-16le"},
	{"\xfe\xff", "utf-16be"},
}

// toUTF8 turns a body into UTF-8 if it is text. The charset is the first of these that is named and known: byte order
// mark, header, declaration in the page, the content itself. JSON declares none and is UTF-8 (RFC 8259), unless a mark
// or the header says otherwise. A charset that the job forces would come before all of them.
func toUTF8(contentType string, body []byte) text {
	format := formatOf(contentType, body)
	if format == notText {
		return text{body: body, from: "none"}
	}
	for _, m := range marks {
		if len(body) >= len(m.bytes) && string(body[:len(m.bytes)]) == m.bytes {
			return lookup(m.charset).decode(body[len(m.bytes):], "bom")
		}
	}
	if c := lookup(charsetParam(contentType)); c.known() {
		return c.decode(body, "header")
	}
	if c := lookup(declared(format, body)); c.known() {
		return c.decode(body, "meta")
	}
	return undeclared(format, body)
}

// undeclared decodes a body for which nothing names a charset.
func undeclared(format format, body []byte) text {
	switch {
	case format == jsonText || format == xmlText:
		return utf8Charset.decode(body, "default")
	case utf8.Valid(body):
		return text{body: body, charset: "utf-8", from: evidence(body)}
	}
	return lookup("windows-1252").decode(body, "default") // what browsers fall back to
}

// evidence: text that is UTF-8 is so by its content, unless it is plain ASCII, which shows nothing.
func evidence(body []byte) string {
	for _, c := range body {
		if c >= utf8.RuneSelf {
			return "content"
		}
	}
	return "default"
}

// named is an encoding under the name that a page shows for it.
type named struct {
	encoding encoding.Encoding
	name     string
}

var utf8Charset = named{unicode.UTF8, "utf-8"}

// lookup finds an encoding by any of the labels of the WHATWG Encoding standard; what it returns is not known if
// there is none. GB2312 and GBK are read as GB18030, their superset: pages that declare GB2312 use characters of
// GBK (webmagic #643), and browsers do the same.
func lookup(label string) named {
	label = strings.TrimSpace(label)
	if label == "" {
		return named{}
	}
	if strings.EqualFold(label, "utf-8") {
		return utf8Charset
	}
	e, name := charset.Lookup(label)
	switch name {
	case "gbk", "gb18030":
		return named{simplifiedchinese.GB18030, "gb18030"}
	case "utf-8":
		return utf8Charset
	case "replacement":
		return named{} // a guard for browsers, in which the whole page is one U+FFFD: any other source serves better
	}
	return named{e, name}
}

func (n named) known() bool { return n.encoding != nil }

// decode never fails: what is not of the charset becomes U+FFFD, and is counted.
func (n named) decode(body []byte, from string) text {
	t := text{body: body, charset: n.name, from: from}
	if n == utf8Charset && utf8.Valid(body) {
		return t
	}
	replacement := []byte("\uFFFD")
	t.body, _ = n.encoding.NewDecoder().Bytes(body)
	t.replaced = bytes.Count(t.body, replacement)
	if n == utf8Charset {
		t.replaced -= bytes.Count(body, replacement) // those were in the page
	}
	return t
}
