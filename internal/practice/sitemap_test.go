package practice

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
)

// wireSitemap is a sitemap, or an index of them, as a stranger reads it.
type wireSitemap struct {
	XMLName xml.Name
	Entries []struct {
		Loc     string `xml:"loc"`
		LastMod string `xml:"lastmod"`
	} `xml:",any"`
}

func readSitemap(t *testing.T, text []byte) wireSitemap {
	t.Helper()
	var m wireSitemap
	if err := xml.Unmarshal(text, &m); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if m.XMLName.Space != "http://www.sitemaps.org/schemas/sitemap/0.9" {
		t.Errorf("it is in %q", m.XMLName.Space)
	}
	return m
}

func TestSitemapIndexLeadsToEverySitemapOnTheHostThatWasAsked(t *testing.T) {
	s := serve(t, Options{})
	status, text := fetch(t, s.URL+"/sitemap.xml")
	index := readSitemap(t, []byte(text))
	if status != http.StatusOK || index.XMLName.Local != "sitemapindex" || len(index.Entries) != Sitemaps {
		t.Fatalf("%d %s", status, text)
	}
	for i, e := range index.Entries {
		if e.Loc != s.URL+SitemapPath(int64(i+1)) || e.LastMod != "2026-01-01" {
			t.Errorf("entry %d: %+v", i, e)
		}
		if status, _ := fetch(t, e.Loc); status != http.StatusOK {
			t.Errorf("%s: %d", e.Loc, status)
		}
	}
}

func TestSitemapsHaveEachDetailPageOnce(t *testing.T) {
	s, seen := New(Options{Pages: 4}), map[string]int{}
	for n := int64(1); n <= Sitemaps; n++ {
		text := recorded(s, SitemapPath(n)).Body.Bytes()
		if n == zipped {
			text = unzipped(t, text)
		}
		for _, e := range readSitemap(t, text).Entries {
			path, here := strings.CutPrefix(strings.TrimSpace(e.Loc), "http://example.com"+detailPrefix)
			id, ok := number(path)
			if !here || !ok {
				seen["wrong"]++
				continue
			}
			if SitemapOf(id) != n || LastModified(id) != e.LastMod {
				t.Errorf("detail %d in sitemap %d: %+v", id, n, e)
			}
			seen[path]++
		}
	}
	if len(seen) != 4*PageItems+1 || seen["wrong"] != 2 {
		t.Errorf("%v", seen)
	}
	delete(seen, "wrong")
	for id, n := range seen {
		if n != 1 {
			t.Errorf("detail %s is there %d times", id, n)
		}
	}
}

func unzipped(t *testing.T, b []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestZippedSitemapIsAFileAndNoEncoding(t *testing.T) {
	s := serve(t, Options{})
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Get(s.URL + SitemapPath(zipped))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil || resp.Uncompressed || resp.Header.Get("Content-Encoding") != "" ||
		resp.Header.Get("Content-Type") != "application/gzip" || !bytes.Contains(unzipped(t, b), []byte("<urlset ")) {
		t.Errorf("%v %v, %d bytes", err, resp.Header, len(b))
	}
	if !strings.HasSuffix(SitemapPath(zipped), "/sitemap-2.xml.gz") {
		t.Error(SitemapPath(zipped))
	}
}

func TestWrongEntriesStandInTheLastSitemap(t *testing.T) {
	s := New(Options{Pages: 1})
	plain, last := recorded(s, SitemapPath(1)).Body.String(), recorded(s, SitemapPath(Sitemaps)).Body.String()
	for _, wrong := range []string{"<loc></loc>", "elsewhere.invalid", "<loc>\n"} {
		if inPlain, inLast := strings.Contains(plain, wrong), strings.Contains(last, wrong); inPlain || !inLast {
			t.Errorf("%q in the first: %v, in the last: %v", wrong, inPlain, inLast)
		}
	}
	for _, path := range []string{"/sitemap", "/sitemap-0.xml", "/sitemap-2.xml", "/sitemap-4.xml", "/sitemap.xml.gz"} {
		if w := recorded(s, path); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// Each form is another layout of the same moment as the product's Updated.
func TestLastModifiedHasTheFormsOfTheW3C(t *testing.T) {
	forms := map[string]string{
		`^\d{4}-\d\d-\d\d$`:                       time.DateOnly,
		`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$`: time.RFC3339,
		`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`:       time.RFC3339,
		`^\d{4}-\d\d-\d\dT\d\d:\d\d\+08:00$`:      "2006-01-02T15:04Z07:00",
		`^$`:                                      "",
	}
	count := map[string]int{}
	for id := int64(1); id <= 1000; id++ {
		updated, _ := time.Parse(time.RFC3339, ProductAt(id).Updated)
		for form, layout := range forms {
			if !regexp.MustCompile(form).MatchString(LastModified(id)) {
				continue
			}
			count[form]++
			at, err := time.Parse(layout, LastModified(id))
			if layout != "" && (err != nil || updated.Sub(at).Abs() > 24*time.Hour) {
				t.Errorf("detail %d: %s for %s, %v", id, LastModified(id), updated, err)
			}
		}
	}
	for form := range forms {
		if count[form] != 200 {
			t.Errorf("%d of 1000 dates are like %s", count[form], form)
		}
	}
}
