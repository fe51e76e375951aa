package practice

import (
	"bytes"
	"mime"
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	htmlcharset "golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/htmlindex"
)

// readAs decodes a page as label says and returns its text.
func readAs(t *testing.T, label string, page []byte) CharsetText {
	t.Helper()
	enc, err := htmlindex.Get(label)
	if err != nil {
		t.Fatal(err)
	}
	text, err := enc.NewDecoder().Bytes(page)
	if err != nil {
		t.Fatal(err)
	}
	d, err := goquery.NewDocumentFromReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return CharsetText{d.Find("h1").Text(), d.Find("h2").Text(), d.Find(".price").Text(), d.Find("p.text").Text()}
}

func TestCharsetPageSaysItsTextInItsBytes(t *testing.T) {
	s := New(Options{})
	for _, name := range Charsets() {
		want, ok := TextOf(name)
		if !ok || want.Title == "" || want.Price == "" || want.Body == "" {
			t.Errorf("%s has no text", name)
		}
		label := strings.TrimSuffix(name, "-bom")
		if got := readAs(t, label, recorded(s, "/charset/"+name+"/none").Body.Bytes()); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	if _, ok := TextOf("koi8-r"); ok {
		t.Error("there is a text for koi8-r")
	}
}

func TestCharsetIsDeclaredWhereThePathSays(t *testing.T) {
	const no = ""
	cases := []struct{ how, header, meta string }{
		{"meta", no, "gb2312"}, {"header", "gb2312", no}, {"both", "gb2312", "gb2312"}, {"none", no, no},
		{"meta-lies", "gb2312", "iso-8859-1"}, {"header-lies", "iso-8859-1", "gb2312"},
	}
	for _, c := range cases {
		t.Run(c.how, func(t *testing.T) {
			w := recorded(New(Options{}), "/charset/gb2312/"+c.how)
			_, params, err := mime.ParseMediaType(w.Header().Get("Content-Type"))
			if err != nil || params["charset"] != c.header {
				t.Errorf("header: %v %v", params, err)
			}
			if _, meta, found := strings.Cut(w.Body.String(), "charset="); found != (c.meta != no) || !strings.HasPrefix(meta, c.meta) {
				t.Errorf("meta: %.20q", meta)
			}
		})
	}
}

// The two-declaration pages are read by the library that browsers' rules are
// implemented in, so a page that lied by mistake would show.
func TestCharsetDeclaredTwiceIsFoundByBrowserRules(t *testing.T) {
	s := New(Options{})
	for _, name := range Charsets() {
		for _, how := range []string{"meta", "header", "both", "meta-lies"} {
			w := recorded(s, "/charset/"+name+"/"+how)
			_, label, _ := htmlcharset.DetermineEncoding(w.Body.Bytes(), w.Header().Get("Content-Type"))
			want, _ := TextOf(name)
			if got := readAs(t, label, w.Body.Bytes()); got != want {
				t.Errorf("%s/%s read as %s: %+v", name, how, label, got)
			}
		}
	}
}

func TestChineseCharsetsShareATitleInDifferentBytes(t *testing.T) {
	s := New(Options{})
	gbk := recorded(s, "/charset/gbk/none").Body.Bytes()
	gb := recorded(s, "/charset/gb2312/none").Body.Bytes()
	big5 := recorded(s, "/charset/big5/none").Body.Bytes()
	for name, page := range map[string][]byte{"gbk": gbk, "gb2312": gb, "big5": big5} {
		if got := readAs(t, name, page).Common; got != CommonTitle {
			t.Errorf("%s: %q", name, got)
		}
	}
	h2 := func(page []byte) []byte {
		_, rest, _ := bytes.Cut(page, []byte("<h2>"))
		title, _, _ := bytes.Cut(rest, []byte("</h2>"))
		return title
	}
	if !bytes.Equal(h2(gbk), h2(gb)) || bytes.Equal(h2(gbk), h2(big5)) {
		t.Errorf("gbk %x, gb2312 %x, big5 %x", h2(gbk), h2(gb), h2(big5))
	}
}

// colly #777: a page that says gb2312 and has characters only GBK has.
func TestGB2312PageHasCharactersThatGB2312Lacks(t *testing.T) {
	text, _ := TextOf("gb2312")
	if !strings.Contains(text.Body, "镕") || !strings.Contains(text.Body, "囍") {
		t.Errorf("%q", text.Body)
	}
}

func TestOnlyTheBOMPageHasABOM(t *testing.T) {
	s := New(Options{})
	for _, name := range Charsets() {
		bom := bytes.HasPrefix(recorded(s, "/charset/"+name+"/both").Body.Bytes(), []byte("\xef\xbb\xbf"))
		if bom != (name == "utf-8-bom") {
			t.Errorf("%s: BOM %v", name, bom)
		}
	}
}

func TestCharsetPagesThatAreNotThere(t *testing.T) {
	s := New(Options{})
	for _, rest := range []string{"gbk", "gbk/", "gbk/maybe", "koi8-r/meta", ""} {
		if w := recorded(s, charsetPrefix+rest); w.Code != http.StatusNotFound {
			t.Errorf("%q: %d", rest, w.Code)
		}
	}
}
