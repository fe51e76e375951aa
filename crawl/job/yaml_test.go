package job

import (
	"fmt"
	"strings"
	"testing"
)

const simpleJob = "start: https://a.example/{1..3}\nrequest:\n  headers:\n    A: b\nrecords:\n  fields:\n    title: h1\n"

func TestWhatEditorsLeaveInAFileDoesNotMatter(t *testing.T) {
	for name, text := range map[string]string{
		"a byte order mark":   bom + simpleJob,
		"CR LF":               strings.ReplaceAll(simpleJob, "\n", "\r\n"),
		"CR":                  strings.ReplaceAll(simpleJob, "\n", "\r"),
		"no end of line":      strings.TrimSpace(simpleJob),
		"blank lines":         "\n\n \n" + strings.ReplaceAll(simpleJob, "\n", "\n\n"),
		"document marks":      "---\n" + simpleJob + "...\n",
		"comments":            "# a\n" + strings.ReplaceAll(simpleJob, "\n", " # c\n"),
		"JSON":                `{"start": "https://a.example/{1..3}", "request": {"headers": {"A": "b"}}, "records": {"fields": {"title": "h1"}}}`,
		"all lines indented":  " " + strings.TrimSuffix(strings.ReplaceAll(simpleJob, "\n", "\n "), " "),
		"spaces at the end":   strings.ReplaceAll(simpleJob, "\n", "  \n"),
		"mark, CR LF, spaces": bom + strings.ReplaceAll(simpleJob, "\n", " \r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			job := load(t, text)
			if job.Starts[0].Total() != 3 || job.Headers[0] != (Header{"A", "b"}) || job.Tables()[0].Fields[0].Name != "title" || string(job.Text) != text {
				t.Errorf("%+v", job)
			}
		})
	}
}

func TestPositionsAreThoseOfTheEditor(t *testing.T) {
	for name, text := range map[string]string{
		"a byte order mark":     bom + "世: 1\n电影: x\n",
		"CR LF":                 "世: 1\r\n电影: x\r\n",
		"CR":                    "世: 1\r电影: x\r",
		"a mask in front of it": "世: 1\n电影: x # ${A:-{}}\n",
	} {
		t.Run(name, func(t *testing.T) {
			got := problems(t, text)
			if !strings.Contains(got, "test.yaml:1:1: unknown key \"世\"") || !strings.Contains(got, "test.yaml:2:1: unknown key \"电影\"") {
				t.Error(got)
			}
		})
	}
	if got := problems(t, "start: {url: https://a.example/, 世界: '中文', as: \"${中}\"}\n"); !strings.Contains(got, "test.yaml:1:34: the URL has no {世界}") || !strings.Contains(got, "test.yaml:1:48: ") {
		t.Error(got)
	}
}

func TestWhatIsNoTextIsSaidSo(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "1:1: the file is empty"},
		{"only a byte order mark", bom, "1:1: the file is empty"},
		{"only blanks", "\n  \n", "1:1: the file is empty"},
		{"UTF-16, little end first", "\xff\xfes\x00t\x00", "1:1: saved as UTF-16; save it as UTF-8"},
		{"UTF-16, big end first", "\xfe\xff\x00s\x00t", "1:1: saved as UTF-16; save it as UTF-8"},
		{"GBK", "start: https://a.example/\nname: \xb5\xe7\xd3\xb0\n", "2:7: not UTF-8 from here on"},
		{"a zip file", "PK\x03\x04\x00\x00", "1:3: not a text file (here is the character U+0003)"},
		{"a SQLite file", "SQLite format 3\x00", "1:16: not a text file"},
		{"text", "This is no job.\n", "1:1: not a job file: expected keys such as start: and records:, found text"},
		{"a number", "42", "1:1: not a job file: expected keys such as start: and records:, found a number"},
		{"huge", strings.Repeat("# twenty characters\n", maxText/20+1), "1:1: too large for a job file (more than 10 MB)"},
		{"a tab", "start: https://a.example/\nrecords:\n\tfields: {a: b}\n", "3:1: a tab in the indentation; YAML wants spaces"},
		{"a tab after spaces", "start: https://a.example/\nrecords:\n  each: a\n \tfields: {a: b}\n", "4:2: a tab in the indentation; YAML wants spaces"},
		{"a tab in front of everything", "\tstart: https://a.example/\n", "1:1: a tab in the indentation; YAML wants spaces"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := problems(t, c.text); !strings.HasPrefix(got, "test.yaml:"+c.want) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestAnchorsAndMergesWork(t *testing.T) {
	job := load(t, `
start: {url: "https://a.example/{id}", id: &ids [1..3, 9], as: a}
pages:
  a:
    records: &shared
      table: things
      fields: &fields {title: h1, price: {css: .price, type: int}}
    follow: {css: a@href, as: b}
  b:
    records: {<<: *shared, each: .item}
  c:
    records: {table: more, fields: {<<: [*fields, {x: .x}], title: h2}}
`)
	if len(job.Tables()) != 2 || job.Pages[0].Records[0].Table != job.Pages[1].Records[0].Table {
		t.Errorf("%+v", job.Tables())
	}
	more := job.Pages[2].Records[0]
	if got := strings.Join(fields(more), ", "); got != "title text h2, price int .price, x text .x" {
		t.Error(got)
	}
}

func TestABombIsRefused(t *testing.T) {
	var laughs strings.Builder
	laughs.WriteString("start: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := range 30 {
		fmt.Fprintf(&laughs, "a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 10), ", "))
	}
	for name, text := range map[string]string{
		"a billion laughs":          laughs.String(),
		"an alias of itself":        "start: &a [*a]\n",
		"an anchor of nothing":      "start: &a\n",
		"brackets":                  "start: " + strings.Repeat("[", 300_000),
		"brackets that close":       strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000),
		"braces":                    strings.Repeat("{a: ", 200_000),
		"dashes":                    strings.Repeat("- ", 300_000) + "a",
		"question marks":            strings.Repeat("? ", 300_000) + "a",
		"tags":                      "a: " + strings.Repeat("!a ", 300_000) + "b",
		"tags, one a line":          "a: " + strings.Repeat("!a\n ", 300_000) + "b",
		"anchors":                   "a: " + strings.Repeat("&a ", 300_000) + "b",
		"keys":                      strings.Repeat("a: |\n", 100_000),
		"braces in a URL":           "start: https://a.example/" + strings.Repeat("{a,", 30_000) + strings.Repeat("}", 30_000),
		"references":                "start: " + strings.Repeat("${", 300_000),
		"a long selector":           "records: {each: '" + strings.Repeat(":not(", 200_000) + "'}",
		"a long JSONPath":           "records: {each: '$" + strings.Repeat("[?(", 200_000) + "'}",
		"problems, all in one line": "start: [" + strings.Repeat("x,", 200_000) + "x]",
	} {
		t.Run(name, func(t *testing.T) { problems(t, text) })
	}
}

func TestALongListOfURLsLoads(t *testing.T) {
	var text strings.Builder
	text.WriteString("records: {fields: {a: b}}\nstart:\n")
	for i := range 20_000 {
		fmt.Fprintf(&text, "  - https://a.example/%d\n  - {url: 'https://b.example/{id}', id: %d}\n", i, i)
	}
	if job := load(t, text.String()); len(job.Starts) != 40_000 {
		t.Errorf("%d starts", len(job.Starts))
	}
}
