package extract

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/theory/jsonpath"
)

// bookstore is the example of RFC 9535 section 1.5, a little larger.
const bookstore = `{"store": {"book": [
 {"category":"reference","author":"Nigel Rees","title":"Sayings of the Century","price":8.95},
 {"category":"fiction","author":"Evelyn Waugh","title":"Sword of Honour","price":12.99},
 {"category":"fiction","author":"Herman Melville","title":"Moby Dick","isbn":"0-553-21311-3","price":8.99},
 {"category":"fiction","author":"J. R. R. Tolkien","title":"The Lord of the Rings","isbn":"0-395-19395-8","price":22.99}],
 "bicycle":{"color":"red","price":399}}, "a b":{"'":1,"\"":2,"é":[[1,2],[3,[4,5]]]}, "none":null, "empty":[]}`

func selectAll(t testing.TB, d *document, query string) []string {
	t.Helper()
	p, err := compilePath(query)
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	p.all(d, 0, func(i int) bool { got = append(got, d.compact(i)); return true })
	return got
}

func TestPathsSelectWhatTheReferenceSelects(t *testing.T) {
	var d document
	if err := d.read([]byte(bookstore)); err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{
		"$", "$.store", "$.store.book[0].title", "$['store']['book'][-1]['isbn']", "$.store.book[9]", "$.store.book[-9]",
		"$.store.bicycle[0]", "$.store.book.title", "$.none", "$.none.x", "$.empty[0]", "$.missing", `$["a b"]["'"]`,
		`$['a b']["\""]`, "$['a b']['é'][1][1][0]", "$['a b']['\\u00e9']", "$.store.book[*].author", "$..author",
		"$.store.*", "$.store..price", "$..book[2]", "$..book[-1]", "$..book[0,1]", "$..book[:2]", "$..book[::-1]",
		"$.store.book[1:3]", "$.store.book[3:1:-1]", "$.store.book[0:3:0]", "$.store.book[-2:]", "$.store.book[::2]",
		"$..book[?@.isbn]", "$..book[?@.price<10]", "$..book[?@.price<10 && @.isbn].title", "$..*", "$..[0]", "$.*.*",
		"$.store.book[?@.author=='Evelyn Waugh']['title','price']", "$['a b']..[*]", "$..['price','title']",
		"$.store.book[?length(@.title)>14].title", "$.store.book[?match(@.isbn,'0-5.*')]", "$[?@.book].bicycle",
		"$.store.book[?@.price>$.store.book[0].price].title", "$.store[?@.color=='red'].price", "$..book[0]..price",
	} {
		got, want := selectAll(t, &d, query), referenceSelect(t, bookstore, query)
		if strings.ContainsAny(query, "*?") || strings.Contains(query, "..") {
			slices.Sort(got) // the reference goes through an object in any order
			slices.Sort(want)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %s, want %s", query, got, want)
		}
	}
}

func referenceSelect(t *testing.T, text, query string) []string {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	want := []string{}
	for _, node := range jsonpath.MustParse(query).Select(v) {
		want = append(want, sorted(t, node))
	}
	return want
}

// sorted returns a decoded value as JSON with the members in the order of the bookstore's text.
func sorted(t *testing.T, v any) string {
	t.Helper()
	switch v := v.(type) {
	case map[string]any:
		order := strings.Fields(`store book bicycle category author title isbn color price a_b none empty ' " é`)
		var parts []string
		for _, name := range order {
			name = strings.ReplaceAll(name, "_", " ")
			if member, ok := v[name]; ok {
				quoted, _ := json.Marshal(name)
				parts = append(parts, fmt.Sprintf("%s:%s", quoted, sorted(t, member)))
			}
		}
		return "{" + strings.Join(parts, ",") + "}"
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = sorted(t, v[i])
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestNodesComeInTheOrderOfTheDocument(t *testing.T) {
	var d document
	if err := d.read([]byte(`{"z":{"u":1},"m":{"u":2},"a":{"u":3},"b":[{"u":4},{"q":{"u":5},"u":6}]}`)); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		"$.*.u":         "1 2 3",
		"$[?@.u<3].u":   "1 2",
		"$..u":          "1 2 3 4 6 5",
		"$['b','z']..u": "4 6 5 1",
	} {
		for range 20 {
			if got := strings.Join(selectAll(t, &d, query), " "); got != want {
				t.Fatalf("%s: got %s, want %s", query, got, want)
			}
		}
	}
}

func TestFirstStopsAtTheFirstNode(t *testing.T) {
	var d document
	if err := d.read([]byte(`{"a":[1,2,3]}`)); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{"$.a[*]": "1", "$..[1]": "2", "$.a[::-1]": "3", "$.a[?@>1]": "2", "$.a[1]": "2"} {
		p, err := compilePath(query)
		if err != nil {
			t.Fatal(err)
		}
		if i := p.first(&d, 0); i < 0 || d.scalar(i) != want {
			t.Errorf("%s: got token %d, want %s", query, i, want)
		}
	}
}
