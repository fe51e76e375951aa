package extract

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dogear/schema"
)

func TestEachExpectationIsJudgedByItself(t *testing.T) {
	two := 2
	expect := Expect{Status: []int{200, 203}, Contains: "h1", Absent: "form#captcha", Records: &two}
	items := rows(t, "li", column{schema.Field{Name: "n", Type: schema.Type{Kind: schema.Int}, Required: true}, Source{}})
	for name, c := range map[string]struct {
		status int
		body   string
		want   []Judgement
	}{
		"all met": {200, "<h1> Two </h1><li>1<li>2", []Judgement{
			{"status in [200 203]", Met, "200"}, {"contains h1", Met, `"Two"`}, {"absent form#captcha", Met, "nothing"},
			{"records >= 2", Met, "2"}}},
		"none met": {503, "<form id=captcha><b>Robot?</b></form><form id=captcha></form><li>1<li>x", []Judgement{
			{"status in [200 203]", NotMet, "503"}, {"contains h1", NotMet, "nothing"},
			{"absent form#captcha", NotMet, `2 matches, the first "Robot?"`}, {"records >= 2", NotMet, "1, and 1 rejected"}}},
		"matches without text": {200, "<h1></h1><form id=captcha></form><form id=captcha></form><li>1<li>2", []Judgement{
			{"status in [200 203]", Met, "200"}, {"contains h1", Met, "1 match, without text"},
			{"absent form#captcha", NotMet, "2 matches"}, {"records >= 2", Met, "2"}}},
		"another sort of page": {200, `{"h1": 1}`, []Judgement{
			{"status in [200 203]", Met, "200"},
			{"contains h1", NotMet, "nothing, the page is JSON"},
			{"absent form#captcha", Met, "nothing, the page is JSON"},
			{"records >= 2", NotMet, "0"}}},
	} {
		t.Run(name, func(t *testing.T) {
			p := page(c.body)
			p.Status = c.status
			got := compile(t, Options{Records: []Records{items}, Expect: expect}).Inspect(p)
			if diff := cmp.Diff(c.want, got.Judgements); diff != "" {
				t.Error("(-want +got):\n" + diff)
			}
		})
	}
}

func TestOfAnAnswerWithoutAPageOnlyTheStatusIsJudged(t *testing.T) {
	r := compile(t, Options{Expect: Expect{Status: []int{200, 410}, Contains: "$.id"}})
	for status, verdict := range map[int]Verdict{500: NotMet, 200: Met, 0: NotAsked} {
		all := r.JudgeStatus(status)
		if len(all) != 2 || all[0].Verdict != verdict || all[1].Verdict != NotAsked {
			t.Errorf("%d: got %+v", status, all)
		}
	}
	p := page("<h1>It was here</h1>")
	p.Status = 410
	if in := r.Inspect(p); !in.Gone || in.Judgements[0].Verdict != Met || in.Judgements[1].Verdict != NotAsked {
		t.Errorf("an accepted 410: %+v", in)
	}
}

