package fetch

import (
	"bytes"
	"net/http"
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

// format is what a body is written in, as far as the search for its charset needs to know.
type format uint8

const (
	notText format = iota
	plainText
	jsonText
	xmlText
	htmlText
)

// formatOf goes by the Content-Type, and by the body where the server did not know: no type, or the one that means
// "some bytes".
func formatOf(contentType string, body []byte) format {
	media, _, _ := strings.Cut(contentType, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	if media == "" || media == "application/octet-stream" || !strings.Contains(media, "/") {
		media = http.DetectContentType(body)
	}
	switch {
	case strings.Contains(media, "json"):
		return jsonText
	case strings.Contains(media, "html"): // before xml: XHTML has a meta too
		return htmlText
	case strings.Contains(media, "xml"):
		return xmlText
	case strings.HasPrefix(media, "text/"), strings.Contains(media, "javascript"), strings.Contains(media, "ecmascript"):
		return plainText
	}
	return notText
}

// charsetParam finds the charset in a Content-Type, as browsers do for that of a meta element (WHATWG HTML,
// "extracting a character encoding from a meta element"): it reads what mime.ParseMediaType refuses, such as
// "text/html charset=gbk", and allocates nothing.
func charsetParam(s string) string {
	const key = "charset"
	for i := 0; i+len(key) <= len(s); i++ {
		if !strings.EqualFold(s[i:i+len(key)], key) {
			continue
		}
		value, ok := strings.CutPrefix(strings.TrimLeft(s[i+len(key):], " \t\n\f\r"), "=")
		if !ok {
			continue
		}
		value = strings.TrimLeft(value, " \t\n\f\r")
		if value != "" && (value[0] == '"' || value[0] == '\'') {
			value, _, _ = strings.Cut(value[1:], value[:1])
			return value
		}
		if end := strings.IndexAny(value, "; \t\n\f\r,"); end >= 0 {
			value = value[:end]
		}
		return value
	}
	return ""
}

// declaredWithin is how much of a page is searched for a declaration. The standard says 1024 bytes, but pages have
// scripts before it, and browsers look further.
const declaredWithin = 16 << 10

// declared returns the label of the charset that a page itself declares, "" if none that is known.
func declared(format format, body []byte) string {
	body = body[:min(len(body), declaredWithin)]
	label := ""
	if format == htmlText {
		label = metaCharset(body)
	}
	if label == "" && (format == htmlText || format == xmlText) {
		if m := xmlDeclaration.FindSubmatch(body); m != nil {
			label = string(m[1])
		}
	}
	if strings.HasPrefix(strings.ToLower(label), "utf-16") {
		return "utf-8" // it could be read, so it is not UTF-16
	}
	return label
}

var xmlDeclaration = regexp.MustCompile(`^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([^"'>]{1,40})["']`)

// metaCharset returns the first label in a meta element that is a known one (DotnetSpider #132: the first of two is
// not always it). Comments, scripts and the body are not looked at.
func metaCharset(page []byte) string {
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return ""
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			if string(name) == "body" {
				return ""
			}
			if string(name) != "meta" || !more {
				continue
			}
			if label := metaLabel(z); lookup(label).known() {
				return label
			}
		}
	}
}

// metaLabel reads the attributes of the meta element that the tokenizer stands at.
func metaLabel(z *html.Tokenizer) string {
	var direct, content string
	pragma := false
	for more := true; more; {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "charset":
			direct = string(value)
		case "content":
			content = charsetParam(string(value))
		case "http-equiv":
			pragma = strings.EqualFold(string(value), "content-type")
		}
	}
	if direct == "" && pragma {
		return content
	}
	return direct
}
