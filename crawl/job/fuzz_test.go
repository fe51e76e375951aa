package job

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dogear/schema"
)

// seeds are all job files of the tests, right and wrong.
func seeds(f *testing.F) {
	count := 0
	for _, pattern := range []string{"testdata/errors/*.yaml", "testdata/*.yaml", "../../testdata/jobs/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
			count++
		}
	}
	if count < 30 {
		f.Fatalf("only %d seeds", count)
	}
}

const (
	fromSeed = "start: [{from: x.csv, url: \"https://a/{b}?c={a}${SECRET}\", request: {json: {a: \"{a}\", b: \"x{b}{c}\"}}}, {from: -}]\n" +
		"records: {fields: {a: {meta: param.a}}}"
	sitemapSeed = "start: [{sitemap: 'https://a/{1..2}.xml', match: b, since: 2026-01-01}, {sitemap: https://a/}]\nrecords: {fields: {a: {meta: carry.lastmod}}}"
)

func FuzzParse(f *testing.F) {
	seeds(f)
	for _, text := range []string{"", bom, "\r", "\t", "&a [*a]", "<<: *a", "? a\n: b", "%a\n---\n", "a: !!str\n", "a: ${", fromSeed, sitemapSeed,
		"start: https://a/\nrecords: {fields: {a: {css: b, type: date, layout: '%d/%m/%Y', min: 04/02/2026}}}",
		"start: https://a/{1..9}{a,b}\nrecords: {fields: {a: {value: 1}}}",
		"start: https://a/\nnext: {json: $.a, url: \"{value}\"}", "start: https://a/\nnext: {css: a, url: 'http://{value}@h/#{value}'}",
		"start: https://a/\nnext: {css: a, url: '\\\\{value}/..?${SECRET}{value}'}", "start: https://a/\nnext: {css: a, url: '{{value}}'}"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		given := bytes.Clone(text)
		job, err := Parse("fuzz.yaml", text, secretEnv)
		if err != nil {
			checkProblems(t, err, text)
			return
		}
		if !bytes.Equal(job.Text, given) {
			t.Error("Text is not the text as given")
		}
		for i := range job.Starts {
			checkStart(t, job, &job.Starts[i])
		}
		for _, table := range job.Tables() {
			table.CreateSQL()
		}
		for i := range job.Pages {
			checkNextOf(t, &job.Pages[i])
		}
	})
}

// checkNextOf holds what every template of a next promises: each value makes another URL.
func checkNextOf(t *testing.T, page *Page) {
	t.Helper()
	if page.Next == nil || page.Next.URL == nil {
		return
	}
	a, errA := schema.Resolve(somePage, strings.Join(page.Next.URL, "7"))
	b, errB := schema.Resolve(somePage, strings.Join(page.Next.URL, "8"))
	if errA != nil || errB != nil || a == b || hostOf(a) != hostOf(b) {
		t.Errorf("%q: makes %q (%v) and %q (%v)", page.Next.URL, a, errA, b, errB)
	}
}

// checkStart holds what every start promises.
func checkStart(t *testing.T, job *Job, s *Start) {
	t.Helper()
	if l := s.List(); l != nil && s.Entry() != "" {
		if r, err := l.Read(strings.NewReader("a,b\n1,2\nhttps://a.example/\n")); err == nil {
			readAll(r)
		}
		return
	}
	if s.Total() < 1 || s.Entry() == "" {
		t.Fatalf("start %q has %d requests", s.Entry(), s.Total())
	}
	for _, i := range []int64{0, s.Total() / 2, s.Total() - 1} {
		r := s.Request(i)
		_, ok := job.Page(r.Page)
		ok = ok || slices.ContainsFunc(job.Sitemaps, func(m Sitemap) bool { return m.Kind == r.Page })
		if !ok || r.URL == "" {
			t.Errorf("%q: request %d is %+v", s.Entry(), i, r)
		}
		job.Params(r.URL, r.Body)
	}
}

func FuzzTemplate(f *testing.F) {
	for _, url := range []string{"https://a/{1..3}", "{a,b{1..2}}", "{{a,b},c}", "{a..c}{C..A}", "{001..5..2}", "}{", "{-9223372036854775808..9223372036854775807}", "{x}{x}"} {
		f.Add(url, int64(1))
	}
	f.Fuzz(func(t *testing.T, url string, i int64) {
		tmpl, err := parseTemplate(url)
		if err != nil {
			return
		}
		for k := range tmpl.dims {
			if tmpl.dims[k].values == nil {
				tmpl.dims[k].values = span{from: -3, step: 2, n: 5}
			}
		}
		total, err := tmpl.total()
		if err != nil {
			return
		}
		if i %= total; i < 0 {
			i += total
		}
		s := Start{template: tmpl, total: total}
		made, _ := tmpl.request(i, total)
		for name, value := range s.params(made, "") {
			if tmpl.find(name) < 0 || value == "" {
				t.Errorf("%s: %q is %q in %s", url, name, value, made)
			}
		}
	})
}
