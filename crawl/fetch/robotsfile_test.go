package fetch

import (
	"strings"
	"testing"
	"time"
)

// wantAllowed asks a robots.txt, for the crawler named, about paths as they are sent; those that begin with ! are
// denied.
func wantAllowed(t *testing.T, text, token string, paths ...string) {
	t.Helper()
	file := parseRobots([]byte(text), token)
	for _, path := range paths {
		path, denied := strings.CutPrefix(path, "!")
		if got := file.denied(path); (got != nil) != denied {
			t.Errorf("%q, %s: %s is denied by %v, want denied %v", text, token, path, got, denied)
		}
	}
}

// The simple example of RFC 9309, 5.1.
func TestTheRFCsSimpleExample(t *testing.T) {
	const text = `User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
EOF
`
	wantAllowed(t, text, "dogear", "!/a.gif", "/a.gif?x", "!/example/page.html", "/publications/", "/",
		"/publications/a.gif")
	wantAllowed(t, text, "foobot", "!/", "!/x", "/example/page.html", "/example/allowed.gif", "!/example/page.htm",
		"/robots.txt")
	for _, token := range []string{"barbot", "BazBot"} {
		wantAllowed(t, text, token, "!/example/page.html", "/example/allowed.gif", "/a.gif", "/")
	}
	wantAllowed(t, text, "quxbot", "/", "/example/page.html", "/a.gif")
}

// The longest match, RFC 9309, 5.2, and what 2.2.2 says of equally long ones.
func TestTheLongestMatchWinsAndAllowOfEquals(t *testing.T) {
	const longest = "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n"
	wantAllowed(t, longest, "foobot", "/example/page/", "!/example/page/disallowed.gif", "/example/page/allowed.gif")
	for text, path := range map[string]string{
		"Disallow: /page\nAllow: /page":             "/page",
		"Allow: /page\nDisallow: /page":             "/page",
		"Disallow: /\nAllow: /p":                    "/page",
		"Allow: /\nDisallow: /p":                    "!/page",
		"Allow: /page\nDisallow: /*.html":           "!/page.html", // 7 octets over 5
		"Allow: /$\nDisallow: /":                    "/",
		"Allow: /folder\nDisallow: /folder/":        "!/folder/page",
		"Allow: /page\nDisallow: /*.ht":             "/page.htm", // equally long
		"Disallow: /\nAllow: /a.b+c(d":              "/a.b+c(d)", // no part of it is an expression
		"Disallow: /shops\nAllow: /%73%68%6f%70":    "!/shops",   // an escape is one octet
		"Disallow: /\nAllow: /*\nDisallow: /ab":     "!/ab",
		"Disallow: /*/private/\nAllow: /a/private":  "!/a/private/x",
		"Disallow: /a/private\nAllow: /*/private/x": "/a/private/x",
	} {
		wantAllowed(t, "User-agent: *\n"+text, "dogear", path)
	}
}

// RFC 9309, 2.2.3.
func TestStarsAndDollarsAreSpecialInRulesOnly(t *testing.T) {
	for pattern, paths := range map[string][]string{
		"/this/*/exactly": {"!/this/path/exactly", "!/this/a/b/exactly/x", "/this/exactly",
			"/x/this/path/exactly"},
		"/path/file-with-a-%2A.html": {"!/path/file-with-a-*.html", "!/path/file-with-a-%2a.html",
			"/path/file-with-a-b.html"},
		"/path/foo-%24": {"!/path/foo-$", "!/path/foo-$x", "/path/foo-"},
		"/*.php$":       {"!/a.php", "!/a.php.php", "/a.php?x", "/a.php5", "/a.PHP"},
		"/fish": {"!/fish", "!/fish.html", "!/fish/salmon", "!/fish?id=1", "/Fish", "/catfish",
			"/?id=fish"},
		"/fish*":    {"!/fish", "!/fishheads", "/Fish.asp"},
		"/fish/":    {"!/fish/", "!/fish/?id=1", "/fish", "/fish.html"},
		"/a$b":      {"!/a$b", "/a"},
		"/a**b":     {"!/ab", "!/axb"},
		"*/private": {"!/private", "!/x/private/y"},
		"/*":        {"!/", "!/x"},
		"*":         {"!/", "!/x"},
		"/$":        {"!/", "/?a", "/x"},
		"$":         {"/x"},
		"/*a*a$":    {"!/aa", "!/aba", "/a", "/ab"},
		"private":   {"!/private", "/x"},
		"/search?":  {"!/search?", "!/search?q=1", "/search"},
		"/*?":       {"!/a?b", "/a"},
		"":          {"/", "/x"},
	} {
		wantAllowed(t, "User-agent: *\nDisallow: "+pattern, "dogear", paths...)
	}
}

// The table of RFC 9309, 2.2.2: path of the rule, path of the URL.
func TestEscapesAreComparedAsTheRFCSays(t *testing.T) {
	for _, c := range []struct {
		rule, path string
		same       bool
	}{
		{"/foo/bar?baz=quz", "/foo/bar?baz=quz", true},
		{"/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar", true},
		{"/foo/bar/\u30c4", "/foo/bar/%E3%83%84", true},
		{"/foo/bar/%E3%83%84", "/foo/bar/%e3%83%84", true},
		{"/foo/bar/%62%61%7A", "/foo/bar/baz", true},
		{"/foo/bar/baz", "/foo/bar/%62%61%7a", true},
		{"/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar", true},
		{"/*https://", "/foo?u=https%3a%2f%2fx", true},
		{"/a%2Fb", "/a/b", false}, // another path
		{"/a/b", "/a%2fb", false},
		{"/a?b%26c", "/a?b&c", false},
		{"/a%3Fb", "/a?b", false},
		{"/%7Ea", "/~a", true},
		{"/a b", "/a%20b", true},
		{"/caf\xe9", "/caf%E9", true}, // the file is Latin-1, and so are the site's links
		{"/100%", "/100%", true},
		{"/%zz", "/%zz", true},
		{"/a+b", "/a%2Bb", false},
	} {
		denied := "!"
		if !c.same {
			denied = ""
		}
		wantAllowed(t, "User-agent: *\nDisallow: "+c.rule, "dogear", denied+c.path)
	}
}

