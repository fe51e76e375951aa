package cli

import "testing"

func TestAJobIsNamedAfterTheHostOfItsURL(t *testing.T) {
	for url, want := range map[string]string{
		"https://movies.example/page/1":      "movies",
		"https://www.movies.example:8443/":   "movies",
		"https://api.movies.example/v1":      "movies",
		"https://api.example/v1":             "api",
		"HTTPS://WWW.Movies.Example/":        "movies",
		"http://127.0.0.1:8080/page/1":       "page",
		"http://[::1]:8080/":                 "page",
		"http://localhost:8080/":             "page",
		"https://_dmarc.example/":            "page",
		"https://xn--fiq228c.example/":       "xn--fiq228c",
		"https://books.toscrape.com/index":   "books",
		"https://m.en.wiki.example/wiki/Dog": "wiki",
	} {
		if got := hostName(url); got != want {
			t.Errorf("%s makes %q, want %q", url, got, want)
		}
	}
}

func TestAURLStandsInTheJobAsItWasGiven(t *testing.T) {
	for given, want := range map[string]string{
		"https://movies.example/page/1#top": "https://movies.example/page/1",
		" https://movies.example/a?b=c ":    "https://movies.example/a?b=c",
		"https://movies.example/%7Ea/":      "https://movies.example/%7Ea/",
		"https://movies.example/电影":         "https://movies.example/%E7%94%B5%E5%BD%B1",
	} {
		if got, err := pageURL(given); err != nil || got != want {
			t.Errorf("%q stands there as %q (%v), want %q", given, got, err, want)
		}
	}
	for _, given := range []string{
		"", "movies.example", "ftp://movies.example/", "https://movies.example/{1..2}",
		"https://me:secret@movies.example/",
	} {
		if got, err := pageURL(given); err == nil {
			t.Errorf("%q was taken for %q", given, got)
		}
	}
}
