package draft_test

import (
	"testing"

	"dogear/crawl/draft"
	"dogear/crawl/job"
)

// Whatever a page is, its draft loads, or there is a clean error.
func FuzzWrite(f *testing.F) {
	for _, path := range pages(f) {
		p := page(f, path)
		f.Add(p.URL, p.ContentType, p.Body)
	}
	for _, text := range hostiles {
		f.Add("https://shop.example/page/1", "text/html", []byte("<p class='"+text+"'>"+text+"<p class='"+text+"'>x<p>y"))
		f.Add("https://shop.example/?page=1", "", []byte(text))
	}
	f.Fuzz(func(t *testing.T, url, contentType string, body []byte) {
		start := "start: " + url + "\nrecords: {fields: {a: h1}}"
		j, err := job.Parse("a.yaml", []byte(start), nil)
		if err != nil || j.Starts[0].Request(0).URL != url || j.Starts[0].Total() != 1 {
			url = "https://shop.example/list?page=1"
		}
		d, err := draft.Write(draft.Page{URL: url, ContentType: contentType, Body: body}, "shop")
		if err == nil {
			loads(t, d.Text)
		}
	})
}
