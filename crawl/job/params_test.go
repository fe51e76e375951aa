package job

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParamsAreReadBackFromAURL(t *testing.T) {
	job := load(t, `
start:
  - https://plain.example/{1..3}
  - {url: "https://a.example/{id}", id: 1..50000, order: shuffle}
  - {url: "https://a.example/{lang}/{1..3}/{page}?again={lang}", lang: [de, de-AT, en], page: "001..120"}
  - {url: "https://b.example/{a}{b}", a: [x, xx], b: [x, xy]}
  - {url: "https://c.example/{n}", n: [3..1, 10..20..5, 中]}
  - {url: "https://d.example/{n}", n: "-5..5"}
records: {fields: {title: h1}}
`)
	type params = map[string]string
	for _, c := range []struct {
		name, url string
		want      params
	}{
		{"a range", "https://a.example/50000", params{"id": "50000"}},
		{"a number out of the range", "https://a.example/50001", nil},
		{"a number written otherwise", "https://a.example/007", nil},
		{"a longer URL", "https://a.example/7/x", nil},
		{"two parameters, one of them twice", "https://a.example/de-AT/2/007?again=de-AT", params{"lang": "de-AT", "page": "007"}},
		{"twice with different values", "https://a.example/de/2/007?again=en", nil},
		{"no limit between them: the first that fits", "https://b.example/xxy", params{"a": "x", "b": "xy"}},
		{"which needs a second try", "https://b.example/xxx", params{"a": "xx", "b": "x"}},
		{"a list with ranges", "https://c.example/15", params{"n": "15"}},
		{"a list with ranges, down", "https://c.example/2", params{"n": "2"}},
		{"not on the step", "https://c.example/12", nil},
		{"not ASCII", "https://c.example/中", params{"n": "中"}},
		{"negative", "https://d.example/-3", params{"n": "-3"}},
		{"a start without parameters", "https://plain.example/2", nil},
		{"a page that no start yields", "https://other.example/2", nil},
		{"nothing", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, job.Params(c.url, "")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEveryURLOfAStartHasParams(t *testing.T) {
	job := load(t, `{start: {url: "https://a.example/{a}{b}{c}{a}", a: 8..12, b: [1, 11, 111], c: "01..3", order: shuffle}, records: {fields: {t: h1}}}`)
	s := &job.Starts[0]
	for i := range s.Total() {
		url := s.Request(i).URL
		p := job.Params(url, "")
		if p == nil || "https://a.example/"+p["a"]+p["b"]+p["c"]+p["a"] != url {
			t.Fatalf("%s: %v", url, p)
		}
	}
}

func TestAnAmbiguousTemplateDoesNotTakeForEver(t *testing.T) {
	job := load(t, `{start: {url: "https://a.example/{x}`+strings.Repeat("{a,aa}", 40)+`{z,{z,zz}{z,zz}{z,zz}}", x: [b]}, records: {fields: {t: h1}}}`)
	if p := job.Params("https://a.example/b"+strings.Repeat("a", 70)+"!", ""); p != nil {
		t.Error(p)
	}
}
