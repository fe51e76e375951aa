package practice

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

func parsed(t *testing.T, s *Site, uri string) *goquery.Document {
	t.Helper()
	w := recorded(s, uri)
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d", uri, w.Code)
	}
	d, err := goquery.NewDocumentFromReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestListingPageShowsTenProducts(t *testing.T) {
	s := New(Options{Pages: 3})
	d := parsed(t, s, "/page/2")
	items := d.Find("article.item")
	if items.Length() != PageItems || d.Find(".price").Length() != PageItems || d.Find("a.name").Length() != PageItems {
		t.Fatalf("%d items", items.Length())
	}
	items.Each(func(i int, item *goquery.Selection) {
		p := ProductAt(int64(PageItems + i + 1))
		href, _ := item.Find("a.name").Attr("href")
		if item.Find("h2").Text() != p.Name || item.Find(".price").Text() != p.Shown ||
			item.Find(".score").Text() != p.Score || href != p.URL {
			t.Errorf("item %d is %q, want %+v", i, item.Text(), p)
		}
	})
}

func TestListingPageIsAboutTwelveKilobytes(t *testing.T) {
	s := New(Options{})
	for n := 1; n <= defaultPages; n++ {
		if size := recorded(s, "/page/"+strconv.Itoa(n)).Body.Len(); size < 11_000 || size > 13_500 {
			t.Fatalf("page %d has %d bytes", n, size)
		}
	}
}

func TestListingIsTheSameByQueryAndByPath(t *testing.T) {
	s := New(Options{})
	byPath := recorded(s, "/page/3").Body.String()
	if recorded(s, "/list?page=3").Body.String() != byPath {
		t.Error("/list?page=3 is not /page/3")
	}
	if recorded(s, "/list").Body.String() != recorded(s, "/page/1").Body.String() {
		t.Error("/list is not /page/1")
	}
	for _, uri := range []string{"/page/51", "/page/0", "/page/x", "/page/", "/list?page=51", "/list?page=", "/lists", "/detail/501", "/detail/0"} {
		if w := recorded(s, uri); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", uri, w.Code)
		}
	}
}

// TestEveryPageIsReachedByItsLinks follows all links from the index, as a
// crawler would.
func TestEveryPageIsReachedByItsLinks(t *testing.T) {
	s := New(Options{Pages: 4})
	seen, queue := map[string]bool{"/": true}, []string{"/"}
	for len(queue) > 0 {
		uri := queue[0]
		queue = queue[1:]
		if !strings.HasPrefix(recorded(s, uri).Header().Get("Content-Type"), "text/html") {
			continue
		}
		parsed(t, s, uri).Find("a[href]").Each(func(_ int, a *goquery.Selection) {
			if href, _ := a.Attr("href"); strings.HasPrefix(href, "/") && !seen[href] {
				seen[href] = true
				queue = append(queue, href)
			}
		})
	}
	details, pages := 0, 0
	for uri := range seen {
		if strings.HasPrefix(uri, detailPrefix) {
			details++
		}
		if strings.HasPrefix(uri, pagePrefix) {
			pages++
		}
	}
	if details != 4*PageItems || pages != 4 {
		t.Errorf("reached %d details and %d pages", details, pages)
	}
}

func TestOnlyTheLastPageHasNoNext(t *testing.T) {
	s := New(Options{Pages: 3})
	for n, want := range map[string]string{"1": "/page/2", "2": "/page/3", "3": ""} {
		if got := parsed(t, s, "/page/"+n).Find("a.next").AttrOr("href", ""); got != want {
			t.Errorf("page %s goes on to %q, want %q", n, got, want)
		}
	}
}

func TestDetailPageLinksBackAndAside(t *testing.T) {
	s := New(Options{Pages: 3})
	cases := []struct{ id, back, before, after string }{
		{"1", "/page/1", "/detail/30", "/detail/2"},
		{"10", "/page/1", "/detail/9", "/detail/11"},
		{"11", "/page/2", "/detail/10", "/detail/12"},
		{"30", "/page/3", "/detail/29", "/detail/1"},
	}
	for _, c := range cases {
		d := parsed(t, s, "/detail/"+c.id)
		id, _ := strconv.ParseInt(c.id, 10, 64)
		p := ProductAt(id)
		if d.Find("h1").Text() != p.Name || d.Find(".price").Text() != p.Shown || d.Find(".score").Text() != p.Score {
			t.Errorf("detail %s shows %q, want %+v", c.id, d.Find("main").Text(), p)
		}
		if d.Find("a.back").AttrOr("href", "") != c.back || d.Find("a.before").AttrOr("href", "") != c.before ||
			d.Find("a.after").AttrOr("href", "") != c.after || len(d.Find(".description p").Text()) < 50 {
			h, _ := d.Html()
			t.Errorf("detail %s: %s", c.id, h)
		}
	}
}

func TestRobotsAllowsEverything(t *testing.T) {
	w := recorded(New(Options{}), "/robots.txt")
	if w.Code != http.StatusOK || w.Body.String() != robotsText || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		t.Errorf("%d %v %q", w.Code, w.Header(), w.Body)
	}
}
