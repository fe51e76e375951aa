package crawl_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dogear/crawl"
	"dogear/internal/practice"
	"dogear/state"
)

const keptJob = `
start: SITE/v1/product/{1..3}
rate: none
records: {table: products, key: url, fields: {url: {meta: url}, name: {json: $.name}, id: {json: $.id, type: text}}}
`

// refused runs the job and wants it to be refused because of its rules.
func (b *bench) refused() *crawl.ChangedError {
	b.Helper()
	_, err := crawl.Run(context.Background(), context.Background(), crawl.Options{Job: b.job, Path: b.path, Version: "test"})
	changed, ok := errors.AsType[*crawl.ChangedError](err)
	if !ok {
		b.Fatalf("error %v, want one about changed rules", err)
	}
	return changed
}

func TestRulesThatChangeWhatRecordsMeanAreRefused(t *testing.T) {
	b := newBench(t, practice.Options{}, keptJob)
	b.run(state.Finished, crawl.Options{})
	b.want("1 3", `SELECT (SELECT count(*) FROM runs), count(*) FROM tasks`)
	for name, c := range map[string]struct {
		old, new string
		diff     []string
	}{
		"another selector": {"$.name", "$.title", []string{
			"- page page: table products: field name: json $.name, text", "+ page page: table products: field name: json $.title, text"}},
		"another type in the same class of column": {"type: text", "type: url", []string{
			"- page page: table products: field id: json $.id, text", "+ page page: table products: field id: json $.id, url"}},
		"a field less": {", id: {json: $.id, type: text}", "", []string{
			"- page page: table products: field id: json $.id, text"}},
		"each": {"key: url", "key: url, each: $", []string{"+ page page: table products: each $"}},
		"a join": {"{json: $.name}", "{json: $.name, join: x}", []string{
			"- page page: table products: field name: json $.name, text", "+ page page: table products: field name: json $.name, join x, text"}},
		"an each around it": {"key: url", "key: url, each: [$, '$[*]']", []string{"+ page page: table products: each [$, $[*]]"}},
		"a key": {"key: url", "key: name", []string{
			"- page page: table products: key url", "+ page page: table products: key name"}},
		"an expectation": {"records:", "expect: {contains: $.name}\nrecords:", []string{"+ page page: expect contains $.name"}},
	} {
		b.edit(replace(keptJob, c.old, c.new))
		text := b.refused().Error()
		var diff []string
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "+ ") {
				diff = append(diff, strings.TrimSuffix(line, "\n"))
			}
		}
		if d := cmp.Diff(c.diff, diff); d != "" || !strings.Contains(text, "--accept") {
			t.Errorf("%s: (-want +got)\n%s\n%s", name, d, text)
		}
	}
	b.want("1 3 1", `SELECT (SELECT count(*) FROM runs), count(*), (SELECT instr(text, '$.title') + instr(text, 'expect') = 0 FROM job) FROM tasks`)
	b.edit(keptJob) // put back
	b.run(state.Finished, crawl.Options{})
}

func TestChangedRulesThatAreAcceptedAreTheRulesFromThenOn(t *testing.T) {
	b := newBench(t, practice.Options{}, keptJob)
	b.run(state.Finished, crawl.Options{})
	changed := replace(replace(keptJob, "$.name", "$.nothing"), "1..3", "1..4")
	b.edit(changed)
	b.refused()
	b.run(state.Finished, crawl.Options{Accept: true})
	b.want("4 3", `SELECT count(*), count(name) FROM products`)
	b.edit(replace(changed, "1..4", "1..5"))
	b.run(state.Finished, crawl.Options{})
	b.edit(keptJob)
	b.refused()
}

