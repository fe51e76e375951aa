package job

import (
	"strings"
	"testing"
)

func TestValuesAreFilledIn(t *testing.T) {
	env := func(name string) (string, bool) {
		value, ok := map[string]string{"A": "x", "EMPTY": "", "NEST": "${A}", "YAML": "}, evil: [1\n#: {"}[name]
		return value, ok
	}
	for _, c := range []struct{ name, raw, want string }{
		{"a variable", "<${A}>", "<x>"},
		{"two", "${A}${A}", "xx"},
		{"one that is set and empty", "<${EMPTY}>", "<>"},
		{"a default for one that is not set", "${B:-y}", "y"},
		{"a default for one that is empty", "${EMPTY:-y}", "y"},
		{"an empty default", "<${B:-}>", "<>"},
		{"a default with braces", "${B:-https://h/{1..20}}!", "https://h/{1..20}!"},
		{"a default that is not needed", "${A:-y}", "x"},
		{"a value is not filled in again", "${NEST}", "${A}"},
		{"a value is only text, whatever YAML would make of it", "${YAML}", "}, evil: [1\n#: {"},
		{"two $ are a literal one", "$${A} ${A}", "${A} x"},
		{"a $ alone is one", "$A $.b $", "$A $.b $"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := fill(c.raw, env); err != nil || got.text != c.want {
				t.Errorf("%q, %v", got.text, err)
			}
		})
	}
	for _, raw := range []string{"${B}", "${}", "${A", "${A b}", "${1}", "${A:y}", "${B:-${A}}"} {
		if got, err := fill(raw, env); err == nil {
			t.Errorf("%q gives %q", raw, got.text)
		}
	}
}

func TestAVariableStandsAnywhereInYAML(t *testing.T) {
	job := load(t, `
start: https://a.example/
request:
  headers: {A: ${SECRET}, B: "b ${SECRET}", C: ${NONE:-x, y: [z] #1}, D: 'it''s ${SECRET}'}
records: {fields: {a: b}}
`)
	want := []Header{{"A", secrets["SECRET"]}, {"B", "b " + secrets["SECRET"]}, {"C", "x, y: [z] #1"}, {"D", "it's " + secrets["SECRET"]}}
	for i, h := range want {
		if job.Headers[i] != h {
			t.Errorf("%q, want %q", job.Headers[i], h)
		}
	}
}

func TestAValueCannotChangeTheStructure(t *testing.T) {
	text := "start: https://a.example/\nrequest:\n  headers:\n    A: ${EVIL}\n    B: 1\nname: ${EVIL:-x}\nrecords: {fields: {a: b}}\n"
	evil := `x}, B: 2, "C": [&a *a] # '`
	job, err := Parse("x.yaml", []byte(text), func(string) (string, bool) { return evil, true })
	if err != nil {
		t.Fatal(err)
	}
	if len(job.Headers) != 2 || job.Headers[0].Value != evil || job.Headers[1].Value != "1" || job.Name != evil {
		t.Errorf("%q %q", job.Headers, job.Name)
	}
}

func TestMaskingKeepsColumns(t *testing.T) {
	for _, text := range []string{"a ${B:-{c, d}} e", "${", "${${${", "${a\n}", strings.Repeat("${", 10_000), "${世:-界}"} {
		masked := mask(text)
		if len([]rune(masked)) != len([]rune(text)) || unmask(masked) != text {
			t.Errorf("%q became %q", text, masked)
		}
	}
}
