package cli

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// hostileTexts are values that a page may bring to make a mess of a table.
var hostileTexts = []string{
	"", "plain", "简体中文商品页，旗舰版官方旗舰店正品全国联保两年货号", "\x1b[2J\x1b[31mred", "a\u202eb\u2066c\u2028d", "\xff\xfe\xff",
	"e" + strings.Repeat("\u0301", 5000), strings.Repeat("\u200d", 300), strings.Repeat("👩‍👩‍👧‍👦", 40),
	strings.Repeat("x", 1<<20),
	"🇨🇳🇩🇪🇫🇷", "ﾊﾝｶｸ ｶﾅ", "한국어 텍스트", "line\r\nline\n\tline", strings.Repeat("W ", 500),
}

func TestNoLineOfATableIsWiderThanTheScreen(t *testing.T) {
	fitted := 0
	for width := leastWidth; width <= 160; width += 7 {
		for n := 1; n <= 8; n++ {
			columns := make([]column, n)
			for i := range columns {
				c := column{name: fmt.Sprintf("name_%d", i), kind: "text"}
				if i == 1 {
					c = column{name: "价格", kind: "decimal(10,2)", right: true, whole: true}
				}
				if i == 2 {
					c.cut = fitURL
				}
				for k := range 10 {
					text := cell(hostileTexts[(i*3+k)%len(hostileTexts)])
					if c.whole {
						text = strings.Repeat("9", k+1) + ".00"
					}
					c.cells = append(c.cells, text)
				}
				columns[i] = c
			}
			text := grid(columns, width)
			if text == "" {
				continue
			}
			fitted++
			lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
			if len(lines) != 12 {
				t.Fatalf("%d lines for 10 rows", len(lines))
			}
			for _, line := range lines {
				if cellWidth(line) > width || strings.ContainsAny(line, "\x1b\r\u202e") || len(line) > 20*width {
					t.Errorf("%d columns at %d: %d wide, %d bytes: %.200q", n, width, cellWidth(line), len(line), line)
				}
			}
			if n > 1 && !strings.Contains(text, "9999999999.00") {
				t.Errorf("%d columns at %d: a number was cut:\n%s", n, width, text)
			}
		}
	}
	if fitted < 20 {
		t.Errorf("only %d tables were laid out side by side", fitted)
	}
}

func TestATableIsLaidOutByTheWidthOfItsCharacters(t *testing.T) {
	columns := []column{
		{name: "title", kind: "text", cells: []string{"华为手机 Mate 60 Pro 旗舰版", "Cup", "x"}},
		{name: "price", kind: "decimal(10,2)", right: true, whole: true, cells: []string{"7999.00", "5.00", null}},
		{name: "url", kind: "url", cut: fitURL, cells: []string{
			"https://shop.example/item/1", "https://shop.example/i/2", "",
		}},
	}
	for _, c := range []struct {
		width int
		want  string
	}{
		{100, `
  title                                price  url
  text                         decimal(10,2)  url
  华为手机 Mate 60 Pro 旗舰版        7999.00  https://shop.example/item/1
  Cup                                   5.00  https://shop.example/i/2
  x                                     NULL
`}, {60, `
  title                         price  url
  text                  decimal(10,2)  url
  华为手机 Mate 60 Pr…        7999.00  https:…example/item/1
  Cup                            5.00  https:…op.example/i/2
  x                              NULL
`}, {40, "\n"},
	} {
		got := "\n" + grid(columns, c.width)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%d columns wide (-want +got):\n%s%s", c.width, diff, got)
		}
	}
}

func TestATextIsCutToAWidth(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"short", 5, "short"}, {"longer", 5, "long…"}, {"two words", 5, "two…"}, {"中文字", 6, "中文字"}, {"中文字", 5, "中文…"},
		{"中文字", 4, "中…"}, {"", 3, ""}, {"é" + strings.Repeat("\u0301", 3), 4, "é" + strings.Repeat("\u0301", 3)},
	} {
		if got := fit(c.text, c.width); got != c.want {
			t.Errorf("%q to %d: %q, want %q", c.text, c.width, got, c.want)
		}
	}
	for width, want := range map[int]string{
		40: "https://shop.example/item/12345", 20: "https:…le/item/12345", 12: "htt…em/12345",
	} {
		if got := fitURL("https://shop.example/item/12345", width); got != want {
			t.Errorf("a URL to %d: %q, want %q", width, got, want)
		}
	}
}

func TestLinesAreBrokenBetweenWordsOnATerminalOnly(t *testing.T) {
	text := "blocked: expected the page to contain \"h1\", and it does not; a run would ask again later"
	if got := (screen{width: 60}).wrap(text, 10); got != text {
		t.Errorf("in a pipe: %q", got)
	}
	want := "blocked: expected the page to contain \"h1\", and it\n          does not; a run would ask again later"
	if got := (screen{width: 60, terminal: true}).wrap(text, 10); got != want {
		t.Errorf("on a terminal: %q", got)
	}
	if got := (screen{}).red("x"); got != "x" {
		t.Errorf("colour without being asked for: %q", got)
	}
}

// FuzzFit: whatever a page says, it fits into its column and holds nothing that a terminal obeys.
func FuzzFit(f *testing.F) {
	for _, text := range hostileTexts[:len(hostileTexts)-6] {
		f.Add(text, 20)
	}
	f.Fuzz(func(t *testing.T, text string, width int) {
		if width < 4 || width > 300 || len(text) > 1<<16 {
			return
		}
		for _, got := range []string{fit(cell(text), width), fitURL(cell(text), width)} {
			if cellWidth(got) > width || !utf8.ValidString(got) || utf8.RuneCountInString(got) > max(width*maxRunes, maxURL)+1 {
				t.Errorf("%q in %d columns: %q is %d wide", text, width, got, cellWidth(got))
			}
			for _, r := range got {
				if r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e {
					t.Errorf("%q: %q", text, got)
				}
			}
		}
	})
}
