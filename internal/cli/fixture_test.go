package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/simplifiedchinese"

	"dogear/internal/practice"
)

const shopPages = `
start: [{url: "SITE/page/{1..3}", as: listing}, {sitemap: SITE/sitemap.xml, as: product}]
pages:
  listing:
    records:
      table: items
      each: .item
      fields: {title: h2, price: {css: .price, type: "decimal(10,2)"}, at: {meta: fetched_at}}
    follow: {css: a.name, as: product}
  product: {records: {table: products, fields: {title: h1, url: {meta: final_url}}}}
  text: {records: {table: texts, fields: {title: h1, common: h2, text: p.text, charset: meta@content}}}
`

// told is what a command printed, without the lines on where the page came from and went to.
func told(c *crawler) string {
	return regexp.MustCompile(`(?m)^(answer .*|Saved as .*)\n`).ReplaceAllString(c.said(), "")
}

// savedAs is the file that try says it made.
func savedAs(t *testing.T, c *crawler) string {
	t.Helper()
	m := regexp.MustCompile(`(?m)^Saved as (\S+); what is known of it is in (\S+)\.$`).FindStringSubmatch(c.said())
	if m == nil || m[2] != m[1]+".json" {
		t.Fatalf("nothing was saved:\n%s", c.said())
	}
	return m[1]
}

func TestASavedPageGivesTheSameAgainWithoutARequest(t *testing.T) {
	p := site(t, practice.Options{Pages: 3, Faults: []practice.Fault{
		{Path: "/page/3", Script: "captcha*"}, {Path: "/detail/4", Script: "redirect:/detail/5"}}})
	path := writeJob(t, "shop.yaml", strings.ReplaceAll(shopPages, "SITE", p.URL))
	dir := filepath.Join(t.TempDir(), "new", "pages")
	for _, c := range []struct{ at, as, ext string }{
		{"/page/2", "listing", ".html"}, {"/page/3", "listing", ".html"}, {"/detail/4", "product", ".html"},
		{"/charset/gbk/meta", "text", ".html"}, {"/charset/shift_jis/header", "text", ".html"},
		{"/sitemap.xml", "sitemap > product", ".xml"}, {"/sitemap-2.xml.gz", "sitemap > product", ".xml"},
		{"/v1/product/1", "product", ".json"},
	} {
		code := 0
		if c.ext == ".json" { // it is no HTML
			code = 1
		}
		fetched := dogearRun(t, code, "try", path, p.URL+c.at, "--as", c.as, "--save", dir)
		file := savedAs(t, fetched)
		if filepath.Dir(file) != dir || filepath.Ext(file) != c.ext {
			t.Errorf("%s is saved as %s", c.at, file)
		}
		reset(t, p)
		again := dogearRun(t, code, "try", path, "--file", file)
		if diff := cmp.Diff(told(fetched), told(again)); diff != "" {
			t.Errorf("%s (-fetched +from the file):\n%s", c.at, diff)
		}
		if counts := must(p.Counts()); len(counts) > 0 {
			t.Errorf("%s: asked for %v", c.at, counts)
		}
	}
}

