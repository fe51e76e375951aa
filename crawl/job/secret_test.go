package job

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// keyedStart loads a job with this start, and these variables set.
func keyedStart(t *testing.T, start string, env map[string]string) *Job {
	t.Helper()
	job, err := Parse("x.yaml", []byte("start: "+start+"\nrecords: {fields: {t: h1}}\n"), func(name string) (string, bool) {
		value, ok := env[name]
		return value, ok
	})
	if err != nil {
		t.Fatal(err)
	}
	return job
}

func TestVariablesInUserinfoQueryAndFragmentStayAsWritten(t *testing.T) {
	env := map[string]string{"KEY": "hunter2", "HOST": "a.example", "S": "https", "BASE": "https://a.example/x?y=1", "N": "3", "ODD": "p%2Fw@{1..2}"}
	for _, c := range []struct{ name, start, stored, sent string }{
		{"in the query", `https://a.example/?k=${KEY}`, "https://a.example/?k=${KEY}", "https://a.example/?k=hunter2"},
		{"in the fragment", `"https://a.example/#${KEY}"`, "https://a.example/#${KEY}", "https://a.example/#hunter2"},
		{"in the userinfo", `https://u:${KEY}@${HOST}/x`, "https://u:${KEY}@a.example/x", "https://u:hunter2@a.example/x"},
		{"all of the userinfo", `"${S}://${KEY}:${ODD}@${HOST}/x"`, "https://${KEY}:${ODD}@a.example/x", "https://hunter2:p%2Fw@{1..2}@a.example/x"},
		{"in scheme, host, port and path", `"${S}://${HOST}:${N}/${KEY}/@"`, "https://a.example:3/hunter2/@", "https://a.example:3/hunter2/@"},
		{"behind a value with a ?", `${BASE}&k=${KEY}`, "https://a.example/x?y=1&k=${KEY}", "https://a.example/x?y=1&k=hunter2"},
		{"with a default", `"https://a.example/?k=${NONE:-a{b},?c}"`, "https://a.example/?k=${NONE:-a{b},?c}", "https://a.example/?k=a{b},?c"},
		{"a value with braces", `https://a.example/?k=${ODD}`, "https://a.example/?k=${ODD}", "https://a.example/?k=p%2Fw@{1..2}"},
		{"among braces", `"https://a.example/{1..1}?{k,l}=${KEY}"`, "https://a.example/1?k=${KEY}", "https://a.example/1?k=hunter2"},
		{"inside braces", `"https://a.example/?k={${KEY},x{${NONE:-y,z},2}}"`, "https://a.example/?k=${KEY}", "https://a.example/?k=hunter2"},
		{"as the end of a range it is filled in", `"https://a.example/?p={${N}..5}"`, "https://a.example/?p=3", "https://a.example/?p=3"},
		{"beside a parameter of its name", `{url: "https://a.example/{KEY}?k=${KEY}", KEY: x}`, "https://a.example/x?k=${KEY}", "https://a.example/x?k=hunter2"},
		{"in the value of a parameter", `{url: "https://a.example/?k={k}", k: ["x${KEY}"]}`, "https://a.example/?k=x${KEY}", "https://a.example/?k=xhunter2"},
		{"in the only value of one", `{url: "https://{k}@a.example/", k: "${KEY}"}`, "https://${KEY}@a.example/", "https://hunter2@a.example/"},
		{"in the value of one in the path", `{url: "https://a.example/{k}", k: ["${KEY}"]}`, "https://a.example/hunter2", "https://a.example/hunter2"},
		{"in the range of one", `{url: "https://a.example/?p={p}", p: "${N}..5"}`, "https://a.example/?p=3", "https://a.example/?p=3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			job := keyedStart(t, c.start, env)
			stored := job.Starts[0].Request(0).URL
			if stored != c.stored || job.Fill(stored) != c.sent {
				t.Errorf("stored %s, sent %s", stored, job.Fill(stored))
			}
		})
	}
}

