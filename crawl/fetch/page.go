package fetch

import (
	"net/http"
	"time"
)

// page makes the page of a good answer. The text is decoded here, after the exchange: its connection is free already.
func (a *answer) page(now time.Time, took time.Duration) *Page {
	contentType := a.header.Get("Content-Type")
	if a.unzipped {
		contentType = ""
	}
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

// Stored makes a page of an answer that is at hand already, in a file for example, just as one is made of what a server
// sends; without a contentType by looking at the body. The charset is found as that of any other page.
func Stored(url string, status int, contentType string, body []byte, at time.Time) *Page {
	a := answer{url: url, status: status, header: http.Header{}, body: body}
	if contentType != "" {
		a.header.Set("Content-Type", contentType)
	}
	return a.page(at, 0)
}

// Refused is the failure that a page is for its status, when that is neither a 2xx nor one of those accepted; nil when
// it is a good answer.
func (p *Page) Refused(accept []int) *Failure {
	if good(p.Status, accept) {
		return nil
	}
	return &Failure{Kind: statusKind(p.Status, false), Status: p.Status, Err: StatusError(p.Status), URL: p.URL}
}
