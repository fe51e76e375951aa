package schema

import (
	"errors"
	"strings"
	"testing"
)

func TestLinksAreReadAsBrowsersReadThem(t *testing.T) {
	const base = "https://Shop.example:443/list/page?p=1#here"
	for ref, want := range map[string]string{
		"https://a.example/x":      "https://a.example/x",
		"https://a.example/x#frag": "https://a.example/x",
		"/p/1":                     "https://shop.example/p/1",
		"p/1":                      "https://shop.example/list/p/1",
		"../p":                     "https://shop.example/p",
		"./":                       "https://shop.example/list/",
		"?p=2":                     "https://shop.example/list/page?p=2",
		"?":                        "https://shop.example/list/page?",
		"#top":                     "https://shop.example/list/page?p=1",
		"":                         "https://shop.example/list/page?p=1",
		"//cdn.example/x":          "https://cdn.example/x",
		`\\cdn.example\x`:          "https://cdn.example/x",
		`\p\1`:                     "https://shop.example/p/1",
		" \t/p/1\n ":               "https://shop.example/p/1",
		"/p/\n1":                   "https://shop.example/p/1",
		"/a b/价?q=价 格":             "https://shop.example/a%20b/%E4%BB%B7?q=%E4%BB%B7%20%E6%A0%BC",
		"HTTPS://A.example":        "https://a.example/",
		"https:p":                  "https://shop.example/list/p",
		"http:///a.example/x":      "http://a.example/x",
		"https://bücher.example/":  "https://xn--bcher-kva.example/",
		"http://0x7f.1/":           "http://127.0.0.1/",
		"/Path/%c3%a9?B=2&A=1":     "https://shop.example/Path/%c3%a9?B=2&A=1",
		"/.well-known/x":           "https://shop.example/.well-known/x",
		"/a/../b":                  "https://shop.example/b",
		"/100%":                    "https://shop.example/100%",
	} {
		if got, err := Resolve(base, ref); err != nil || got != want {
			t.Errorf("%q is %q, %v; want %q", ref, got, err, want)
		}
	}
}

func TestWhatIsNoWebLinkIsRefused(t *testing.T) {
	for _, ref := range []string{
		"javascript:void(0)", "JavaScript:alert(1)", " java\nscript:x", "mailto:a@b.example", "data:text/html,x", "tel:1",
		"ftp://a.example/", "file:///etc/passwd", "blob:https://a.example/x", "ws://a.example/",
	} {
		if got, err := Resolve("https://a.example/", ref); !errors.Is(err, ErrNotWeb) {
			t.Errorf("%q is %q, %v; want ErrNotWeb", ref, got, err)
		}
	}
	for _, ref := range []string{"http://", "http://a b/", "http://[::1", "http://a.example:99999/", "http://user:secret@:x/"} {
		got, err := Resolve("https://a.example/", ref)
		if err == nil {
			t.Errorf("%q is %q, want an error", ref, got)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("the error shows a password: %v", err)
		}
	}
}

func TestAnAbsoluteLinkNeedsNoBase(t *testing.T) {
	for _, base := range []string{"", "not a base", "mailto:x"} {
		if got, err := Resolve(base, "https://a.example/ä"); err != nil || got != "https://a.example/%C3%A4" {
			t.Errorf("base %q: %q, %v", base, got, err)
		}
		if got, err := Resolve(base, "/p"); err == nil {
			t.Errorf("base %q: /p is %q, want an error", base, got)
		}
	}
}

func TestKeysAreNormalised(t *testing.T) {
	for url, want := range map[string]string{
		"HTTP://A.Example:80/x#y":         "http://a.example/x",
		"https://a.example:443":           "https://a.example/",
		"https://a.example:8443/":         "https://a.example:8443/",
		"https://a.example:080/":          "https://a.example:80/",
		"https://a.example/a/./b/../c":    "https://a.example/a/c",
		"https://a.example/%e4%bb%b7":     "https://a.example/%E4%BB%B7",
		"https://a.example/价":             "https://a.example/%E4%BB%B7",
		"https://a.example/?q=%c3%a9&x=é": "https://a.example/?q=%C3%A9&x=%C3%A9",
		"http://127.0.0.1:8080/p/1":       "http://127.0.0.1:8080/p/1",
		"http://127.0.0.01/":              "http://127.0.0.1/",
	} {
		if got := KeyURL(url); got != want {
			t.Errorf("%s is %s, want %s", url, got, want)
		}
	}
}

// scrapy #1941, crawlee-python #2008, browsertrix #982: normalising went on until another page was meant.
func TestKeysKeepWhatMayMeanAnotherPage(t *testing.T) {
	for _, url := range []string{
		"https://a.example/Path/To", "https://a.example/path/to/", "https://a.example/path//to",
		"https://a.example/?b=2&a=1", "https://a.example/?a=1&b=2", "https://a.example/?a", "https://a.example/?a=", "https://a.example/?",
		"https://a.example/index.html", "https://www.a.example/", "http://a.example/", "https://a.example/?utm_source=x",
		"https://a.example/a%2Fb", "https://a.example/a+b", "https://a.example/a%20b", "https://a.example/%7Ea", "https://a.example/~a",
		"https://a.example/;v=1", "https://a.example/?q=1&q=1", "ftp://A.example/", "no url", "",
	} {
		if got := KeyURL(url); got != url {
			t.Errorf("%s became %s", url, got)
		}
	}
}

func TestAPlainURLCostsNoAllocation(t *testing.T) {
	for _, url := range []string{"https://api.example.com/v1/product/50000", "http://127.0.0.1:8080/list?page=2&q=%E4%BB%B7#x"} {
		if n := testing.AllocsPerRun(100, func() { KeyURL(url) }); n != 0 {
			t.Errorf("%s: %v allocations", url, n)
		}
	}
}

func TestALinkWithoutEndIsRefused(t *testing.T) {
	for _, ref := range []string{
		"data:image/png;base64," + strings.Repeat("A", 1<<20), "http://" + strings.Repeat("@", 1<<20) + "/", "p?" + strings.Repeat(" ", 1<<20) + "x",
	} {
		if _, err := Resolve("https://a.example/", ref); err == nil {
			t.Errorf("%.20s… is a link", ref)
		}
	}
	long := "https://a.example/ä" + strings.Repeat("x", 1<<20)
	if got := KeyURL(long); got != long {
		t.Error("a URL too long to parse is not its own key")
	}
}
