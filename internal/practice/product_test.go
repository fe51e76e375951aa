package practice

import (
	"bytes"
	"encoding/json"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// goldenFirst is product 1 for all time: state files and golden files that
// others keep were made from it.
const goldenFirst = `{"id":1,"name":"佳能 EOS R6 Mark II 旗舰版 Titanium 原色 官方旗舰店正品 全国联保两年 货号 No.1","price":5300.48,"stock":90,` +
	`"category":"摄影摄像","rating":1.47,"tags":["new","预售","次日达","12期免息"],"updated":"2025-01-10T14:05:42+08:00","url":"/detail/1"}`

// wireProduct is a product as a stranger reads it from the JSON.
type wireProduct struct {
	ID       json.Number
	Name     string
	Price    json.Number
	Stock    int64
	Category string
	Rating   *json.Number
	Tags     []string
	Updated  string
	URL      string
}

func TestProductIsTheSameOnEverySite(t *testing.T) {
	a, b := New(Options{}), New(Options{Products: 1000, Quiet: true})
	for _, id := range []string{"1", "7", "25", "999", "1000"} {
		x, y := recorded(a, "/v1/product/"+id), recorded(b, "/v1/product/"+id)
		if x.Code != http.StatusOK || !bytes.Equal(x.Body.Bytes(), y.Body.Bytes()) {
			t.Errorf("product %s: %d %s and %d %s", id, x.Code, x.Body, y.Code, y.Body)
		}
	}
	if got := string(ProductJSON(1)); got != goldenFirst {
		t.Errorf("product 1 is %s", got)
	}
}

func TestProductJSONIsWhatProductAtSays(t *testing.T) {
	for id := int64(1); id <= 2000; id++ {
		var w wireProduct
		if err := json.Unmarshal(ProductJSON(id), &w); err != nil {
			t.Fatalf("product %d: %v in %s", id, err, ProductJSON(id))
		}
		p := ProductAt(id)
		rating := ""
		if w.Rating != nil {
			rating = w.Rating.String()
		}
		if w.ID.String() != strconv.FormatInt(p.ID, 10) || w.Name != p.Name || w.Price.String() != p.Price ||
			w.Stock != p.Stock || w.Category != p.Category || rating != p.Rating ||
			strings.Join(w.Tags, "|") != strings.Join(p.Tags, "|") || w.Updated != p.Updated || w.URL != p.URL {
			t.Fatalf("product %d: the page says %+v, ProductAt %+v", id, w, p)
		}
	}
}

func TestProductFieldsHaveTheShapesThatCleaningNeeds(t *testing.T) {
	decimals := regexp.MustCompile(`^(0|[1-9]\d*)\.\d\d$`)
	shown := regexp.MustCompile(`^¥\d{1,3}(,\d{3})*\.\d\d$`)
	size, whole := 0, 0
	const n = 10_000
	for id := int64(1); id <= n; id++ {
		p := ProductAt(id)
		size += len(ProductJSON(id))
		if strings.HasSuffix(p.Price, ".00") {
			whole++
		}
		if !decimals.MatchString(p.Price) || !shown.MatchString(p.Shown) ||
			strings.NewReplacer("¥", "", ",", "").Replace(p.Shown) != p.Price {
			t.Fatalf("product %d: price %q shown as %q", id, p.Price, p.Shown)
		}
		if marked := strings.Contains(p.Name, "<") && strings.Contains(p.Name, ">"); marked != (id%5 == 3) {
			t.Fatalf("product %d: name %q", id, p.Name)
		}
		switch {
		case id%25 == 0 && p.Rating != "", id%25 != 0 && id%10 == 7 && p.Rating != "5.37",
			id%25 != 0 && !decimals.MatchString(p.Rating):
			t.Fatalf("product %d: rating %q", id, p.Rating)
		}
		if _, err := time.Parse(time.RFC3339, p.Updated); err != nil {
			t.Fatalf("product %d: %v", id, err)
		}
	}
	if mean := size / n; mean < 270 || mean > 330 {
		t.Errorf("a product is %d bytes on average", mean)
	}
	if whole < n/4 {
		t.Errorf("%d of %d prices end in .00", whole, n)
	}
}

func TestProductsThatAreNotThere(t *testing.T) {
	small, all := New(Options{Products: 50}), New(Options{})
	const big = "9007199254740993" // not a float64
	cases := []struct {
		what, id string
		site     *Site
		status   int
	}{
		{"the last", "50", small, 200},
		{"one after the last", "51", small, 404},
		{"any id when there is no last", big, all, 200},
		{"the largest id", strconv.FormatInt(math.MaxInt64, 10), all, 200},
		{"more than 64 bits", "9223372036854775808", all, 404},
		{"zero", "0", all, 404},
		{"a negative id", "-1", all, 404},
		{"a leading zero", "07", all, 404},
		{"no id", "", all, 404},
		{"a word", "x1", all, 404},
		{"something below it", "1/reviews", all, 404},
	}
	for _, c := range cases {
		t.Run(c.what, func(t *testing.T) {
			w := recorded(c.site, "/v1/product/"+c.id)
			if w.Code != c.status || !json.Valid(w.Body.Bytes()) {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			if got := w.Header().Get("Content-Length"); got != strconv.Itoa(w.Body.Len()) {
				t.Errorf("Content-Length %s for %d bytes", got, w.Body.Len())
			}
		})
	}
	if got := ProductAt(9007199254740993); !strings.HasSuffix(got.URL, big) || got.ID != 9007199254740993 {
		t.Errorf("a large id loses digits: %+v", got)
	}
}

func FuzzAnyPathGetsAnAnswer(f *testing.F) {
	for _, path := range []string{
		"/", "/v1/product/7", "/list", "/page/3", "/detail/9", "/charset/big5/both", "/robots.txt", "/%00", "/page/-",
		"/v1/events?after=%2B%2F%2B%2FW9HplVvR6YE%3D", "/v1/feed?after=+", "/v1/endless?after=9", "/v1/lookup",
		"/sitemap.xml", "/sitemap-2.xml.gz", "/gbk/list?page=2", "/gbk/item/8?cat=%E9F", "/gbk/item/%E9%95%95/3",
		"/shop/item/7", "/shop/list?page=1", "/shop/orders",
	} {
		f.Add(path)
	}
	s := New(Options{Products: 10, Pages: 3})
	f.Fuzz(func(t *testing.T, path string) {
		r, err := http.NewRequest(http.MethodGet, "http://practice.invalid/"+strings.TrimPrefix(path, "/"), nil)
		if err != nil || strings.HasPrefix(r.URL.Path, controlPrefix) {
			t.Skip()
		}
		if a := s.page(nil, r); a.status >= 500 || len(a.body) == 0 {
			t.Errorf("%q: %d with %d bytes", path, a.status, len(a.body))
		}
	})
}
