package export_test

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"dogear/export"
)

// Whatever a file holds: no panic, no entry that is no text, the same at each reading, and nothing of a whole beginning is
// lost by what stands behind it.
func FuzzALeftFileIsReadAsFarAsItIsWhole(f *testing.F) {
	for _, seed := range []string{dumped, indented, utf16(dumped), "", "{", `{"finished_urls": [1, 2`, `{"finished_urls": "https://a/1,https://a/2", "current_page": 1e3}`,
		`{"fail_urls": [null, {"a": [1]}, "\ud800", "http://a/\u0000"]}{"current_page": -0}`, "\xef\xbb\xbf{\"failed_ids\":[1.0]}\r\n", "[[[[", `{"finished_urls":"['a://1', 'b://2'"}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := export.OpenLeftJSON(jsonFile(t, text))
		if err != nil {
			return
		}
		defer c.Close()
		entries := 0
		for _, list := range []export.List{export.FinishedList, export.FailedList} {
			counted := [2]int{}
			for pass := range counted {
				err := c.Each(context.Background(), list, func(e export.Entry) error {
					counted[pass]++
					if e.Text == "" || !utf8.ValidString(e.Text) || e.Place.Key == "" || e.Place.Line < 1 || e.Place.Col < 1 {
						t.Errorf("entry %+v", e)
					}
					return nil
				}, func(d export.Damage) {
					if d.What == "" || d.Place.Key == "" {
						t.Errorf("damage %+v", d)
					}
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			if counted[0] != counted[1] {
				t.Errorf("%d entries, then %d", counted[0], counted[1])
			}
			entries += counted[0]
		}
		if p := c.Page(); p.Given && (p.Number < 0 || p.Place.Line < 1) {
			t.Errorf("page %+v", p)
		}
		if strings.HasPrefix(text, "{") && len(c.Damages()) == 0 {
			longer, err := export.OpenLeftJSON(jsonFile(t, text+"\x00"))
			if err != nil {
				t.Fatalf("with a byte behind it: %v", err)
			}
			defer longer.Close()
			l := readLeft(t, longer)
			if n := len(l.Finished) + len(l.Failed); n != entries {
				t.Errorf("%d entries, with a byte behind them %d", entries, n)
			}
		}
	})
}
