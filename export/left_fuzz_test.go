package export

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Whatever a file holds: no panic, no entry that is no text or has no place, and nothing of a whole one is lost by what
// stands behind it.
func FuzzALeftFileIsReadAsFarAsItIsWhole(f *testing.F) {
	for _, seed := range []string{
		`{"current_page": 17, "finished_urls": ["https://a/\u4e2d,3"], "fail_urls": ["https://a/3"], "update_time": 1}`,
		"", "{", `{"finished_urls": [1, 2`, `{"finished_urls": "https://a/1,https://a/2", "current_page": 1e3}`,
		"\xff\xfe{\x00}\x00", "[[[[",
		`{"fail_urls": [null, {"a": [1]}, "\ud800", "http://a/\u0000"]}{"current_page": -0}`,
		"\xef\xbb\xbf{\"failed_ids\":[1.0]}\r\n",
		`{"finished_urls":"['a://1', 'b://2'"}`, `{"finished_urls":"[\"a://1\", 2, "}`,
		"{\n\"current_page\":\n\t\"7\"}\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, whole := readFuzzed(t, text)
		if !whole || strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
			return
		}
		if more, _ := readFuzzed(t, text+"\x00"); more != n {
			t.Errorf("%d entries, with a byte behind them %d", n, more)
		}
	})
}

// readFuzzed returns how many entries there are, and whether the text is a checkpoint to its end.
func readFuzzed(t *testing.T, text string) (entries int, isWhole bool) {
	damaged := func(d Damage) {
		if d.What == "" || d.String() == "" {
			t.Errorf("damage %+v", d)
		}
	}
	out := &sink{other: damaged, wrong: func(_ List, d Damage) { damaged(d) }, page: func(p Page) {
		if !p.Given || p.Number < 0 || p.Place.Line < 1 {
			t.Errorf("page %+v", p)
		}
	}, entry: func(_ List, e Entry) error {
		entries++
		if e.Text == "" || !utf8.ValidString(e.Text) || e.Place.Key == "" || e.Place.Line < 1 || e.Place.Col < 1 ||
			e.Place.Index < 0 {
			t.Errorf("entry %+v", e)
		}
		return nil
	}}
	r := newJSONReader(transform.NewReader(strings.NewReader(text), unicode.BOMOverride(transform.Nop)), "file", out)
	if err := r.documents(); err != nil {
		t.Fatal(err)
	}
	return entries, !r.cut
}
