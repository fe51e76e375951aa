package job_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"dogear/crawl/job"
)

func finder(t *testing.T, text string, env map[string]string) *job.Finder {
	t.Helper()
	text += "\nrecords: {fields: {t: h1}}"
	j, err := job.Parse("pages.yaml", []byte(text), func(name string) (string, bool) {
		v, ok := env[name]
		return v,
			ok
	})
	if err != nil {
		t.Fatal(err)
	}
	return j.Finder()
}

func TestAFinderKnowsWhichStartYieldsAURLOrANumber(t *testing.T) {
	for _, c := range []struct{ name, start, ask, want string }{
		{"a URL that is listed", "start: [https://a.example/x, https://a.example/y]", "https://a.example/y",
			"https://a.example/y"},
		{"written another way", "start: https://a.example", "HTTPS://A.example:443/#top", "https://a.example"},
		{"of a range", "start: https://a.example/{1..20}", "https://a.example/7", "https://a.example/7"},
		{"beyond the range", "start: https://a.example/{1..20}", "https://a.example/21", ""},
		{"of a range, written another way", "start: https://a.example/{1..20}", "https://A.example/7",
			"https://a.example/7"},
		{"with a secret", "start: \"https://a.example/{1..20}?k=${KEY}\"", "https://a.example/7?k=s3cr%2Ft",
			"https://a.example/7?k=${KEY}"},
		{"a number", "start: https://a.example/{1..20}", "7", "https://a.example/7"},
		{"a number with zeros", "start: https://a.example/{001..120}/", "7", "https://a.example/007/"},
		{"a number beyond the range", "start: https://a.example/{1..20}", "21", ""},
		{"a number that the step leaves out", "start: https://a.example/{1..20..2}", "2", ""},
		{"a number of a list", `start: {url: "https://a.example/{id}", id: [3, 7]}`, "7", "https://a.example/7"},
		{"a number of ranges", `start: {url: "https://a.example/{id}", id: [1..5, 9], order: shuffle}`, "9",
			"https://a.example/9"},
		{"a number that stands twice", `start: {url: "https://a.example/{id}/{id}", id: 1..5}`, "4",
			"https://a.example/4/4"},
		{"a number of two ranges", `start: ["https://a.example/{1..20}", "https://b.example/{1..20}"]`, "7",
			"no range"},
		{"a number beside words", "start: https://a.example/{de,en}/{1..20}", "7", "no range"},
		{"a number beside a constant", `start: {url: "https://a.example/{v}/{1..20}/{3..3}", v: [x]}`, "7",
			"https://a.example/x/7/3"},
		{"a number of no range", "start: https://a.example/{de,en}", "7", "no range"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := finder(t, c.start, map[string]string{"KEY": "s3cr/t"})
			got := ""
			if strings.Contains(c.ask, "://") {
				q, _ := f.URL(c.ask)
				got = q.URL
			} else {
				q, _, err := f.Number(map[string]int64{"7": 7, "21": 21, "2": 2, "9": 9, "4": 4}[c.ask])
				if got = q.URL; errors.Is(err, job.ErrNoRange) {
					got = "no range"
				}
			}
			if got != c.want {
				t.Errorf("%s is %q, want %q", c.ask, got, c.want)
			}
		})
	}
}

func TestAPageNumberMeansTheValuesBelowOnlyWhereARangeCountsUp(t *testing.T) {
	for _, c := range []struct{ name, start, want string }{
		{"a range", "start: https://a.example/{1..20}", "1 2 3"},
		{"one that is over", "start: https://a.example/{1..2}", "1 2"},
		{"one that begins later", "start: https://a.example/{7..20}", ""},
		{"from zero, by steps", "start: https://a.example/{0..20..3}", "0 3"},
		{"shuffled", `start: {url: "https://a.example/{p}", p: 1..20, order: shuffle}`, "1 2 3"},
		{"a list", `start: {url: "https://a.example/{p}", p: [1, 3, 7]}`, "1 3"},
		{"ranges", `start: {url: "https://a.example/{p}", p: [0..1, 3..9]}`, "0 1 3"},
		{"downwards", "start: https://a.example/{20..1}", "no range"},
		{"a list in disorder", `start: {url: "https://a.example/{p}", p: [3, 1, 7]}`, "no range"},
		{"ranges that overlap", `start: {url: "https://a.example/{p}", p: [1..5, 2..9]}`, "no range"},
		{"two of them", "start: https://a.example/{1..3}/{1..20}", "no range"},
	} {
		t.Run(c.name, func(t *testing.T) {
			below, err := finder(t, c.start, nil).Below(4)
			got := "no range"
			if err == nil {
				var values []string
				for _, q := range slices.Collect(below) {
					values = append(values, strings.TrimPrefix(q.URL, "https://a.example/"))
				}
				got = strings.Join(values, " ")
			} else if !errors.Is(err, job.ErrNoRange) {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("below 4 are %q, want %q", got, c.want)
			}
		})
	}
}
