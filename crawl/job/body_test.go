package job

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// asked loads a job with this start and request and returns what its requests are: method and body.
func asked(t *testing.T, text string, env map[string]string) (*Job, []string) {
	t.Helper()
	job, err := Parse("x.yaml", []byte(text+"\nrecords: {fields: {t: h1}}\n"), func(name string) (string, bool) {
		value, ok := env[name]
		return value, ok
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range job.Starts {
		for k := range job.Starts[i].Total() {
			q := job.Starts[i].Request(k)
			got = append(got, strings.TrimSpace(q.Method+" "+q.Body))
		}
	}
	return job, got
}

func TestABodyIsMadeOfTheStartsParameters(t *testing.T) {
	const url = `"https://a.example/search"`
	for _, c := range []struct {
		name, start, request string
		want                 []string
	}{
		{"a parameter in the body alone", `{url: ` + url + `, page: 1..2}`, `{json: {page: "{page}"}}`,
			[]string{`POST {"page":1}`, `POST {"page":2}`}},
		{"in URL and body", `{url: "https://a.example/{id}", id: [7]}`, `{json: {id: "{id}", text: "no {id}"}}`,
			[]string{`POST {"id":7,"text":"no 7"}`}},
		{"the URL's count slower", `{url: "https://a.example/{a}", b: 1..2, a: 3..4}`, `{form: {b: "{b}", a: "{a}"}}`,
			[]string{"POST b=1&a=3", "POST b=2&a=3", "POST b=1&a=4", "POST b=2&a=4"}},
		{"numbers with zeros in front are text", `{url: ` + url + `, n: "01..02"}`, `{json: ["{n}"]}`,
			[]string{`POST ["01"]`, `POST ["02"]`}},
		{"quoted numbers are text", `{url: ` + url + `, n: ["1", 2]}`, `{json: ["{n}"]}`, []string{`POST ["1"]`,
			`POST ["2"]`}},
		{"from and to are numbers", `{url: ` + url + `, n: {from: -1, to: 0}}`, `{json: ["{n}"]}`, []string{`POST [-1]`,
			`POST [0]`}},
		{"words are escaped", `{url: ` + url + `, q: ['a"b\', "<&中>"]}`, `{json: {q: "{q}", p: "/{q}/"}}`,
			[]string{`POST {"q":"a\"b\\","p":"/a\"b\\/"}`, `POST {"q":"<&中>","p":"/<&中>/"}`}},
		{"words in a form", `{url: ` + url + `, q: ["a b&c=中"]}`, `{form: {q: "{q}", "x y": ["{q}", 1]}}`,
			[]string{"POST q=a+b%26c%3D%E4%B8%AD&x+y=a+b%26c%3D%E4%B8%AD&x+y=1"}},
		{"keys keep their order and numbers their digits", url,
			`{json: {z: 12345678901234567890.10, a: 1e3, m: {b: [true, False, null, ~], "": -0}}}`,
			[]string{`POST {"z":12345678901234567890.10,"a":1e3,"m":{"b":[true,false,null,null],"":-0}}`}},
		{"other braces are text", url, `{json: {query: "{ items(first: 3) { id } }", x: "a{b}c"}}`,
			[]string{`POST {"query":"{ items(first: 3) { id } }","x":"a{b}c"}`}},
		{"text stays text", url, `{json: {a: "7", b: 'true', c: yes, d: "x\ny"}}`,
			[]string{`POST {"a":"7","b":"true","c":"yes","d":"x\ny"}`}},
		{"another method", url, `{method: PUT, form: {a: , b: c}}`, []string{"PUT a=&b=c"}},
		{"a method without a body", url, `{method: DELETE}`, []string{"DELETE"}},
		{"a GET is what it is anyway", url, `{method: GET}`, []string{""}},
		{"a GET with a body", url, `{method: GET, json: {a: 1}}`, []string{`GET {"a":1}`}},
		{"the start's own",
			`[` + url + `, {url: ` + url + `, request: {form: {a: b}}}, {url: ` + url + `, request: {method: GET}}]`, `{json: {}}`,
			[]string{"POST {}", "POST a=b", ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, got := asked(t, "start: "+c.start+"\nrequest: "+c.request, nil)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if err := validate(t, compiledSchema(t),
				[]byte("start: "+c.start+"\nrequest: "+c.request+"\nrecords: {fields: {t: h1}}\n")); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestASecretInABodyIsKeptAsWrittenAndSent(t *testing.T) {
	env := map[string]string{"KEY": `hun"ter&2 ${OTHER}`, "OTHER": "swordfish"}
	for _, c := range []struct{ name, request, stored, sent string }{
		{"JSON", `{json: {key: "${KEY}", n: "a ${OTHER} b", d: "${NONE:-x\"y}"}}`,
			`{"key":"${KEY}","n":"a ${OTHER} b","d":"${NONE:-x\"y}"}`,
			`{"key":"hun\"ter&2 $\u007bOTHER}","n":"a swordfish b","d":"x\"y"}`},
		{"a form", `{form: {key: "${KEY}", n: "a ${OTHER} b", d: "${NONE:-x&y}"}}`,
			`key=${KEY}&n=a+${OTHER}+b&d=${NONE:-x&y}`, `key=hun%22ter%262+%24%7BOTHER%7D&n=a+swordfish+b&d=x%26y`},
		{"what is no reference", `{json: {a: "$${OTHER} ${OTHER}", b: "$${OTHER}{OTHER}"}}`,
			`{"a":"$\u007bOTHER} ${OTHER}","b":"$\u007bOTHER}{OTHER}"}`,
			`{"a":"$\u007bOTHER} swordfish","b":"$\u007bOTHER}{OTHER}"}`},
		{"what is none in a form", `{form: {a: "$${OTHER} ${OTHER}"}}`, `a=%24%7BOTHER%7D+${OTHER}`,
			`a=%24%7BOTHER%7D+swordfish`},
	} {
		t.Run(c.name, func(t *testing.T) {
			job, _ := asked(t, "start: https://a.example/\nrequest: "+c.request, env)
			stored := job.Starts[0].Request(0).Body
			if stored != c.stored || job.FillBody(stored) != c.sent {
				t.Errorf("stored %s\n  sent %s", stored, job.FillBody(stored))
			}
			if entry := job.Starts[0].Entry(); strings.Contains(entry, "swordfish") || !strings.Contains(entry, "OTHER") {
				t.Error(entry)
			}
			if got := job.Hide(`they said swordfish and hun\"ter&2 ${OTHER}`); strings.Contains(got, "swordfish") {
				t.Error(got)
			}
		})
	}
}

func TestTheIdentityOfAStartHasItsBody(t *testing.T) {
	seen := map[string]string{}
	for _, request := range []string{`{}`, `{method: POST}`, `{json: {a: 1}}`, `{json: {a: 2}}`, `{form: {a: 1}}`,
		`{method: PUT, json: {a: 1}}`,
		`{json: {a: "{n}"}}`, `{json: {a: "` + strings.Repeat("x", 1000) + `"}}`, `{json: {a: "` + strings.Repeat("x",
			999) + `y"}}`} {
		job, _ := asked(t, `start: {url: "https://a.example/{n}", n: [1]}`+"\nrequest: "+request, nil)
		entry := job.Starts[0].Entry()
		if other := seen[entry]; other != "" || len(entry) > 500 {
			t.Errorf("%s has the identity of %s: %s", request, other, entry)
		}
		seen[entry] = request
	}
	if plain, _ := asked(t, "start: https://a.example/", nil); plain.Starts[0].Entry() != "https://a.example/ as=page" {
		t.Errorf("a plain start is another one than before: %s", plain.Starts[0].Entry())
	}
}

func TestParamsAreReadBackFromABody(t *testing.T) {
	job, _ := asked(t, `start: {url: "https://a.example/{id}", id: 1..3, q: ['a"b', 'a b', 7], n: [1..3, 9]}`+
		"\nrequest: {json: {q: \"{q}\", id: \"{id}\", n: \"x{n}\"}}", nil)
	s := &job.Starts[0]
	var got []string
	for i := range s.Total() {
		q := s.Request(i)
		p := job.Params(q.URL, q.Body)
		got = append(got, p["id"]+" "+p["q"]+" "+p["n"])
	}
	if len(got) != 36 || !slices.Contains(got, `2 a"b 9`) || len(slices.Compact(slices.Sorted(slices.Values(got)))) != 36 {
		t.Errorf("%q", got)
	}
	if p := job.Params("https://a.example/1", `{"q":7,"id":2,"n":"x1"}`); p != nil {
		t.Errorf("an id that is two: %v", p)
	}
	if p := job.Params("https://a.example/1", ""); p != nil {
		t.Errorf("another request: %v", p)
	}
}

func TestAFinderKnowsTheBodyThatAURLOrANumberStandsFor(t *testing.T) {
	job, _ := asked(t, `
start:
  - {url: "https://a.example/search", page: 1..9, request: {json: {page: "{page}", size: 50}}}
  - {url: "https://b.example/{q}", q: [a, b], request: {form: {q: "{q}", n: 1}}}
`, nil)
	f := job.Finder()
	if q, ok, err := f.Number(7); !ok || err != nil || q.Body != `{"page":7,"size":50}` || q.Method != "POST" {
		t.Errorf("%+v, %v, %v", q, ok, err)
	}
	if q, ok := f.URL("https://b.example/b"); !ok || q.Body != "q=b&n=1" || q.Key() != job.Starts[1].Request(1).Key() {
		t.Errorf("%+v, %v", q, ok)
	}
	if q, ok := f.URL("https://a.example/search"); ok {
		t.Errorf("one of nine: %+v", q)
	}
}
