package schema

import "testing"

// In the shape of the URL Standard's own tests: a link, its base, what it comes to; "" is no web address.
func TestLinksResolveAsTheURLStandardSays(t *testing.T) {
	const base = "http://a.example/b/c/d;p?q"
	for _, c := range []struct{ ref, want string }{
		// RFC 3986, 5.4, which the Standard agrees with but for "http:g".
		{"g", "http://a.example/b/c/g"}, {"./g", "http://a.example/b/c/g"}, {"g/", "http://a.example/b/c/g/"},
		{"/g", "http://a.example/g"}, {"//g", "http://g/"}, {"?y", "http://a.example/b/c/d;p?y"}, {"g?y",
			"http://a.example/b/c/g?y"},
		{"#s", "http://a.example/b/c/d;p?q"}, {"g#s", "http://a.example/b/c/g"}, {";x", "http://a.example/b/c/;x"},
		{"g;x", "http://a.example/b/c/g;x"}, {"", base}, {".", "http://a.example/b/c/"}, {"./", "http://a.example/b/c/"},
		{"..", "http://a.example/b/"}, {"../", "http://a.example/b/"}, {"../g", "http://a.example/b/g"}, {"../..",
			"http://a.example/"},
		{"../../g", "http://a.example/g"}, {"../../../g", "http://a.example/g"}, {"/./g", "http://a.example/g"},
		{"/../g", "http://a.example/g"}, {"g.", "http://a.example/b/c/g."}, {".g", "http://a.example/b/c/.g"},
		{"g..", "http://a.example/b/c/g.."}, {"..g", "http://a.example/b/c/..g"}, {"./../g", "http://a.example/b/g"},
		{"./g/.", "http://a.example/b/c/g/"}, {"g/./h", "http://a.example/b/c/g/h"}, {"g/../h", "http://a.example/b/c/h"},
		{"g;x=1/./y", "http://a.example/b/c/g;x=1/y"}, {"g;x=1/../y", "http://a.example/b/c/y"},
		{"g?y/../x", "http://a.example/b/c/g?y/../x"}, {"http:g", "http://a.example/b/c/g"},

		// What pages have in them.
		{" \t\n g \r\f", "http://a.example/b/c/g"}, {"g\th\ni\rj", "http://a.example/b/c/ghij"}, {"\x00g\x1f",
			"http://a.example/b/c/g"},
		{"g h", "http://a.example/b/c/g%20h"}, {"?g h", "http://a.example/b/c/d;p?g%20h"}, {`g\h`,
			"http://a.example/b/c/g/h"},
		{`?g\h`, `http://a.example/b/c/d;p?g\h`}, {`\\h\x`, "http://h/x"}, {`/\h/x`, "http://h/x"}, {"////h/x", "http://h/x"},
		{"é?é#é", "http://a.example/b/c/%C3%A9?%C3%A9"}, {"%e9", "http://a.example/b/c/%e9"}, {"g%",
			"http://a.example/b/c/g%"},
		{"?'", "http://a.example/b/c/d;p?%27"}, {"[g]", "http://a.example/b/c/[g]"}, {"?{g}|",
			"http://a.example/b/c/d;p?{g}|"},
		{"%2e%2E/g", "http://a.example/b/g"}, {"g#h#i", "http://a.example/b/c/g"}, {"1:2", "http://a.example/b/c/1:2"},
		{"//u:p@h/", "http://u:p@h/"}, {"//h:0/", "http://h:0/"}, {"//H:80/G", "http://h/G"},
		{"//bücher.example/ü", "http://xn--bcher-kva.example/%C3%BC"}, {"//[::0001]:8080/", "http://[::1]:8080/"},

		{"//", ""}, {"a:b", ""}, {"javascript:g", ""}, {"JavaScript:g", ""}, {"java\nscript:g", ""},
		{"mailto:g@h.example", ""},
		{"data:,g", ""}, {"tel:1", ""}, {"sms:1", ""}, {"about:blank", ""}, {"ftp://h/", ""}, {"//h:65536/", ""},
		{"//h h/", ""}, {"//[g]/", ""},
	} {
		got, err := Resolve(base, c.ref)
		if want := c.want; got != want || (err != nil) != (want == "") {
			t.Errorf("%q is %q, %v; want %q", c.ref, got, err, want)
		}
	}
}

