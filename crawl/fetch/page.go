package fetch

import (
	"net/http"
	"time"
)

// page makes the page of a good answer. The text is decoded here, after the exchange: its connection is free already.
func (a *answer) page(now time.Time, took time.Duration) *Page {
	contentType := a.header.Get("Content-Type")
	t := toUTF8(contentType, a.body)
	if contentType == "" && len(a.body) > 0 {
		contentType = http.DetectContentType(a.body)
	}
	return &Page{
		URL: a.url, Status: a.status, Header: a.header, ContentType: contentType,
		Body: t.body, Charset: t.charset, CharsetFrom: t.from, Replaced: t.replaced,
		Size: int64(len(a.body)), At: now, Took: took,
	}
}