func TestAVariableThatStaysAsWrittenMustBeSet(t *testing.T) {
	got := problems(t, "start: https://a.example/?k=${NOT_SET}\nrecords: {fields: {a: b}}\n")
	if !strings.HasPrefix(got, "test.yaml:1:8: NOT_SET is not set: ") {
		t.Error(got)
	}
}

func TestTheIdentityOfAStartDoesNotDependOnItsKey(t *testing.T) {
	for _, start := range []string{
		`https://a.example/{1..9}?k=${KEY}`, `https://u:${KEY}@a.example/`,
		`{url: "https://a.example/{id}?k={k}", id: 1..9, k: ["${KEY}", x], order: shuffle}`,
	} {
		var entries, urls []string
		for _, key := range []string{"hunter2", "swordfish"} {
			job := keyedStart(t, start, map[string]string{"KEY": key})
			entries = append(entries, job.Starts[0].Entry())
			urls = append(urls, job.Starts[0].Request(0).URL)
		}
		if entries[0] != entries[1] || urls[0] != urls[1] || strings.Contains(entries[0], "hunter") {
			t.Errorf("%q %q", entries, urls)
		}
	}
}

func TestParamsAreReadBackFromAURLWithItsKeyAsWritten(t *testing.T) {
	job := keyedStart(t, `{url: "https://a.example/{id}?k=${KEY}&x={k}", id: 1..9, k: ["${KEY}"]}`, map[string]string{"KEY": "hunter2"})
	if diff := cmp.Diff(map[string]string{"id": "3", "k": "${KEY}"}, job.Params(job.Starts[0].Request(2).URL, "")); diff != "" {
		t.Error(diff)
	}
}

func TestHidePutsTheNamesBack(t *testing.T) {
	start := `"https://u:${KEY}@a.example/?long=${LONG}&short=${SHORT}&d=${NONE:-default}&odd=${ODD:-x}&host=${HOST}"`
	job := keyedStart(t, start, map[string]string{"KEY": "hunter2", "LONG": "hunter2hunter", "SHORT": "abc", "ODD": "a /+ä&", "HOST": "a.example"})
	for _, c := range []struct{ name, text, want string }{
		{"a value", "get hunter2: no", "get ${KEY}: no"},
		{"the longest first", "hunter2hunter", "${LONG}"},
		{"a short one stays", "abc", "abc"},
		{"a default stays, it is in the job file", "default", "default"},
		{"as it is", "a /+ä&", "${ODD:-x}"},
		{"as a form has it", "a+%2F%2B%C3%A4%26", "${ODD:-x}"},
		{"as a component", "a%20%2f%2b%c3%a4%26", "${ODD:-x}"},
		{"as a browser has it in a query", "a%20/+%C3%A4&", "${ODD:-x}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := job.Hide(c.text); got != c.want {
				t.Errorf("%q", got)
			}
		})
	}
	got := job.HideURL("http://u:hunter2@a.example:80/a.example/hunter2?x=hunter2#hunter2")
	if want := "http://u:${KEY}@a.example:80/${HOST}/${KEY}?x=${KEY}#${KEY}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	plain := load(t, "start: https://a.example/\nrecords: {fields: {a: b}}\n")
	if plain.Fill("${KEY}")+plain.Hide("x")+plain.HideURL("y") != "${KEY}xy" {
		t.Error("a job without variables changes texts")
	}
}

func TestManyVariablesTakeNoLongerThanTheirText(t *testing.T) {
	for _, start := range []string{"https://a.example/?", "https://", "https://u:@"} {
		many := start + strings.Repeat("${A:-}", 5_000) + "@a.example/"
		if job := keyedStart(t, many, nil); job.Fill(job.Starts[0].Request(0).URL) != start+"@a.example/" {
			t.Errorf("%s: %d bytes", start, len(job.Starts[0].Request(0).URL))
		}
		if got := problems(t, "start: "+start+strings.Repeat("${A:-}", 150_000)+"@a.example/\nrecords: {fields: {a: b}}\n"); !strings.HasPrefix(got, "test.yaml:1:8: ") {
			t.Error(shorten(got))
		}
	}
}
