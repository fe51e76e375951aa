package fetch

import (
	"io"
	"net/http"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

func encoded(t testing.TB, e encoding.Encoding, text string) string {
	t.Helper()
	bytes, err := e.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}

// colly #777, #421: mark, then header, then meta. webmagic #643: GB2312 pages have characters of GBK.
func TestTheCharsetIsFoundWhereThePageSaysIt(t *testing.T) {
	gbk := func(s string) string { return encoded(t, simplifiedchinese.GBK, s) }
	utf16 := encoded(t, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "<p>价格</p>")
	tests := map[string]struct {
		contentType, body string
		want              string // the text
		charset, from     string
	}{
		"GBK by meta only":                            {"text/html", gbk(`<meta charset="gbk"><p>价格`), `<meta charset="gbk"><p>价格`, "gb18030", "meta"},
		"GBK by header only":                          {"text/html; charset=GBK", gbk("<p>价格"), "<p>价格", "gb18030", "header"},
		"webmagic #643: GB2312 with 镕and traditional": {"text/html; charset=gb2312", gbk("朱镕基 東風"), "朱镕基 東風", "gb18030", "header"},
		"GB18030 beyond GBK":                          {"text/html; charset=gb2312", encoded(t, simplifiedchinese.GB18030, "㐂𠮷"), "㐂𠮷", "gb18030", "header"},
		"Big5":                                        {"text/html; charset=big5", encoded(t, traditionalchinese.Big5, "價格"), "價格", "big5", "header"},
		"Shift_JIS":                                   {"text/html", `<meta charset=Shift_JIS>` + encoded(t, japanese.ShiftJIS, "価格"), `<meta charset=Shift_JIS>価格`, "shift_jis", "meta"},
		"windows-1252 under a false name":             {"text/html; charset=iso-8859-1", "caf\xe9 \x80", "café €", "windows-1252", "header"},
		"windows-1251 by http-equiv":                  {"text/html", `<META http-equiv=Content-Type content="text/html; charset=windows-1251">` + encoded(t, charmap.Windows1251, "цена"), `<META http-equiv=Content-Type content="text/html; charset=windows-1251">цена`, "windows-1251", "meta"},
		"UTF-8 with a mark":                           {"text/html", "\xef\xbb\xbf<p>é", "<p>é", "utf-8", "bom"},
		"UTF-16LE with a mark":                        {"text/html", utf16, "<p>价格</p>", "utf-16le", "bom"},
		"a header that lies against a mark":           {"text/html; charset=gbk", "\xef\xbb\xbf价格", "价格", "utf-8", "bom"},
		"a meta that lies against the header":         {"text/html; charset=utf-8", `<meta charset="gbk">价格`, `<meta charset="gbk">价格`, "utf-8", "header"},
		"an unknown name in the header":               {"text/html; charset=no-such", gbk(`<meta charset="gbk">价格`), `<meta charset="gbk">价格`, "gb18030", "meta"},
		"an unknown name everywhere":                  {"text/html; charset=no-such", `<meta charset="none">价格`, `<meta charset="none">价格`, "utf-8", "content"},
		"an unknown meta before a known":              {"text/html", gbk(`<meta charset="x"><meta charset="gbk">价格`), `<meta charset="x"><meta charset="gbk">价格`, "gb18030", "meta"},
		"no name, UTF-8":                              {"text/html", "<p>价格", "<p>价格", "utf-8", "content"},
		"no name, ASCII":                              {"text/html", "<p>price", "<p>price", "utf-8", "default"},
		"no name, neither":                            {"text/html", "caf\xe9", "café", "windows-1252", "default"},
		"a meta that claims UTF-16":                   {"text/html", `<meta charset="utf-16">é`, `<meta charset="utf-16">é`, "utf-8", "meta"},
		"a meta in a comment":                         {"text/html", `<!-- <meta charset="gbk"> -->é`, `<!-- <meta charset="gbk"> -->é`, "utf-8", "content"},
		"a meta in a script":                          {"text/html", `<script>"<meta charset='gbk'>"</script>é`, `<script>"<meta charset='gbk'>"</script>é`, "utf-8", "content"},
		"a header that is not well formed":            {`text/html charset = "gbk" ;;`, gbk("价格"), "价格", "gb18030", "header"},
		"JSON has no declaration":                     {"application/json", `{"a":"价格"}`, `{"a":"价格"}`, "utf-8", "default"},
		"JSON with a charset":                         {"application/json; charset=gbk", gbk(`{"a":"价格"}`), `{"a":"价格"}`, "gb18030", "header"},
		"XML by its declaration":                      {"application/xml", gbk(`<?xml version="1.0" encoding="GB2312"?><a>价格</a>`), `<?xml version="1.0" encoding="GB2312"?><a>价格</a>`, "gb18030", "meta"},
		"XML without":                                 {"application/rss+xml", "<a>é</a>", "<a>é</a>", "utf-8", "default"},
		"no Content-Type, HTML":                       {"", gbk(`<html><meta charset="gbk">价格`), `<html><meta charset="gbk">价格`, "gb18030", "meta"},
		"octet-stream, JSON":                          {"application/octet-stream", `{"a":"é"}`, `{"a":"é"}`, "utf-8", "content"},
		"a picture":                                   {"image/png", "\x89PNG\xff", "\x89PNG\xff", "", "none"},
		"a picture without a type":                    {"", "\x89PNG\x0d\x0a\x1a\x0a\xff", "\x89PNG\x0d\x0a\x1a\x0a\xff", "", "none"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := toUTF8(test.contentType, []byte(test.body))
			if string(got.body) != test.want || got.charset != test.charset || got.from != test.from || got.replaced != 0 {
				t.Errorf("got %q, charset %q from %q, %d replaced", got.body, got.charset, got.from, got.replaced)
			}
		})
	}
}