// RFC 9309, 2.2.1: one name, in any case; all of its groups together; * only for those who have none.
func TestTheGroupIsThatOfTheProductToken(t *testing.T) {
	const text = `Disallow: /nobody
User-agent: dog
Disallow: /dog
User-agent: *
Disallow: /all
User-agent: DogEar/2.0
Crawl-delay: 5
Sitemap: https://shop.example/sitemap.xml
User-Agent : other # and this one
disallow /first
User-agent: dogear-images
Disallow: /images
USER-AGENT:dogear
Disallow: /second`
	wantAllowed(t, text, "dogear", "!/first", "!/second", "/dog", "/all", "/images", "/nobody")
	wantAllowed(t, text, "OTHER", "!/first", "/second")
	wantAllowed(t, text, "someone", "!/all", "/first", "/nobody")
	wantAllowed(t, text, "dogear-images", "!/images", "/first")
	for token, want := range map[string]time.Duration{"dogear": 5 * time.Second, "other": 0, "someone": 0} {
		if got := parseRobots([]byte(text), token).delay; got != want {
			t.Errorf("%s waits %v, want %v", token, got, want)
		}
	}
	wantAllowed(t, "User-agent: *\nDisallow: /\nUser-agent: dogear\nDisallow:\n", "dogear", "/x")
}

func TestAFileOfAnySortIsRead(t *testing.T) {
	utf16 := "\xff\xfe"
	for _, c := range "User-agent: *\nDisallow: /x" {
		utf16 += string(c) + "\x00"
	}
	for name, text := range map[string]string{
		"a byte order mark":   "\xef\xbb\xbfUser-agent: *\nDisallow: /x",
		"UTF-16":              utf16,
		"CR LF":               "User-agent: *\r\nDisallow: /x\r\n",
		"CR":                  "User-agent: *\rDisallow: /x\r",
		"comments":            "# hello\nUser-agent: * # all\n\n# not this\nDisallow: /x# or this\n",
		"white space":         "\t User-agent \t:\t * \n  Disallow  :  /x  \n",
		"lines that are none": "<html>\nUser-agent: *\nNoindex: /y\n:\n: /z\nDisallow\nDisallow: /x\n\x00\xff",
		"a bad delay":         "User-agent: *\nCrawl-delay: soon\nCrawl-delay: -1\nCrawl-delay: NaN\nDisallow: /x",
		"something before":    "Allow: /\nCrawl-delay: 3\nUser-agent: *\nDisallow: /x",
	} {
		file := parseRobots([]byte(text), "dogear")
		if file.denied("/x") == nil || file.denied("/y") != nil || file.delay != 0 {
			t.Errorf("%s: %+v", name, file)
		}
	}
	wantAllowed(t, "<!DOCTYPE html>\n<html><body><p>User-agent: *</p><p>Disallow: /</p></body></html>", "dogear", "/",
		"/x")
	wantAllowed(t, "", "dogear", "/")
}

func TestNoMoreThan500KiBAreRead(t *testing.T) {
	const head = "User-agent: *\nDisallow: /x\n"
	fill := strings.Repeat("#", robotsLimit-len(head)-12)
	cut := parseRobots([]byte(head+fill+"\nDisallow: /abc\n"), "dogear") // the limit is after "Disallow: /"
	if cut.denied("/x") == nil || cut.denied("/ab") != nil || cut.denied("/abc") != nil {
		t.Errorf("%+v", cut)
	}
}

func TestARuleIsNamedByItsLine(t *testing.T) {
	file := parseRobots([]byte("# first\r\n\r\nUser-agent: *\n  Disallow: /a  # why\n"), "dogear")
	if r := file.denied("/a"); r == nil || r.line != 4 || r.text != "Disallow: /a  # why" {
		t.Errorf("%+v", r)
	}
}

func TestTheProductTokenIsThatOfTheUserAgent(t *testing.T) {
	for agent, want := range map[string]string{
		"dogear/1.0 (resumable crawler)": "dogear",
		"dogear (+resumable crawler)":    "dogear",
		"ExampleBot":                     "ExampleBot",
		"Mozilla/5.0 (compatible; ExampleBot/0.1; https://www.example.com/bot.html)": "ExampleBot", // RFC 9309, 2.2.1
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/120.0":            "Mozilla",
		"Mozilla/5.0 (compatible;)": "Mozilla",
		"  shop-bot/2":              "shop-bot",
		"":                          "",
	} {
		if got := productToken(agent); got != want {
			t.Errorf("%q is %q, want %q", agent, got, want)
		}
	}
}

func FuzzARobotsFileNeverBreaksTheCrawl(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /*a*b$\nAllow: /%7e\nCrawl-delay: 1e400\n", "/a?b=%3A")
	f.Add("\xff\xfeU\x00", "/")
	f.Add("User-agent: dogear\rDisallow: *$", "/%")
	f.Fuzz(func(t *testing.T, text, path string) {
		file := parseRobots([]byte(text), "dogear")
		if file.delay < 0 || file.delay > maxCrawlDelay {
			t.Errorf("a delay of %v", file.delay)
		}
		if r := file.denied(path); r != nil && (r.line < 1 || r.allow) {
			t.Errorf("%+v", r)
		}
	})
}
