package job

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func compiledSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(JSONSchema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("job.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("job.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// validate holds a job file against the JSON Schema, as an editor would.
func validate(t *testing.T, s *jsonschema.Schema, text []byte) error {
	t.Helper()
	asJSON, err := yaml.YAMLToJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc)
}

func TestEveryExampleLoadsAndFitsTheJSONSchema(t *testing.T) {
	s := compiledSchema(t)
	files, err := filepath.Glob("../../testdata/jobs/*.yaml")
	if err != nil || len(files) < 3 {
		t.Fatalf("examples: found %d, %v", len(files), err)
	}
	files = append(files, "testdata/walking.yaml")
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := validate(t, s, text); err != nil {
				t.Error(err)
			}
			if _, err := Parse(file, text, func(string) (string, bool) { return "x", true }); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestTheJSONSchemaAndTheLoaderKnowTheSameKeys(t *testing.T) {
	var doc struct {
		Defs map[string]struct {
			Properties map[string]any `json:"properties"`
		} `json:"$defs"`
	}
	if err := json.Unmarshal(JSONSchema(), &doc); err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{}
	for _, k := range allKeys {
		want[k.name] = slices.Sorted(slices.Values(k.known))
	}
	got := map[string][]string{}
	for name, def := range doc.Defs {
		if def.Properties != nil {
			got[name] = slices.Sorted(maps.Keys(def.Properties))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("keys of the loader (-) and of the schema (+):\n%s", diff)
	}
}

func TestTheJSONSchemaRefusesWhatTheLoaderRefuses(t *testing.T) {
	s := compiledSchema(t)
	for name, text := range map[string]string{
		"a key that is unknown":         "start: https://a.example/\nfeilds: {a: b}\n",
		"a keep that is not body":       "start: https://a.example/\nkeep: headers\n",
		"robots that are neither":       "start: https://a.example/\nrobots: off\nrecords: {fields: {a: b}}\n",
		"a map of no selector":          "start: https://a.example/\nrecords: {each: {}, fields: {a: b}}\n",
		"an up of nought":               "start: https://a.example/\nrecords: {each: [a, b], fields: {a: {css: b, up: 0}}}\n",
		"a take that is none":           "start: https://a.example/\nrecords: {fields: {a: {css: b, take: all}}}\n",
		"a carry of nothing":            "start: https://a.example/\nfollow: {css: a@href, carry: {}}\n",
		"a carry with a type":           "start: https://a.example/\nfollow: {css: a@href, carry: {a: {css: b, type: int}}}\n",
		"a next that is a list":         "start: https://a.example/\nnext: [a@href]\n",
		"a next without a value":        "start: https://a.example/\nnext: {json: $.a, url: '/x'}\n",
		"a next of nothing":             "start: https://a.example/\nnext: {url: '/{value}'}\n",
		"a next within its own URL":     "start: https://a.example/\nnext: {json: $.a, url: '/{value}', within: any}\n",
		"a follow of nothing":           "start: https://a.example/\nfollow: {each: .item}\n",
		"a list that is shuffled":       "start: {from: urls.txt, order: shuffle}\nrecords: {fields: {a: b}}\n",
		"a list with values beside it":  "start: {from: ids.txt, url: 'https://a.example/{id}', id: 3}\nrecords: {fields: {a: b}}\n",
		"a field without a source":      "start: https://a.example/\nrecords: {fields: {a: {type: int}}}\n",
		"a field with two sources":      "start: https://a.example/\nrecords: {fields: {a: {css: b, meta: url}}}\n",
		"a rate without a unit":         "start: https://a.example/\nrate: 5\nrecords: {fields: {a: b}}\n",
		"a concurrency that is a word":  "start: https://a.example/\nconcurrency: many\nrecords: {fields: {a: b}}\n",
		"a concurrency below one":       "start: https://a.example/\nconcurrency: {min: 0}\nrecords: {fields: {a: b}}\n",
		"a timeout without a unit":      "start: https://a.example/\nrequest: {timeout: 5}\nrecords: {fields: {a: b}}\n",
		"a start that is no web URL":    "start: ftp://a.example/\nrecords: {fields: {a: b}}\n",
		"no start":                      "records: {fields: {a: b}}\n",
		"a page without rules":          "start: https://a.example/\npages: {a: {}}\n",
		"yes where true is meant":       "start: https://a.example/\nrecords: {fields: {a: {css: b, required: 'yes'}}}\n",
		"a type that does not exist":    "start: https://a.example/\nrecords: {fields: {a: {css: b, type: string}}}\n",
		"a layout of a text":            "start: https://a.example/\nrecords: {fields: {a: {css: b, layout: 2006-01-02}}}\n",
		"a layout of a number":          "start: https://a.example/\nrecords: {fields: {a: {css: b, type: int, layout: 2006-01-02}}}\n",
		"a layout that is a list":       "start: https://a.example/\nrecords: {fields: {a: {css: b, type: date, layout: [2006-01-02]}}}\n",
		"a selector that is a list":     "start: https://a.example/\nrecords: {fields: {a: [data-id]}}\n",
		"a status that does not exist":  "start: https://a.example/\nexpect: {status: 99}\n",
		"a parameter that is no values": "start: {url: 'https://a.example/{id}', id: {til: 3}}\nrecords: {fields: {a: b}}\n",
	} {
		t.Run(name, func(t *testing.T) {
			problems(t, text)
			if err := validate(t, s, []byte(text)); err == nil {
				t.Error("the schema accepts it")
			}
		})
	}
}