func TestAnInspectionTellsNothingThereFromNothingInIt(t *testing.T) {
	html := rows(t, "li", text("all", Source{}), text("absent", css("b")), text("empty", css("i")), text("attribute",
		Source{CSS: "a", Attr: "href"}), text("status", Source{Meta: "status"}), text("param", Source{Meta: "param.id"}))
	object := rows(t, "", text("id", js("$.id")), text("null", js("$.null")), text("absent", js("$.no")),
		text("empty", js("$.empty")))
	for name, c := range map[string]struct {
		rule    Records
		body    string
		matches int
		want    []FieldSight
	}{
		"html": {html, "<li>1<i> </i><a>x</a><li><i></i>", 2, []FieldSight{
			{Matches: 2, Found: 2, Texts: 1, Text: "1 x"}, {Source: "b"}, {Source: "i", Matches: 2, Found: 2},
			{Source: "a@href", Matches: 1}, {Source: "meta: status", Fact: true, Matches: 2, Found: 2, Texts: 2, Text: "200"},
			{Source: "meta: param.id", Fact: true, Matches: 2}}},
		"no record": {rows(t, "li", text("b", css("b"))), "<b>1", 0, []FieldSight{{Source: "b"}}},
		"json": {object, `{"id":7,"null":null,"empty":""}`, 1, []FieldSight{
			{Source: "$.id", JSON: true, Matches: 1, Found: 1, Texts: 1, Text: "7"}, {Source: "$.null", JSON: true, Matches: 1},
			{Source: "$.no", JSON: true}, {Source: "$.empty", JSON: true, Matches: 1, Found: 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			in := compile(t, Options{Records: []Records{c.rule}}).Inspect(page(c.body))
			if in.Err != nil || in.Tables[0].Matches != c.matches {
				t.Errorf("%d matches, %v", in.Tables[0].Matches, in.Err)
			}
			if diff := cmp.Diff(c.want, in.Tables[0].Fields); diff != "" {
				t.Error("(-want +got):\n" + diff)
			}
		})
	}
}

func TestAnInspectionCountsTheLinksThatAreNotFollowed(t *testing.T) {
	r := compile(t, Options{Follow: []Follow{
		{Source: css("a"), Page: "item", Match: regexp.MustCompile("item|list")}, {Source: css("b"), Page: "list"},
		{Source: css("a"), Page: "deep", MaxDepth: 1},
	}})
	p := page(`<a href=/item/1>1</a><a href=/item/1#top>1</a><a>no</a><a href=mailto:x@y.example>m</a><a href=/about>a</a>
		<a href=//other.example/item/2>o</a><a href=/list/2>2</a>`)
	p.Depth = 1
	in := r.Inspect(p)
	want := []FollowSight{
		{Source: "a", Page: "item", Within: "host", Matches: 7, Followed: 2, NoLink: 2, Unmatched: 1, Outside: 1, Again: 1},
		{Source: "b", Page: "list", Within: "host"}, {Source: "a", Page: "deep", Within: "host", TooDeep: true},
	}
	if diff := cmp.Diff(want, in.Follow); diff != "" || len(in.Links) != 2 {
		t.Errorf("%d links (-want +got):\n%s", len(in.Links), diff)
	}
}

// A page that fails an expectation gives nothing to a run, and still shows what its rules find.
func TestEachTableOfAnInspectionHasItsOwnRecords(t *testing.T) {
	need := column{schema.Field{Name: "id", Type: schema.Type{Kind: schema.Int}, Required: true}, Source{}}
	r := compile(t, Options{
		Records: []Records{rows(t, "li", need), rows(t, "p", need), rows(t, "b", need)}, Expect: Expect{Contains: "h1"},
	})
	p := page("<ul><li>1<li>x<li>3</ul><p>4<p>y<b>z</b>")
	if _, err := r.Extract(p); err == nil {
		t.Fatal("it has no h1")
	}
	in := r.Inspect(p)
	got := [][2]int{}
	for _, table := range in.Tables {
		got = append(got, [2]int{len(table.Rows), len(table.Rejects)})
	}
	if diff := cmp.Diff([][2]int{{2, 1}, {1, 1}, {0, 1}}, got); diff != "" || len(in.Rows) != 3 {
		t.Errorf("%d rows; rows and rejects of each table (-want +got):\n%s", len(in.Rows), diff)
	}
}

// sameSeen wants an inspection to bring what Extract did.
func sameSeen(t *testing.T, r *Rules, p *Page, res *Result, err error) {
	t.Helper()
	in := &Inspection{Gone: r.expect.gone(p.Status)}
	r.inspect(p, in)
	if err == nil && in.Err != nil && !errors.Is(in.Err, errSlow) {
		t.Fatalf("a page that was read can't be inspected: %v", in.Err)
	}
	if res == nil {
		return
	}
	same := cmp.Options{cmpopts.IgnoreFields(schema.Row{}, "Table"), cmpopts.EquateEmpty()}
	if diff := cmp.Diff(res, &in.Result, same); diff != "" {
		t.Fatalf("extracted and inspected (-extracted +inspected):\n%s", diff)
	}
	for _, j := range in.Judgements {
		if strings.ContainsAny(j.Found, "\x1b\n") {
			t.Fatalf("judgement %q", j.Found)
		}
	}
}
