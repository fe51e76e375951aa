package practice

import (
	"bytes"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// parsedGBK reads a page as browsers read gb2312: as GB18030.
func parsedGBK(t *testing.T, s *Site, uri string) *goquery.Document {
	t.Helper()
	w := recorded(s, uri)
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "text/html" ||
		!bytes.Contains(w.Body.Bytes(), []byte("<meta charset=gb2312>")) {
		t.Fatalf("%s: %d %v", uri, w.Code, w.Header())
	}
	text, err := simplifiedchinese.GB18030.NewDecoder().Bytes(w.Body.Bytes())
	if err != nil || bytes.Contains(text, []byte("\ufffd")) {
		t.Fatalf("%s: %v in %s", uri, err, text)
	}
	d, err := goquery.NewDocumentFromReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestGBKListingLeadsToItsItems(t *testing.T) {
	s := New(Options{Pages: 3})
	for page := int64(1); page <= 3; page++ {
		d := parsedGBK(t, s, "/gbk/list?page="+strconv.FormatInt(page, 10))
		items := d.Find(".item")
		if items.Length() != PageItems {
			t.Fatalf("%d items", items.Length())
		}
		items.Each(func(i int, item *goquery.Selection) {
			want := GBKItemAt((page-1)*PageItems + int64(i) + 1)
			if item.Find(".name").Text() != want.Name || item.Find(".price").Text() != want.Price ||
				item.Find(".date").Text() != want.Date || item.Find("a.name").AttrOr("href", "") != want.Href {
				t.Errorf("it says %q, want %+v", item.Text(), want)
			}
			checkGBKItem(t, parsedGBK(t, s, want.Path), want)
		})
		next := "?page=" + strconv.FormatInt(page+1, 10)
		if href, more := d.Find("a.next").Attr("href"); more != (page < 3) || more && href != next {
			t.Errorf("page %d goes on to %q", page, href)
		}
	}
}

func checkGBKItem(t *testing.T, d *goquery.Document, want GBKItem) {
	t.Helper()
	if d.Find("h1").Text() != want.Name || d.Find(".price").Text() != want.Price || d.Find(".date").Text() != want.Date ||
		d.Find(".category").Text() != want.Category || d.Find(".text").Text() != gbkText {
		t.Errorf("it says %q, want %+v", d.Find("body").Text(), want)
	}
}

func TestGBKPagesHaveMoreThanGB2312AndGBK(t *testing.T) {
	if _, err := simplifiedchinese.GBK.NewEncoder().String("镕囍"); err != nil {
		t.Error(err)
	}
	for _, r := range "𠮷㐂" {
		if _, err := simplifiedchinese.GBK.NewEncoder().String(string(r)); err == nil || len(gbk(string(r))) != 4 {
			t.Errorf("%c is in GBK", r)
		}
	}
	page := recorded(New(Options{}), "/gbk/item/2").Body.Bytes()
	for _, c := range []string{"镕", "囍", "𠮷", "㐂"} {
		if !bytes.Contains(page, []byte(gbk(c))) {
			t.Errorf("no %s", c)
		}
	}
	if w := recorded(New(Options{}), "/gbk/item/3").Body.String(); !strings.Contains(w, ">&yen;") {
		t.Error("¥ is not written as a name")
	}
}

func TestGBKPricesMeanTheirAmounts(t *testing.T) {
	shapes := []string{`^￥[\d,]+\.\d\d$`, `^\d+\.\d万$`, `^[０-９]+．[０-９]$`, `^¥[\d,]+\.\d\d$`, `^人民币 \d+\.\d\d 元$`}
	narrow := func(r rune) rune {
		if r >= '！' && r <= '～' {
			return r - '！' + '!'
		}
		return r
	}
	for id := int64(1); id <= 1000; id++ {
		item := GBKItemAt(id)
		digits := strings.Trim(strings.ReplaceAll(strings.Map(narrow, item.Price), ",", ""), "￥¥人民币元万 ")
		shown, err := strconv.ParseFloat(digits, 64)
		if strings.Contains(item.Price, "万") {
			shown *= 10_000
		}
		if err != nil || strconv.FormatFloat(shown, 'f', 2, 64) != item.Amount ||
			!regexp.MustCompile(shapes[id%5]).MatchString(item.Price) {
			t.Errorf("item %d: %q is %q, read as %v (%v)", id, item.Price, item.Amount, shown, err)
		}
		at, err := time.Parse("2006年1月2日 15:04", item.Date)
		if err != nil || at.Format("2006-01-02T15:04:05") != item.Local || at.Year() != 2026 {
			t.Errorf("item %d: %q is %q (%v)", id, item.Date, item.Local, err)
		}
	}
}

// The four manners of linking, as the URL standard has them sent.
func TestGBKLinksAreAskedForAsBrowsersDo(t *testing.T) {
	const category = "图书：朱镕基讲话"
	const bytes = "%CD%BC%CA%E9%A3%BA%D6%EC%E9%46%BB%F9%BD%B2%BB%B0"
	const utf8 = "%E5%9B%BE%E4%B9%A6%EF%BC%9A%E6%9C%B1%E9%95%95%E5%9F%BA%E8%AE%B2%E8%AF%9D"
	want := [][2]string{
		{"item/4?cat=" + category, "/gbk/item/4?cat=%CD%BC%CA%E9%A3%BA%D6%EC%E9F%BB%F9%BD%B2%BB%B0"},
		{"item/5?cat=" + bytes, "/gbk/item/5?cat=" + bytes},
		{"item/" + category + "/6", "/gbk/item/" + utf8 + "/6"},
		{"item/" + utf8 + "/7", "/gbk/item/" + utf8 + "/7"},
	}
	for i, w := range want {
		if href, path := gbkLink(int64(i+4), category); href != w[0] || path != w[1] {
			t.Errorf("%s is asked for as %s, want %q", href, path, w)
		}
	}
}

func TestGBKItemWithItsCategoryInOtherBytesIsNotThere(t *testing.T) {
	s := New(Options{Pages: 1})
	category := GBKItemAt(4).Category
	for uri, status := range map[string]int{
		"/gbk/item/4": 200, "/gbk/item/4?cat=" + escapeHigh(gbk(category)): 200,
		"/gbk/item/" + url.PathEscape(category) + "/4": 200, "/gbk/item/" + escapeAll(gbk(category)) + "/4": 404,
		"/gbk/item/4?cat=" + url.QueryEscape(category): 404, "/gbk/item/4?cat=": 404,
		"/gbk/item//4": 404, "/gbk/item/11": 404, "/gbk/item/": 404, "/gbk/list?page=2": 404, "/gbk/list": 200, "/gbk/": 404,
	} {
		if w := recorded(s, uri); w.Code != status {
			t.Errorf("%s: %d, want %d", uri, w.Code, status)
		}
	}
}
