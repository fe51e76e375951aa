package job

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzList reads a list that a stranger wrote, in one go and in two.
func FuzzList(f *testing.F) {
	for _, text := range []string{
		"", "\n", bom, "a,b\n1,2\n", "a,b\r\n\"1\n\"\"\",2", "a;b\n1;2;3\n4\n", "a\tb\n\"\n", "b,a\n\"x\"y,1\n5\"x,y\n", "a,b\n\xff,1\n", "#a,b\n\n ,\n",
		"a,b\n" + strings.Repeat("\"", 99) + "\n1,2", "https://a.example/1\n# x\nhttp://a.example/${SECRET}\n", "a,a,b\n1,2,3", "a,b\n\r\n\r1,2\r\r\n", "a,b\n1,\n,2\n",
	} {
		f.Add([]byte(text), uint(3))
	}
	dir := f.TempDir()
	var lists []*List
	for _, start := range []string{"{from: list}", `{from: list, url: "https://a.example/{a}"}`, `{from: list, url: "https://a.example/{a}?b={b}", request: {json: {a: "{a}"}}}`} {
		j, err := Parse(filepath.Join(dir, "fuzz.yaml"), []byte("start: "+start+"\nrecords: {fields: {t: h1}}\n"), secretEnv)
		if err != nil {
			f.Fatal(err)
		}
		lists = append(lists, j.Starts[0].List())
	}
	f.Fuzz(func(t *testing.T, text []byte, cut uint) {
		if err := os.WriteFile(filepath.Join(dir, "list"), text, 0o644); err != nil {
			t.Fatal(err)
		}
		for _, l := range lists {
			whole, place, print := readList(t, l, 0, "", 1<<30)
			if whole == nil {
				continue // no header, or another
			}
			n := int(cut % uint(len(whole)+1))
			head, at, sum := readList(t, l, 0, "", n)
			tail, end, endSum := readList(t, l, at, sum, 1<<30)
			if at == int64(len(text)) && at > 0 {
				end, endSum = at, sum // it was read to its end
			}
			if got := append(head, tail...); strings.Join(got, "|") != strings.Join(whole, "|") || place != end || print != endSum {
				t.Errorf("in two: %q\nin one: %q\n%d %s, %d %s", got, whole, end, endSum, place, print)
			}
		}
	})
}

// readList reads up to n requests from a place on.
func readList(t *testing.T, l *List, place int64, print string, n int) (all []string, at int64, sum string) {
	f, err := l.Open(place, print)
	if err != nil {
		if bad := (*Error)(nil); !errors.As(err, &bad) {
			t.Fatal(err)
		}
		return nil, 0, ""
	}
	defer f.Close()
	if f.Changed {
		t.Fatal("it has changed")
	}
	all = []string{}
	for len(all) < n {
		q, err := f.Next()
		var bad *LineError
		if err == io.EOF {
			break
		} else if errors.As(err, &bad) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		if !webURL(q.URL) || !utf8.ValidString(q.URL+q.Body) || strings.Contains(q.URL, "${SECRET}") {
			t.Errorf("%+v", q)
		}
		all = append(all, shown(q))
	}
	if int64(len(all)) > f.More && place == 0 {
		t.Errorf("%d requests, at most %d were promised", len(all), f.More)
	}
	return all, f.Place(), f.Print()
}
