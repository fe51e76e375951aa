package draft_test

import (
	"strings"
	"testing"

	"dogear/crawl/draft"
	"dogear/crawl/job"
)

// What the comments at the end offer can be used as it stands there.
func TestHintsAreJobsThatLoad(t *testing.T) {
	tried := 0
	for _, path := range pages(t) {
		p := page(t, path)
		d, err := draft.Write(p, "shop")
		if err != nil {
			t.Fatal(err)
		}
		var hint strings.Builder
		for line := range strings.Lines(string(d.Text)) {
			if code, ok := strings.CutPrefix(line, "#   "); ok {
				hint.WriteString(code)
			}
		}
		text := hint.String()
		if text == "" || strings.HasPrefix(text, "next:") { // of a later version
			continue
		}
		tried++
		if !strings.Contains(text, "pages:") {
			text += "records: {fields: {a: {meta: url}}}\n"
		}
		if _, err := job.Parse("shop.yaml", []byte(text), nil); err != nil {
			t.Errorf("%s: %v\n%s", path, err, text)
		}
	}
	if tried < 8 {
		t.Errorf("only %d hints", tried)
	}
}

func TestTheEndOfARangeIsOnlyWhatThePageShows(t *testing.T) {
	item := "<div class=item><h2>%</h2><a class=name href=/i/%>x</a><p>% words</p></div>"
	var items strings.Builder
	for _, n := range []string{"1", "2", "3", "4"} {
		items.WriteString(strings.ReplaceAll(item, "%", n))
	}
	for _, c := range []struct{ name, url, links, start, next string }{
		{"numbers in a row and a link to the next: there may be more", "https://a.example/?page=1",
			"<a href='?page=2'>2</a><a href='?page=3'>3</a><a href='?page=2'>Next</a>", "?page=1", "the link"},
		{"a gap: the number behind it is the last", "https://a.example/?page=1",
			"<a href='?page=2'>2</a><a href='?page=9'>9</a><a href='?page=2'>Next</a>", "?page={1..9}", "pages 1 to 9"},
		{"a link that says that it is the last", "https://a.example/?page=1",
			"<a href='?page=2'>Next</a><a href='?page=2'>Last</a>", "?page={1..2}", "pages 1 to 2"},
		{"all there are, and none that is the next", "https://a.example/?page=3",
			"<a href='?page=1'>1</a><a href='?page=2'>2</a>", "?page={1..3}", "pages 1 to 3"},
		{"pages that count from 0", "https://a.example/?page=0",
			"<a href='?page=1'>1</a><a href='?page=7'>7</a>", "?page={0..7}", "pages 0 to 7"},
		{"no page in the URL", "https://a.example/?q=1", "<a href='?page=2'>2</a><a href='?page=9'>9</a>", "?q=1", ""},
		{"a next page on another host", "https://a.example/?q=1",
			"<a rel=next href='https://b.example/'>Next</a>", "?q=1", ""},
		{"a next page that a script makes", "https://a.example/?q=1",
			"<a class=next href='#'>Next</a><a href='javascript:next()'>Next</a>", "?q=1", ""},
		{"a link without a name", "https://a.example/?q=1",
			"<a href='?q=2'>&gt;</a>", "?q=1", `the link a:contains(">")@href`},
		{"a headline about the next thing", "https://a.example/?q=1",
			"<a href='?q=2'>The next big thing in telephones is here at last</a>", "?q=1", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := write(c.url, "text/html", items.String()+c.links)
			if err != nil {
				t.Fatal(err)
			}
			loads(t, d.Text)
			start := strings.Contains(string(d.Text), "start: https://a.example/"+c.start+"\n")
			if !start || !strings.HasPrefix(d.Next, c.next) || c.next == "" && d.Next != "" {
				t.Errorf("next is %q\n%s", d.Next, d.Text)
			}
		})
	}
}
