package job

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// startOf loads a job with this start.
func startOf(t *testing.T, start string) *Start {
	t.Helper()
	job := load(t, "start: "+start+"\nrecords: {fields: {title: h1}}\n")
	if len(job.Starts) != 1 {
		t.Fatalf("%d starts", len(job.Starts))
	}
	return &job.Starts[0]
}

// urls returns what a start yields, without the part that all have in common.
func urls(s *Start) string {
	var all []string
	for i := range s.Total() {
		all = append(all, strings.TrimPrefix(s.Request(i).URL, "https://a.example/"))
	}
	return strings.Join(all, " ")
}

func TestBracesExpandAsInAShell(t *testing.T) {
	for _, c := range []struct{ name, start, want string }{
		{"a URL without braces is one request", `https://a.example/x`, "x"},
		{"a range counts up", `https://a.example/{1..4}`, "1 2 3 4"},
		{"a range counts down", `https://a.example/{3..1}`, "3 2 1"},
		{"a range goes through zero", `https://a.example/{-1..1}`, "-1 0 1"},
		{"a range has a step, and stops before its end", `https://a.example/{1..10..4}`, "1 5 9"},
		{"the sign of a step does not matter", `https://a.example/{9..1..-4}`, "9 5 1"},
		{"zeros in front stay", `https://a.example/{008..011}`, "008 009 010 011"},
		{"zeros of one end are enough, and the sign counts", `https://a.example/{-01..1}`, "-01 000 001"},
		{"letters count too", `https://a.example/{a..c}{X..Y}`, "aX aY bX bY cX cY"},
		{"alternatives stand for themselves", `https://a.example/{de,en,}`, "de en "},
		{"of several braces the rightmost is fastest", `https://a.example/{a,b}/{1..3}`, "a/1 a/2 a/3 b/1 b/2 b/3"},
		{"braces stand inside braces", `https://a.example/{a,b{1..2}c,{x,y}{7,8}}`, "a b1c b2c x7 x8 y7 y8"},
		{"one value is one request", `https://a.example/{5..5}`, "5"},
		{"a literal ${NAME} is none", `https://a.example/{a,b}?q=$${a,b}`, "a?q=$a a?q=$b b?q=$a b?q=$b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := startOf(t, c.start)
			if got := urls(s); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if n := int64(len(strings.Split(c.want, " "))); s.Total() != n {
				t.Errorf("total %d, want %d", s.Total(), n)
			}
		})
	}
}

func TestParametersHaveTheirValuesBesideTheURL(t *testing.T) {
	for _, c := range []struct{ name, start, want string }{
		{"a range", `{url: "https://a.example/{id}", id: 2..4}`, "2 3 4"},
		{"a list", `{url: "https://a.example/{id}", id: [3, 007, x, "1.0", true]}`, "3 007 x 1.0 true"},
		{"a list with ranges", `{url: "https://a.example/{id}", id: [1..3, 9, 12..10]}`, "1 2 3 9 12 11 10"},
		{"from, to, step", `{url: "https://a.example/{id}", id: {from: 1, to: 9, step: 3}}`, "1 4 7"},
		{"from, to with zeros", `{url: "https://a.example/{id}", id: {from: "08", to: "10"}}`, "08 09 10"},
		{"one value", `{url: "https://a.example/{id}", id: 7}`, "7"},
		{"a value with braces is only text", `{url: "https://a.example/{id}", id: ["{1..3}"]}`, "{1..3}"},
		{"several: the order is that of the URL", `{url: "https://a.example/{b}/{a}", a: 1..2, b: [x, y]}`, "x/1 x/2 y/1 y/2"},
		{"beside braces", `{url: "https://a.example/{1..2}/{a}", a: [x, y]}`, "1/x 1/y 2/x 2/y"},
		{"twice in the URL is the same value twice", `{url: "https://a.example/{a}/{1..2}/{a}", a: [x, y]}`, "x/1/x x/2/x y/1/y y/2/y"},
		{"a name need not be ASCII", `{url: "https://a.example/{页}", 页: 1..2}`, "1 2"},
		{"a variable gives the end of a range", `{url: "https://a.example/{id}", id: "1..${FOUR:-4}"}`, "1 2 3 4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := urls(startOf(t, c.start)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestOutOfMemoryOnALargeList(t *testing.T) { // katana #68, crawlee-python #203
	s := startOf(t, `{url: "https://a.example/{1..1000000000}/{n}/{id}", n: 0..9, id: 1..900000000, order: shuffle}`)
	if want := int64(1e9) * 10 * 9e8; s.Total() != want {
		t.Fatalf("total %d, want %d", s.Total(), want)
	}
	seen := map[string]bool{}
	for _, i := range []int64{0, 1, s.Total() / 2, s.Total() - 1} {
		seen[s.Request(i).URL] = true
	}
	if len(seen) != 4 {
		t.Errorf("four numbers gave %v", seen)
	}
	allocs := testing.AllocsPerRun(100, func() { s.Request(s.Total() / 3) })
	if allocs > 2 {
		t.Errorf("a request takes %v allocations", allocs)
	}
	whole := startOf(t, fmt.Sprintf("https://a.example/{1..%d}", int64(math.MaxInt64)))
	if got := whole.Request(math.MaxInt64 - 1).URL; got != "https://a.example/9223372036854775807" {
		t.Error(got)
	}
}

func TestCanonicalisationChangesTheURLThatIsFetched(t *testing.T) { // scrapy #1941, crawlee-python #2008, browsertrix #982
	for _, url := range []string{
		"https://A.example:443/Path/../X?b=2&a=1&a=%7e&c", "HTTPS://a.example/ä b?q=电影#top", "http://a.example?",
	} {
		job := load(t, "start: '"+url+"'\nrecords: {fields: {title: h1}}\n")
		if got := job.Starts[0].Request(0).URL; got != url {
			t.Errorf("%s became %s", url, got)
		}
	}
}

func TestStartsMayBeAListOfBoth(t *testing.T) {
	job := load(t, `
start:
  - https://a.example/{1..3}
  - {url: "https://a.example/p/{id}", id: 1..2, as: product}
  - https://a.example/{1..3}   # the same again is the same entry
pages:
  product: {records: {fields: {title: h1}}}
`)
	var got []string
	for i := range job.Starts {
		s := &job.Starts[i]
		got = append(got, fmt.Sprintf("%s %s %d", s.Request(0).Page, s.Request(0).URL, s.Total()))
	}
	want := []string{"product https://a.example/1 3", "product https://a.example/p/1 2"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
