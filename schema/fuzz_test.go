package schema

import (
	"encoding/json"
	"regexp"
	"testing"
	"time"
	"unicode/utf8"
)

func FuzzNumbersAreNeverGuessed(f *testing.F) {
	for _, s := range numbers {
		f.Add(s)
	}
	read := func(s, sign string, literal bool) (any, finding) {
		field := Field{Type: Type{Kind: Decimal, Precision: 40, Scale: 6}, Decimal: sign}
		return field.parse(trim(s), literal, "")
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, found := read(s, "", false)
		dot, dotFound := read(s, ".", false)
		comma, commaFound := read(s, ",", false)
		switch found {
		case good:
			if dot != got && comma != got {
				t.Errorf("%q is %v, but %v with a point and %v with a comma", s, got, dot, comma)
			}
			if again, _ := read(got.(string), "", true); again != got {
				t.Errorf("%q is %v, which is read back as %v", s, got, again)
			}
		case ambiguous:
			if dotFound == unreadable || commaFound == unreadable || dot != nil && dot == comma {
				t.Errorf("%q is called ambiguous between %v and %v", s, dot, comma)
			}
		}
	})
}

// noZone is an offset that package time takes for one, though ISO 8601 and RFC 5322 end at 23:59.
var noZone = regexp.MustCompile(`[+-](24|\d\d:?60)`)

func FuzzDatesAreThoseOfPackageTime(f *testing.F) {
	for _, s := range []string{"2026-02-04T06:30:00.123Z", "2026-02-04T14:30:00+08:00", "Wed, 04 Feb 2026 06:30:00 GMT", "04/02/2026",
		"Wednesday, 04-Feb-26 06:30:00 GMT", "2026年2月4日 14:30", "2026/02/04", "04 Feb 26 06:30 +0800", "Feb 4, 2026", "24.02.2026", "0010-01-01T0:00:00+00:60"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, found := new(Field).parseDatetime(s)
		date, dateFound := new(Field).parseDate(s)
		if found == good {
			table := &Table{Fields: []Field{{Type: Type{Kind: Datetime}}}}
			if back, _ := new(Field).parseDatetime(table.Text(0, v)); back != v {
				t.Errorf("%q is %v, which is read back as %v", s, v, back)
			}
			if dateFound != good {
				t.Errorf("%q is a datetime and no date", s)
			}
		}
		if dateFound == good {
			if _, err := time.Parse(time.DateOnly, date.(string)); err != nil {
				t.Errorf("%q: %v", s, err)
			}
		}
		for _, layout := range []string{time.RFC3339Nano, time.DateTime, time.DateOnly, time.RFC1123Z} {
			at, err := time.Parse(layout, s)
			if err == nil && !noZone.MatchString(s) && at.UnixMilli() >= firstMS && at.UnixMilli() <= lastMS && at.Year() > 0 && v != at.UnixMilli() {
				t.Errorf("%q is %v, want %d as by %s", s, v, at.UnixMilli(), layout)
			}
		}
	})
}

func FuzzURLsAreWhatTheParserSays(f *testing.F) {
	for _, s := range []string{"https://a.example/x?y=1#z", "/p/1", "../p", `\\cdn.example\x`, "javascript:alert(1)", "http://127.0.0.1:80/a/./b",
		"//h", "?q=%c3", "http://[::1]:8080/", "http://a.example/%2e%2E/x", "https://xn--bcher-kva.example/", "p/1:2", "a.b?c/d",
		"http://1.2.3/", "http://user:pw@h/", "http://[1:2:3:4:5:6:7:8:]/", "http://h/.?."} {
		f.Add("https://shop.example/list/1?x=/y", s)
		f.Add(s, "p/1")
	}
	f.Add("http://h/%2\\%2E#x", "p/1") // a base whose backslash is a slash
	f.Add("http://h/a/..", "p/1")
	f.Fuzz(func(t *testing.T, base, ref string) {
		got, err := Resolve(base, ref)
		href, scheme, parseErr := parseRef(base, ref)
		if web := parseErr == nil && (scheme == "http" || scheme == "https"); web != (err == nil) {
			t.Fatalf("%q on %q: %v, but the parser says %v", ref, base, err, parseErr)
		}
		if err == nil && got != href {
			t.Errorf("%q on %q is %q, want %q", ref, base, got, href)
		}
		key := KeyURL(ref)
		if again := KeyURL(key); again != key {
			t.Errorf("the key of %q is %q, whose key is %q", ref, key, again)
		}
		if err == nil && KeyURL(got) != upperEscapes(href) {
			t.Errorf("the key of %q is %q", got, KeyURL(got))
		}
	})
}

func FuzzCleanGivesARowOrAReject(f *testing.F) {
	f.Add("12345", "<Kettle>", true)
	f.Add("\xff\x00", `{"a":[1,2]}`, false)
	f.Add("1,234", "2026-02-04", false)
	f.Add("", "/p?q=价", true)
	table := &Table{Name: "t", Key: []string{"text"}}
	for kind := range kindNames {
		field := Field{Name: kindNames[kind], Type: Type{Kind: Kind(kind)}, Remove: regexp.MustCompile(`(?i)[<>k]|价+$`)}
		if Kind(kind) == Decimal {
			field.Type.Precision, field.Type.Scale, field.Max, field.Clamp = 5, 2, ptr("9"), true
		}
		table.Fields = append(table.Fields, field)
	}
	if err := table.Compile(); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, one, two string, isJSON bool) {
		var raw []Raw
		for i := range table.Fields {
			raw = append(raw, Raw{Text: []string{one, two}[i%2], Found: true, JSON: isJSON})
		}
		row, reject := table.Clean(raw, "https://a.example/")
		if (row == nil) == (reject == nil) {
			t.Fatal("want exactly one of row and reject")
		}
		if reject != nil {
			if !json.Valid([]byte(reject.Raw)) {
				t.Errorf("not JSON: %s", reject.Raw)
			}
			return
		}
		for i, v := range row.Values {
			if s, ok := v.(string); ok && !utf8.ValidString(s) {
				t.Errorf("%s is not UTF-8: %q", table.Fields[i].Name, s)
			}
			table.Text(i, v)
		}
	})
}

func FuzzAProbeNeverHidesAMatch(f *testing.F) {
	for _, expr := range []string{`[<>]`, `(?i)k+`, `^\s*x|y$`, `.*`, `价`, `\bfoo\b`, `[^a-z]`, `(?s).`, `a*b`, `\x{fffd}`, `(?:)`} {
		f.Add(expr, "a <b> Kelvin \u212a \xff 价")
		f.Add(expr, "")
	}
	f.Fuzz(func(t *testing.T, expr, s string) {
		re, err := regexp.Compile(expr)
		if err != nil {
			t.Skip()
		}
		p := newProbe(re)
		if p.rulesOut(s) && re.ReplaceAllLiteralString(s, "") != s {
			t.Errorf("%s has a match in %q", expr, s)
		}
	})
}
