package draft_test

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"testing"

	"dogear/crawl/job"
)

// hostiles are texts that mean something to YAML, to the loader, to a terminal or to a selector.
var hostiles = []string{
	"a\nstart: https://evil.example/", "${HOME}", "$${HOME}", "${", "a ${x", "\"", "'", "\\", "\\\"", "}", "{", "[", "*", "&a", "# x",
	" # x", "a: b",
	"\u2028x", "\u0085", "\x1b[31m", "\u202e", "\ufeff", "\U000f007d", "\x00", "\t", "no", "null", "~", "", " ", "@x",
	"é", "价格", "a.b", "a b", "$", "$.x",
	strings.Repeat("x", 5000), "</li><li>", "-->",
}

func TestHostileMembersOfJSONStayInTheirPlace(t *testing.T) {
	for _, hostile := range hostiles {
		t.Run(fmt.Sprintf("%.20q", hostile), func(t *testing.T) {
			item := func(n int) map[string]any {
				return map[string]any{"id": n, hostile: hostile, "in": map[string]any{hostile: n}}
			}
			body, err := json.Marshal(map[string]any{hostile: []any{item(1), item(2), item(3)}, "next": hostile, "x": hostile})
			if err != nil {
				t.Fatal(err)
			}
			d, err := write("https://shop.example/v1", "application/json", string(body))
			if err != nil {
				t.Fatal(err)
			}
			unharmed(t, d.Text)
			unwritable := strings.ContainsAny(hostile, "\x00\n\t\x1b\u0085\u2028\u202e\ufeff\U000f007d")
			if !unwritable && len(hostile) < 200 {
				j := loads(t, d.Text)
				rec := j.Pages[0].Records[0]
				quoted := strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(hostile)
				if each := rec.Each[0].JSON; each != "$['"+quoted+"'][*]" && each != "$."+hostile+"[*]" {
					t.Errorf("each is %q", each)
				}
			}
		})
	}
}

func TestHostileTextsOfHTMLStayInTheirPlace(t *testing.T) {
	for _, hostile := range hostiles {
		t.Run(fmt.Sprintf("%.20q", hostile), func(t *testing.T) {
			var b strings.Builder
			h := html.EscapeString(hostile)
			fmt.Fprintf(&b, `<title>%[1]s</title><link rel="%[1]s next" href="/%[1]s"><div id="%[1]s" class="%[1]s">`, h)
			for i := range 4 {
				fmt.Fprintf(&b, `<div class="item %[1]s"><h2>%[2]d %[1]s</h2>`+
					`<a class="%[1]s" href="/%[2]d%[1]s" title="%[1]s">%[2]d</a>`+
					`<b itemprop="%[1]s" content="%[2]d%[1]s">x</b><i data-testid="%[1]s">%[1]s %[2]d</i></div>`, h, i)
			}
			fmt.Fprintf(&b, `</div><a class="%[1]s" href="/%[1]s">%[1]s next</a>`, h)
			d, err := write("https://shop.example/page/1", "text/html", b.String())
			if err != nil {
				t.Fatal(err)
			}
			unharmed(t, d.Text)
			if d.Records != 4 {
				t.Errorf("%d records, want 4\n%s", d.Records, d.Text)
			}
		})
	}
}

// unharmed wants a job that asks for nothing but the page, of lines that fit.
func unharmed(t *testing.T, text []byte) {
	t.Helper()
	j := loads(t, text)
	sole := len(j.Starts) == 1 && len(j.Pages) == 1 && len(j.Headers) == 0 && len(j.Proxies) == 0
	if !sole || j.Robots != job.Obey || j.Name != "shop" {
		t.Errorf("not the job that was drafted:\n%s", text)
	}
	if url := j.Starts[0].Request(0).URL; !strings.HasPrefix(url, "https://shop.example/") {
		t.Errorf("it starts with %s", url)
	}
	for line := range strings.Lines(string(text)) {
		if len([]rune(line)) > 300 {
			t.Errorf("a line of %d characters: %.100s", len(line), line)
		}
	}
}