func TestWhatCanNotBeDecodedIsCounted(t *testing.T) {
	tests := map[string]struct {
		contentType, body, want string
		replaced                int
	}{
		"UTF-8":                     {"text/html; charset=utf-8", "a\xffb\xc3", "a\uFFFDb\uFFFD", 2},
		"those in the page are not": {"text/html; charset=utf-8", "a\uFFFDb\xff", "a\uFFFDb\uFFFD", 1},
		"valid UTF-8 with one":      {"text/html; charset=utf-8", "a\uFFFD", "a\uFFFD", 0},
		"GBK":                       {"text/html; charset=gbk", "a\xff", "a\uFFFD", 1},
		"JSON":                      {"application/json", "\"\xff\"", "\"\uFFFD\"", 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := toUTF8(test.contentType, []byte(test.body))
			if string(got.body) != test.want || got.replaced != test.replaced {
				t.Errorf("got %q, %d replaced", got.body, got.replaced)
			}
		})
	}
}

func TestAPageTellsItsCharset(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=gb2312")
		_, _ = io.WriteString(w, encoded(t, simplifiedchinese.GBK, "朱镕基")+"\xff")
	})
	page := wantPage(t, do(newClient(t, quick()), Request{URL: s.URL}))
	if string(page.Body) != "朱镕基\uFFFD" || page.Charset != "gb18030" || page.CharsetFrom != "header" || page.Replaced != 1 || page.Size != 7 {
		t.Errorf("got %+v", page)
	}
}

func FuzzCharset(f *testing.F) {
	f.Add("text/html; charset=gb2312", []byte("\xd6\xec\xe9\x46\xbb\xf9"))
	f.Add("text/html", []byte(`<meta http-equiv="content-type" content="text/html; charset=shift_jis">\x89\xbf`))
	f.Add("", []byte("\xff\xfe<\x00"))
	f.Add("application/xml", []byte(`<?xml version="1.0" encoding="big5"?>`))
	f.Add(`text/plain;charset="utf-16`, []byte("\x00\xd8a"))
	f.Add("text/html; charset=iso-2022-jp", []byte("\x1b$B\x1b(B<meta charset='"))
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		got := toUTF8(contentType, body)
		if got.from == "none" {
			return
		}
		if !utf8.Valid(got.body) || got.replaced < 0 || got.charset == "" || got.from == "" {
			t.Errorf("got %q, charset %q from %q, %d replaced", got.body, got.charset, got.from, got.replaced)
		}
	})
}
