package job

import (
	"strings"
	"testing"
)

func TestTheSameStartWrittenOtherwiseIsTheSameEntry(t *testing.T) {
	for _, c := range []struct{ name, one, other string }{
		{"comments and quotes", "https://a.example/{1..3} # all", `"https://a.example/{1..3}"`},
		{"block and braces", `{url: "https://a.example/{id}", id: 1..9, order: shuffle}`,
			"\n  order: shuffle\n  id: 1..9\n  url: https://a.example/{id}"},
		{"a range three ways", `{url: "https://a.example/{id}", id: 1..9}`, `{url: "https://a.example/{id}", id: {from: 1, to: 9, step: 1}}`},
		{"an end that is not met", `{url: "https://a.example/{id}", id: 1..9..3}`, `{url: "https://a.example/{id}", id: 1..7..3}`},
		{"a list in two forms", `{url: "https://a.example/{id}", id: [a, b]}`, "\n  url: https://a.example/{id}\n  id:\n  - a\n  - 'b'"},
		{"the only kind of page, named or not", `https://a.example/`, `{url: https://a.example/, as: page}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			one, other := startOf(t, c.one), startOf(t, c.other)
			if one.Entry() != other.Entry() {
				t.Errorf("%q and %q", one.Entry(), other.Entry())
			}
		})
	}
}

// GNU parallel --resume goes by sequence number: here identity is content.
func TestAChangedInputRunsTheWrongThings(t *testing.T) {
	seen := map[string]string{}
	for _, start := range []string{
		`https://a.example/`, `https://a.example`, `https://a.example/{1..3}`, `https://a.example/{1..4}`, `https://a.example/{01..03}`,
		`{url: "https://a.example/{id}", id: 1..3}`, `{url: "https://a.example/{id}", id: 1..4}`,
		`{url: "https://a.example/{id}", id: 1..3, order: shuffle}`, `{url: "https://a.example/{id}", id: [1, 2, 3]}`,
		`{url: "https://a.example/{id}", id: ["1,2", 3]}`, `{url: "https://a.example/{id}", id: [1, "2,3"]}`,
		`{url: "https://a.example/{id}", id: [1..3, 5]}`, `{url: "https://a.example/${SECRET}", order: shuffle}`,
	} {
		entry := startOf(t, start).Entry()
		if before, twice := seen[entry]; twice {
			t.Errorf("%s and %s are both %q", before, start, entry)
		}
		seen[entry] = start
	}
}

func TestAnEntryHasNoSecretAndStillChangesWithIt(t *testing.T) {
	text := `
start:
  - https://a.example/${KEY}
  - {url: "https://a.example/{id}?", id: ["${KEY}", 2]}
records: {fields: {title: h1}}
`
	entries := func(key string) (all []string) {
		job, err := Parse("x.yaml", []byte(text), func(string) (string, bool) { return key, true })
		if err != nil {
			t.Fatal(err)
		}
		for i := range job.Starts {
			all = append(all, job.Starts[i].Entry())
		}
		return all
	}
	one, other, again := entries("hunter2"), entries("hunter3"), entries("hunter2")
	for i := range one {
		if strings.Contains(one[i], "hunter") {
			t.Errorf("secret in %q", one[i])
		}
		if one[i] == other[i] || one[i] != again[i] {
			t.Errorf("entries %q, %q, %q", one[i], other[i], again[i])
		}
	}
}

func TestALongListMakesAShortEntry(t *testing.T) {
	list := func(last string) string {
		return `{url: "https://a.example/{id}", id: [` + strings.Repeat("123456789, ", 10_000) + last + `]}`
	}
	one, other := startOf(t, list("a")).Entry(), startOf(t, list("b")).Entry()
	if len(one) > 400 || one == other {
		t.Errorf("%d bytes: %s and %s", len(one), one, other)
	}
}
