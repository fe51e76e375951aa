package practice

import "testing"

func TestPagesOfEveryKindHaveFaultsAndAreCounted(t *testing.T) {
	for _, uri := range []string{
		"/v1/events", FeedPath(2), "/v1/endless?after=3",
		"/sitemap.xml", "/sitemap-2.xml.gz",
		"/gbk/list?page=2", GBKItemAt(4).Path, GBKItemAt(6).Path,
		"/shop/list?page=2", "/shop/item/7", "/shop/orders?page=1",
	} {
		s := New(Options{Faults: []Fault{{Path: uri, Script: "500,captcha"}}})
		a, b, c := recorded(s, uri), recorded(s, uri), recorded(s, uri)
		if a.Code != 500 || b.Body.String() != captchaPage || c.Code != 200 || s.Asked(uri) != 3 {
			t.Errorf("%s: %d, %d bytes, %d, %v", uri, a.Code, b.Body.Len(), c.Code, s.Counts())
		}
		if again := recorded(New(Options{}), uri); again.Body.String() != c.Body.String() || c.Body.Len() == 0 {
			t.Errorf("%s is not the same on another site", uri)
		}
	}
}
