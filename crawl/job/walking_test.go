package job

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// rules compares a part of a job, whatever the tables in it.
func wantRules(t *testing.T, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Carry{}, "Table"), cmpopts.IgnoreFields(Records{}, "Table")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestWhatAWalkIsMadeOf(t *testing.T) {
	comma := ", "
	job := parsed(t, "testdata/walking.yaml")
	list, product, orders, events := &job.Pages[0], &job.Pages[1], &job.Pages[2], &job.Pages[3]
	wantRules(t, &Next{Source: Source{CSS: "a.next", Attr: "href"}, Within: WithinHost}, list.Next)
	wantRules(t, []Follow{{
		Each: []Selector{{CSS: ".item"}}, Source: Source{CSS: "a.name", Attr: "href"}, Page: "product", Within: WithinHost,
		Carry: Carry{Sources: []Source{{CSS: ".category"}, {CSS: ".list-price"}, {Meta: "final_url"}}},
	}, {
		Source: Source{CSS: "script#state", JSON: "$.related[*].url"}, Page: "product", Within: WithinHost, Depth: 3,
	}}, list.Follow)
	if names := list.Follow[0].Carry.Table.Fields; len(names) != 3 || names[1].Name != "list_price" || names[1].Remove == nil {
		t.Errorf("%+v", names)
	}
	wantRules(t, []Source{
		{CSS: "script#state", JSON: "$.product.id"}, {CSS: ".price", Take: TakeOwn}, {CSS: ".description", Take: TakeHTML},
		{CSS: ".tag", Join: &comma}, {Meta: "carry.category"}, {Meta: "carry.list_price"},
	}, product.Records[0].Sources)
	wantRules(t, []Selector{{CSS: `script[type="application/ld+json"]`, JSON: "$.offers[*]"}}, product.Records[1].Each)
	wantRules(t, Records{Each: []Selector{{CSS: ".order"}, {CSS: ".line"}}, Sources: []Source{
		{CSS: ".no", Up: 1}, {Attr: "data-line"}, {CSS: ".name"}, {Meta: "param.page"},
	}}, orders.Records[0])
	wantRules(t, &Next{Source: Source{JSON: "$.next"}, URL: []string{"https://api.example.com/v1/events?after=", ""}, Within: WithinHost}, events.Next)
	wantRules(t, []Selector{{JSON: "$.days[*]"}, {JSON: "$.events[*]"}}, events.Records[0].Each)
}

func TestTheURLOfNextIsReadInPieces(t *testing.T) {
	for url, want := range map[string][]string{
		"?after={value}":                         {"?after=", ""},
		"/{value}/x/{value}?y":                   {"/", "/x/", "?y"},
		"{value}":                                {"", ""},
		"//b.example/{value}":                    {"//b.example/", ""},
		"HTTP://b.example?{value}":               {"HTTP://b.example?", ""},
		"https://b.example/${N}?{value}#x":       {"https://b.example/7?", "#x"},
		"?key=${BRACES}&after={value}":           {"?key=pass{word}&after=", ""},
		"https://me:${SECRET}@b.example/{value}": {"https://me:hunter2,x y@b.example/", ""},
	} {
		j, err := Parse("t.yaml", []byte("start: https://a.example/\nrecords: {fields: {a: $.b}}\nnext: {json: $.next, url: '"+url+"'}\n"),
			func(name string) (string, bool) {
				if name == "N" {
					return "7", true
				}
				return secretEnv(name)
			})
		if err != nil {
			t.Errorf("%s: %v", url, err)
			continue
		}
		if diff := cmp.Diff(want, j.Pages[0].Next.URL); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", url, diff)
		}
		if hidden := j.Hide("hunter2,x y pass{word}"); strings.Contains(url, "${BRACES}") != strings.Contains(hidden, "${BRACES}") ||
			strings.Contains(url, "${SECRET}") != strings.Contains(hidden, "${SECRET}") {
			t.Errorf("%s: hidden as %s", url, hidden)
		}
	}
}

const walked = `
start: [{url: https://a.example/, as: list}]
pages:
  list:
    next: {json: $.next, url: "?after={value}"}
    follow: {each: [$, "$.items[*]"], json: $.url, as: item, carry: {category: $.category, shop: {json: $.shop, up: 1, match: (\w+)}}}
  item:
    next: {css: a.more@href, within: domain}
    records:
      table: items
      each: [.order, {css: "script#s", json: "$.lines[*]"}]
      fields: {no: {css: .no, up: 1, take: own}, tags: {json: "$.tags[*]", join: ", "}, category: {meta: carry.category}}
`

func TestTheMeaningOfAWalk(t *testing.T) {
	want := []string{
		"page item",
		"page item: next css a.more@href within domain",
		"page item: table items",
		`page item: table items: each [.order, css script#s json $.lines[*]]`,
		"page item: table items: field category: meta carry.category, text",
		"page item: table items: field no: css .no, up 1, take own, text",
		`page item: table items: field tags: json $.tags[*], join ", ", text`,
		"page list",
		"page list: follow json $.url each [$, $.items[*]] as item within host",
		"page list: follow json $.url each [$, $.items[*]] as item: carry category: json $.category",
		`page list: follow json $.url each [$, $.items[*]] as item: carry shop: json $.shop, up 1, match (\w+)`,
		"page list: next json $.next url ?after={value}",
	}
	if diff := cmp.Diff(want, facts(t, walked)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for name, edit := range map[string][2]string{
		"the text is meant": {"{meta: carry.category}}", "{meta: carry.category, type: text}}"},
		"each in long":      {"each: [.order, ", "each: [{css: .order}, "},
		"a list of one":     {"follow: {each: [$, \"$.items[*]\"]", "follow: {each: [{json: $}, {json: \"$.items[*]\"}]"},
	} {
		text := replaced(t, walked, edit[0], edit[1])
		if diff := cmp.Diff(want, facts(t, text)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

func TestAnEachOfOneSelectorIsThatSelector(t *testing.T) {
	for _, each := range []string{"each: [.item]", "each: {css: .item}", "each: [{css: .item}]"} {
		got := facts(t, replaced(t, small, "records: {key", "records: {"+each+", key"))
		if want := facts(t, replaced(t, small, "records: {key", "records: {each: .item, key")); cmp.Diff(want, got) != "" {
			t.Errorf("%s: %v", each, got)
		}
	}
}
