package practice

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"html"
	"net/http"
	"strconv"
	"time"
)

const (
	sitemapPrefix = "/sitemap"
	sitemapSpace  = `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`

	// Sitemaps is how many sitemaps the index has, numbered from 1.
	Sitemaps = 3
	// zipped is the sitemap that is a gzip file.
	zipped = 2
)

var (
	kindXML  = []string{"application/xml"}
	kindGzip = []string{"application/gzip"}
)

// wrongEntries are what a sitemap must not have: they stand in the last one. The
// host is nobody's (RFC 6761).
const wrongEntries = "<url><loc></loc><lastmod>2026-01-01</lastmod></url>\n" +
	"<url><loc>http://elsewhere.invalid/detail/1</loc><lastmod>2026-01-01</lastmod></url>\n"

// SitemapOf returns in which sitemap the detail page of an id stands: each is
// in one.
func SitemapOf(id int64) int64 { return id%Sitemaps + 1 }

// SitemapPath returns the path of a sitemap, 1..Sitemaps.
func SitemapPath(n int64) string {
	path := sitemapPrefix + "-" + strconv.FormatInt(n, 10) + ".xml"
	if n == zipped {
		path += ".gz"
	}
	return path
}

// LastModified returns the <lastmod> of a detail page as it stands in its
// sitemap: the product's Updated, a day of 2025, in the forms that the W3C's
// note on dates allows (https://www.w3.org/TR/NOTE-datetime). A fifth have none.
func LastModified(id int64) string {
	updated := string(appendUpdated(nil, id))
	switch id % 5 {
	case 0:
		return updated[:len("2025-03-07")]
	case 1:
		return updated
	case 2:
		at, err := time.Parse(time.RFC3339, updated)
		if err != nil {
			return err.Error() // never: a test reads all of them
		}
		return at.UTC().Format(time.RFC3339)
	case 3:
		return updated[:len("2025-03-07T08:15")] + "+08:00"
	}
	return ""
}

// sitemap is the index of the sitemaps, or one of them.
func (s *Site) sitemap(dst []byte, r *http.Request) answer {
	base := "http://" + html.EscapeString(r.Host)
	if r.URL.Path == sitemapPrefix+".xml" {
		return answer{status: http.StatusOK, kind: kindXML, body: appendSitemapIndex(dst, base)}
	}
	for n := int64(1); n <= Sitemaps; n++ {
		switch {
		case r.URL.Path != SitemapPath(n):
		case n == zipped:
			return zip(dst, s.appendSitemap(nil, n, base))
		default:
			return answer{status: http.StatusOK, kind: kindXML, body: s.appendSitemap(dst, n, base)}
		}
	}
	return missing(dst)
}

func appendSitemapIndex(b []byte, base string) []byte {
	b = append(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex "+sitemapSpace+">\n"...)
	for n := int64(1); n <= Sitemaps; n++ {
		b = fmt.Appendf(b, "<sitemap><loc>%s%s</loc><lastmod>2026-01-01</lastmod></sitemap>\n", base, SitemapPath(n))
	}
	return append(b, "</sitemapindex>\n"...)
}

// appendSitemap writes sitemap n. In the last each loc stands on a line of its
// own, as some generators have it.
func (s *Site) appendSitemap(b []byte, n int64, base string) []byte {
	b = append(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset "+sitemapSpace+">\n"...)
	loc := "<loc>%s%s</loc>"
	if n == Sitemaps {
		b = append(b, wrongEntries...)
		loc = "<loc>\n  %s%s\n</loc>"
	}
	for id := int64(1); id <= s.o.Pages*PageItems; id++ {
		if SitemapOf(id) != n {
			continue
		}
		b = fmt.Appendf(append(b, "<url>"...), loc, base, appendDetailPath(nil, id))
		if at := LastModified(id); at != "" {
			b = append(b, "<lastmod>"+at+"</lastmod>"...)
		}
		b = append(b, "</url>\n"...)
	}
	return append(b, "</urlset>\n"...)
}

// zip is a gzip file, which is what the page is: it is not a way of sending it
// (Content-Encoding), so that no client unpacks it by itself.
func zip(dst, b []byte) answer {
	out := bytes.NewBuffer(dst)
	w := gzip.NewWriter(out)
	_, _ = w.Write(b) // a bytes.Buffer takes everything
	_ = w.Close()
	return answer{status: http.StatusOK, kind: kindGzip, body: out.Bytes()}
}