// Twice the same page, and one whose name is taken: nothing is overwritten.
func TestSavingAPageNeverOverwrites(t *testing.T) {
	p := site(t, practice.Options{Pages: 3})
	path := writeJob(t, "shop.yaml", strings.ReplaceAll(shopPages, "SITE", p.URL))
	dir := t.TempDir()
	first := savedAs(t, dogearRun(t, 0, "try", path, "--save", dir))
	text, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	third := strings.TrimSuffix(first, ".html") + "-3.html.json"
	if err := os.WriteFile(third, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, end := range []string{"-2.html", "-4.html"} {
		again := savedAs(t, dogearRun(t, 0, "try", path, p.URL+"/page/1", "--as", "listing", "--save", dir))
		if again != strings.TrimSuffix(first, ".html")+end {
			t.Errorf("saved as %s", again)
		}
	}
	now, err := os.ReadFile(first)
	if err != nil || string(now) != string(text) {
		t.Errorf("the first one was changed: %v", err)
	}
	if mine, err := os.ReadFile(third); err != nil || string(mine) != "mine" {
		t.Errorf("%q, %v", mine, err)
	}
	if _, err := os.Stat(strings.TrimSuffix(third, ".json")); err == nil {
		t.Error("a page was left without what stands beside it")
	}
}

// A file that a browser saved, in the charset that the page declares.
func TestAPageInGBKIsReadFromAFile(t *testing.T) {
	text, _ := practice.TextOf("gbk")
	html := `<html><head><meta http-equiv="Content-Type" content="text/html; charset=gbk"></head><h1>` + text.Title +
		`</h1><a href="/找?词=书">x</a>`
	encoded, err := simplifiedchinese.GBK.NewEncoder().String(html)
	if err != nil {
		t.Fatal(err)
	}
	path := writeJob(t, "gbk.yaml", "start: http://shop.example/\nrecords: {fields: {title: h1}}\nfollow: {css: a}\n")
	file := filepath.Join(filepath.Dir(path), "page.html")
	if err := os.WriteFile(file, []byte(encoded), 0o644); err != nil {
		t.Fatal(err)
	}
	said := dogearRun(t, 0, "try", path, "--file", file, "--url", "http://shop.example/").said()
	for _, want := range []string{"charset   gb18030, as the page says of itself\n", "title  text  " + text.Title + "\n",
		"http://shop.example/%E6%89%BE?%B4%CA=%CA%E9\n"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in:\n%s", want, said)
		}
	}
}

// evilPage has in every place what a terminal would obey.
const evilPage = "<h1>a\x1b[2Jb\u202ec\x1b]0;title\x07</h1><b class='\x1b[31m'>x\x9b1m</b>" +
	"<a href='/x?\x1b[1m=1'>1</a><a href='/b?b=2&a=1#f'>2</a><a href='HTTP://SITE:80/b/../c'>3</a><i>\x1bP</i>"

func TestNothingOfASiteIsObeyedByTheTerminal(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, evilPage)
	}))
	defer s.Close()
	path := writeJob(t, "evil.yaml", strings.ReplaceAll(`
start: "SITE/"
robots: ignore
expect: {contains: h1, absent: b, records: 1}
records:
  - {table: one, fields: {title: h1, class: "b@class", n: {css: i, type: int}}}
  - {table: two, fields: {n: {css: h1, type: int, required: true}, class: "b@class"}}
follow: {css: a}
`, "SITE", s.URL))
	said := dogearRun(t, 1, "try", path).said()
	if i := strings.IndexFunc(said, func(r rune) bool {
		return r != '\n' && (r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e)
	}); i >= 0 {
		t.Errorf("%q", said[max(0, i-40):i+10])
	}
	for _, want := range []string{
		"✓ contains h1", "✗ absent b", "! n: `i` says", "rejected two.n: required", "a run keeps none of", "/x?%1B[1m=1",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in:\n%s", want, said)
		}
	}
}

// The page repeats the key that it was asked with: a fixture goes into a repository.
func TestASavedPageHasNoSecretInIt(t *testing.T) {
	t.Setenv("API_KEY", "hunter2hunter2")
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Set-Cookie", "session=hunter2hunter2")
		fmt.Fprintf(w, `<h1>%s</h1><a href="/next?key=%[1]s">2</a>`, r.URL.Query().Get("key"))
	}))
	defer s.Close()
	path := writeJob(t, "keyed.yaml", strings.ReplaceAll(`
start: "SITE/?key=${API_KEY}"
robots: ignore
records: {fields: {title: h1, next: {css: a@href, type: url}, final: {meta: final_url}}}
follow: {css: a}
`, "SITE", s.URL))
	dir := t.TempDir()
	fetched := dogearRun(t, 0, "try", path, "--save", dir)
	file := savedAs(t, fetched)
	again := dogearRun(t, 0, "try", path, "--file", file)
	if diff := cmp.Diff(told(fetched), told(again)); diff != "" {
		t.Errorf("(-fetched +from the file):\n%s", diff)
	}
	all := fetched.said() + again.said() + file
	for _, name := range []string{file, file + ".json"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all += string(text)
	}
	if strings.Contains(all, "hunter2") || strings.Count(all, "${API_KEY}") < 8 {
		t.Error(all)
	}
	var side map[string]any
	err := json.Unmarshal(must(os.ReadFile(file+".json")), &side)
	if err != nil || side["url"] != s.URL+"/?key=${API_KEY}" {
		t.Errorf("%v, %v", side, err)
	}
}
