package job

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const shop = `
start: https://a.example/{1..9}
rate: 5/s
pages:
  listing:
    follow: {css: a.next@href, as: listing, depth: 3}
    records: {table: seen, fields: {at: {meta: fetched_at}}}
  product:
    records:
      table: products
      each: div .item # of the list
      key: [url, id]
      fields:
        url: {meta: url, type: url}
        id: "@data-id"
        price: {css: .price, type: "decimal(10,2)", required: true, match: "([0-9, ]+)", min: 1, clamp: true, decimal: ","}
        size: {css: .size, in: [M, S], default: M}
        shop: {value: "a, b"}
    expect: {contains: h1, status: [404, 200], records: 1}
`

// facts parses a text with A and B set to secrets.
func facts(t *testing.T, text string) []string {
	t.Helper()
	j, err := Parse("shop.yaml", []byte(text), func(name string) (string, bool) {
		return map[string]string{"A": "hunter2", "B": "swordfish", "N": "7"}[name], name <= "N"
	})
	if err != nil {
		t.Fatal(err)
	}
	return j.Meaning()
}

func TestTheMeaningOfAJobIsOneFactALine(t *testing.T) {
	want := []string{
		"page listing",
		"page listing: follow css a.next@href as listing within host, depth 3",
		"page listing: table seen",
		"page listing: table seen: field at: meta fetched_at, text",
		"page product",
		"page product: expect contains h1",
		"page product: expect records 1",
		"page product: expect status 200, 404",
		"page product: table products",
		`page product: table products: each "div .item"`,
		"page product: table products: field id: css @data-id, text",
		`page product: table products: field price: css .price, decimal(10,2), required, match "([0-9, ]+)", min 1, clamp, decimal ","`,
		`page product: table products: field shop: value "a, b", text`,
		"page product: table products: field size: css .size, text, default M, in [M, S]",
		"page product: table products: field url: meta url, url",
		"page product: table products: key url, id",
	}
	text := replaced(t, shop, "start: https://a.example/{1..9}", "start: [{url: https://a.example/, as: listing}]")
	if diff := cmp.Diff(want, facts(t, text)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func replaced(t *testing.T, text, old, new string) string {
	t.Helper()
	if !strings.Contains(text, old) {
		t.Fatalf("%q is not in the text", old)
	}
	return strings.Replace(text, old, new, 1)
}

const small = `
start: https://a.example/{1..9}
records: {key: url, fields: {url: {meta: url, type: url}, price: {css: .price, type: int, in: [1, 2]}, title: h2}}
follow: {css: a@href}
expect: {status: [200, 404]}
`

func TestTheMeaningStaysWhatItIsWhenOnlyTheTextChanges(t *testing.T) {
	want := facts(t, small)
	for name, edit := range map[string][2]string{
		"a comment":                   {"\nrecords", "\n# what to keep\nrecords"},
		"the order of the file":       {"\nfollow: {css: a@href}\nexpect: {status: [200, 404]}", "\nexpect: {status: [200, 404]}\nfollow: {css: a@href}"},
		"the order of fields":         {"{url: {meta: url, type: url}, price", "{title: h2, url: {type: url, meta: url}, price"},
		"the long form":               {"title: h2", "title: {css: h2, type: text, required: false}"},
		"quotes":                      {"css: .price", `"css": ".price"`},
		"a list of one":               {"key: url", "key: [url]"},
		"the order of allowed values": {"[1, 2]", "[2, 1]"},
		"the order of statuses":       {"[200, 404]", "[404, 200]"},
		"defaults":                    {"css: a@href", "css: a@href, within: host, depth: 0, as: page"},
		"a table with its own name":   {"key: url", "table: shop, key: url"},
		"starts":                      {"{1..9}", "{1..10}"},
		"rate, retry and headers":     {"\nfollow", "\nrate: 1/s\nretry: {attempts: 9}\nrequest: {headers: {X: y}}\nlimits: {depth: 2}\nfollow"},
	} {
		text := replaced(t, small, edit[0], edit[1])
		if name == "the order of fields" {
			text = replaced(t, text, ", title: h2}", "}")
		}
		if diff := cmp.Diff(want, facts(t, text)); diff != "" {
			t.Errorf("%s changes it (-was +is)\n%s", name, diff)
		}
	}
}

func TestTheMeaningChangesWithTheRules(t *testing.T) {
	was := facts(t, small)
	for _, edit := range [][2]string{
		{", type: int, in: [1, 2]", ", type: bool"}, {"type: int", `type: "decimal(9,0)"`}, {"{css: .price, type: int, in: [1, 2]}", "{json: $.price, type: int, in: [1, 2]}"}, {"css: .price", "css: .cost"}, {"h2", "h2@title"},
		{"h2", "{css: h2, match: a}"}, {"h2", "{css: h2, remove: a}"}, {"h2", "{css: h2, max: 9}"}, {"h2", "{css: h2, required: true}"},
		{"h2", "{css: h2, default: x}"}, {"h2", "{value: h2}"}, {"key: url", "key: [url, title]"}, {"key: url", "table: other, key: url"},
		{"key: url", "each: li, key: url"}, {"in: [1, 2]", "in: [1]"}, {"a@href", "a.next@href"}, {"css: a@href", "css: a@href, within: any"},
		{"css: a@href", "css: a@href, match: x"}, {"css: a@href", "css: a@href, depth: 2"}, {"[200, 404]", "[200]"}, {"status", "absent: h3, status"},
		{"in: [1, 2]", "clamp: true"}, {"in: [1, 2]", "decimal: '.'"}, {"h2", "{css: h2, type: date, layout: 02/01/2006}"},
	} {
		if slices.Equal(was, facts(t, replaced(t, small, edit[0], edit[1]))) {
			t.Errorf("%s -> %s is not seen", edit[0], edit[1])
		}
	}
}

// What a variable holds may be a secret, and another password does not make other records.
func TestTheMeaningHasVariablesAsWritten(t *testing.T) {
	text := `
name: of ${A}
start: https://a.example/
records: {each: "${A}", fields: {a: "${A} b", c: {value: "${A}", default: "x${B}", min: "${N}"}, d: {css: h1, in: ["${A}", "${B:-x}"], match: "${A}"}}}
follow: {css: "${A}@href", match: "${B}", depth: "${N}"}
expect: {contains: "${A}", status: "${N}04", records: "${N}"}
`
	text = replaced(t, text, `"${N}04"`, `404`)
	got := strings.Join(facts(t, text), "\n")
	for _, secret := range []string{"hunter2", "swordfish", "7"} {
		if strings.Contains(got, secret) {
			t.Errorf("%q is in\n%s", secret, got)
		}
	}
	for _, written := range []string{`table "of ${A}"`, "each ${A}", `css "${A} b"`, "default x${B}", "min ${N}", "in [${A}, ${B:-x}]", "depth ${N}", "records ${N}"} {
		if !strings.Contains(got, written) {
			t.Errorf("%q is not in\n%s", written, got)
		}
	}
}

func TestAnEarlierTextIsReadWithTheSameVariables(t *testing.T) {
	env := func(name string) (string, bool) { return "h2", name == "A" }
	j, err := Parse("jobs/shop.yaml", []byte(small), env)
	if err != nil {
		t.Fatal(err)
	}
	earlier, err := j.Earlier("old.name", []byte(replaced(t, small, "h2", `"${A}"`)))
	if err != nil || earlier.Name != "old.name" {
		t.Fatalf("%+v, %v", earlier, err)
	}
	if _, err := j.Earlier("old", []byte(replaced(t, small, "h2", `"${GONE}"`))); err == nil || !strings.Contains(err.Error(), "GONE is not set") {
		t.Errorf("error %v", err)
	}
}

func TestTheMeaningChangesWithHowNumbersAndDatesAreWritten(t *testing.T) {
	const text = `
start: https://a.example/
records: {fields: {price: {css: b, type: "decimal(9,2)", decimal: ","}, seen: {css: i, type: date, layout: "%d/%m/%Y"}}}
`
	was := facts(t, text)
	if want := `page page: table shop: field seen: css i, date, layout %d/%m/%Y`; !slices.Contains(was, want) {
		t.Errorf("%q is not in %q", want, was)
	}
	for _, edit := range [][2]string{{`","`, `"."`}, {`, decimal: ","`, ""}, {"%d/%m", "%m/%d"}, {`, layout: "%d/%m/%Y"`, ""}} {
		if slices.Equal(was, facts(t, replaced(t, text, edit[0], edit[1]))) {
			t.Errorf("%s -> %s is not seen", edit[0], edit[1])
		}
	}
}