// A key and a column are of the file itself, so nobody can accept another one.
func TestAChangedKeyCanNotBeAccepted(t *testing.T) {
	b := newBench(t, practice.Options{}, keptJob)
	b.run(state.Finished, crawl.Options{})
	for _, edit := range [][2]string{{"key: url", "key: name"}, {"type: text", "type: int"}} {
		b.edit(replace(keptJob, edit[0], edit[1]))
		_, err := crawl.Run(context.Background(), context.Background(), crawl.Options{Job: b.job, Path: b.path, Version: "test", Accept: true})
		if _, ok := errors.AsType[*state.ChangedError](err); !ok {
			t.Errorf("%s: error %v", edit[1], err)
		}
	}
	b.edit(keptJob)
	b.run(state.Finished, crawl.Options{})
}

func TestChangesThatLeaveRecordsWhatTheyAreAreTaken(t *testing.T) {
	b := newBench(t, practice.Options{}, keptJob)
	b.run(state.Finished, crawl.Options{})
	for _, edit := range [][2]string{
		{"rate: none", "# slower\nrate: 900/s"}, {"rate: none", "rate: none\nretry: {attempts: 2}\nrequest: {headers: {X-A: b}, timeout: 9s}"},
		{"1..3", "1..4"}, {"fields: {", "fields: {price: {json: $.price, type: real, required: true}, "},
		{"records: {", "follow: {json: '$.links[*]'}\nrecords: {"}, {"type: text", ""}, {"{json: $.name}", "$.name"},
		{"records: {", "next: {json: $.next, url: '?after={value}'}\nrecords: {"},
		{"records: {", "follow: {json: '$.links[*]', carry: {name: $.name}}\nrecords: {"},
		{"records: {", "records: [{table: more, fields: {id: $.id}}, {"},
	} {
		text := replace(keptJob, edit[0], edit[1])
		if strings.Contains(edit[1], "[{") {
			text = strings.TrimSpace(text) + "]\n"
		}
		c := newBench(t, practice.Options{}, keptJob)
		c.run(state.Stopped, crawl.Options{Limit: 1})
		c.edit(text)
		c.run(state.Finished, crawl.Options{})
	}
	b.edit(replace(replace(keptJob, "start: SITE/v1/product/{1..3}\n", "start: {url: 'SITE/v1/product/{1..3}', as: page}\npages:\n  other: {follow: {json: $.a, as: page}}\n  page:\n"),
		"rate: none\nrecords", "    records") + "rate: none\n")
	b.run(state.Finished, crawl.Options{})
}

func TestTheDiffOfRulesHasVariablesAsWritten(t *testing.T) {
	t.Setenv("API_KEY", "hunter2hunter2")
	t.Setenv("OTHER", "swordfish")
	text := replace(keptJob, "{json: $.name}", `{value: "${API_KEY}"}`)
	b := newBench(t, practice.Options{}, text)
	b.run(state.Finished, crawl.Options{})
	t.Setenv("API_KEY", "correct horse")
	b.edit(text + "# another value\n")
	b.run(state.Finished, crawl.Options{})
	b.edit(replace(text, "API_KEY", "OTHER"))
	got := b.refused().Error()
	for _, secret := range []string{"hunter2", "correct", "swordfish"} {
		if strings.Contains(got, secret) {
			t.Errorf("%q is in %s", secret, got)
		}
	}
	if !strings.Contains(got, "- page page: table products: field name: value ${API_KEY}, text\n+ page page: table products: field name: value ${OTHER}, text") {
		t.Error(got)
	}
}

func TestRulesThatCanNotBeReadAnyMoreAreNotComparedAndTheUserIsTold(t *testing.T) {
	t.Setenv("API_KEY", "hunter2")
	lookup := replace(keptJob, "{json: $.name}", `{value: "${API_KEY}"}`)
	b := newBench(t, practice.Options{}, lookup)
	b.run(state.Finished, crawl.Options{})
	b.exec(`UPDATE job SET text = replace(text, 'API_KEY', 'DOGEAR_TEST_GONE'), hash = 'x'`)
	b.edit(keptJob)
	warned := ""
	b.run(state.Finished, crawl.Options{Warn: func(text string) { warned += text }})
	if !strings.Contains(warned, "DOGEAR_TEST_GONE is not set") || !strings.Contains(warned, "not compared") {
		t.Errorf("warned %q", warned)
	}
}