// Each clause of what a key is: the two URLs are one task, or two.
func TestTwoURLsAreOneTaskOrTwo(t *testing.T) {
	for _, c := range []struct {
		clause, a, b string
		same         bool
	}{
		{"the case of the scheme", "HTTP://a.example/", "http://a.example/", true},
		{"the case of the host", "http://A.Example/", "http://a.example/", true},
		{"another scheme", "http://a.example/", "https://a.example/", false},
		{"the default port", "http://a.example:80/", "http://a.example/", true},
		{"the default port of https", "https://a.example:443/", "https://a.example/", true},
		{"that of the other scheme", "http://a.example:443/", "http://a.example/", false},
		{"a port of none", "http://a.example:/", "http://a.example/", true},
		{"another port", "http://a.example:8080/", "http://a.example/", false},
		{"a fragment", "http://a.example/#x", "http://a.example/", true},
		{"an empty fragment", "http://a.example/?a#", "http://a.example/?a", true},
		{"no path", "http://a.example", "http://a.example/", true},
		{"no path before a query", "http://a.example?a", "http://a.example/?a", true},
		{"dot segments", "http://a.example/a/./b/../c", "http://a.example/a/c", true},
		{"dot segments in escapes", "http://a.example/a/%2E%2e/c", "http://a.example/c", true},
		{"dots in a query", "http://a.example/?a/../b", "http://a.example/?b", false},
		{"the case of an escape", "http://a.example/%2f?%c3%a9", "http://a.example/%2F?%C3%A9", true},
		{"an escape of what is reserved", "http://a.example/a%2Fb", "http://a.example/a/b", false},
		{"an escape of what is not", "http://a.example/%41", "http://a.example/A", false}, // no server need take them for one
		{"letters and their escapes", "http://a.example/é?é", "http://a.example/%C3%A9?%c3%a9", true},
		{"a space", "http://a.example/a b", "http://a.example/a%20b", true},
		{"a plus", "http://a.example/?a+b", "http://a.example/?a%20b", false},
		{"the case of the path", "http://a.example/Path", "http://a.example/path", false},
		{"a slash at the end", "http://a.example/a", "http://a.example/a/", false},
		{"two slashes", "http://a.example/a//b", "http://a.example/a/b", false},
		{"a backslash", `http://a.example\a`, "http://a.example/a", true},
		{"the order of a query", "http://a.example/?a=1&b=2", "http://a.example/?b=2&a=1", false},
		{"?a and ?a=", "http://a.example/?a", "http://a.example/?a=", false},
		{"an empty query", "http://a.example/?", "http://a.example/", false},
		{"a name in Punycode", "http://bücher.example/", "http://xn--bcher-kva.example/", true},
		{"capitals in letters", "http://BÜCHER.example/", "http://bücher.example/", true},
		{"full-width letters", "http://ａ.example/", "http://a.example/", true},
		{"a dot at the end of the host", "http://a.example./", "http://a.example/", false},
		{"www", "http://www.a.example/", "http://a.example/", false},
		{"a user", "http://u:p@a.example/", "http://a.example/", false},
		{"another user", "http://u:p@a.example/", "http://v:p@a.example/", false},
		{"an empty user", "http://@a.example/", "http://a.example/", true},
		{"IPv6", "http://[2001:DB8:0::0001]:80/", "http://[2001:db8::1]/", true},
		{"IPv4 in another notation", "http://0x7f.1/", "http://127.0.0.1/", true},
	} {
		if got := KeyURL(c.a) == KeyURL(c.b); got != c.same {
			t.Errorf("%s: %s and %s are %s and %s, want the same: %v", c.clause, c.a, c.b, KeyURL(c.a), KeyURL(c.b), c.same)
		}
		for _, url := range []string{c.a, c.b} {
			if key := KeyURL(url); KeyURL(key) != key {
				t.Errorf("the key of %s, %s, is not its own key", url, key)
			}
		}
	}
}
