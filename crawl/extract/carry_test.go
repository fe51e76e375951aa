package extract

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dogear/schema"
)

// carrying makes what links take along.
func carrying(t testing.TB, columns ...column) Carry {
	t.Helper()
	r := rows(t, "", columns...)
	return Carry{Table: r.Table, Sources: r.Sources}
}

// carried maps a page's links to what they take along.
func carried(t *testing.T, p *Page, o Options) map[string]string {
	t.Helper()
	res, err := compile(t, o).Extract(p)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, l := range res.Links {
		found[strings.TrimPrefix(l.URL, "https://shop.example/")] = l.Carry
	}
	return found
}

func wantCarried(t *testing.T, got, want map[string]string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

const listing = `<h1>Toys</h1>
	<div class=item><b class=cat> Cars &
	"more" </b><a href=/1>1</a><i class=price>$ 9.50 each</i></div>
	<div class=item><b class=cat></b><a href=/2>2</a><a href=/3>3</a></div>
	<div class=item><b class=cat>Bikes</b><a href=/1>again</a></div>`

func TestALinkTakesAlongWhatStandsBesideIt(t *testing.T) {
	shop := "north"
	price := column{schema.Field{Name: "price", Match: regexp.MustCompile(`([0-9.]+)`)}, css(".price")}
	got := carried(t, page(listing), Options{Follow: []Follow{{
		Each: steps("html", ".item"), Source: css("a"),
		Carry: carrying(t, text("cat", css(".cat")), price, text("shop", Source{Value: &shop}),
			text("list", Source{CSS: "h1", Up: 1}), text("up", Source{Meta: "carry.list"})),
	}}})
	wantCarried(t, got, map[string]string{
		"1": `{"carry.cat":"Cars & \"more\"","carry.list":"Toys","carry.price":"9.50","carry.shop":"north"}`,
		"2": `{"carry.list":"Toys","carry.shop":"north"}`,
		"3": `{"carry.list":"Toys","carry.shop":"north"}`,
	})
}

func TestWithoutEachALinkTakesAlongWhatStandsOnThePage(t *testing.T) {
	got := carried(t, page(listing), Options{Follow: []Follow{{Source: css(".item:first-of-type a"), Carry: carrying(t, text("list", css("h1")))}}})
	wantCarried(t, got, map[string]string{"1": `{"carry.list":"Toys"}`})
	got = carried(t, page(`{"name":"n","items":[{"url":"/1","id":9007199254740993},{"url":"/2","id":null}]}`), Options{Follow: []Follow{
		{Each: steps("$.items[*]"), Source: js("$.url"), Carry: carrying(t, text("id", js("$.id")))},
		{Source: js("$.items[*].url"), Carry: carrying(t, text("never", js("$.name")))},
	}})
	wantCarried(t, got, map[string]string{"1": `{"carry.id":"9007199254740993"}`, "2": ""})
}

func TestALinkMayBeTheElementItself(t *testing.T) {
	got := carried(t, page(`<a class=i href=/1 title=one>x</a><a class=i href=/2>y</a>`), Options{Follow: []Follow{{
		Each: steps("a.i"), Source: Source{Attr: "href"}, Carry: carrying(t, text("title", Source{Attr: "title"}), text("name", Source{})),
	}}})
	wantCarried(t, got, map[string]string{"1": `{"carry.name":"x","carry.title":"one"}`, "2": `{"carry.name":"y"}`})
	got = carried(t, page(`["/1"]`), Options{Follow: []Follow{{Each: steps("$[*]"), Source: js("$"), Carry: carrying(t, text("me", js("$")))}}})
	wantCarried(t, got, map[string]string{"1": `{"carry.me":"/1"}`})
}

func TestWhatAPageWasGivenIsAMeta(t *testing.T) {
	r := compile(t, Options{Records: []Records{rows(t, "", text("cat", Source{Meta: "carry.cat"}), text("none", Source{Meta: "carry.none"}),
		typed("price", schema.Int, Source{Meta: "carry.price"}), text("shop", Source{Meta: "param.shop"}), text("id", Source{Meta: "param.id"}))}})
	p := page("x")
	p.Params = map[string]string{"id": "7", "shop": "of the start"}
	p.Carry = `{"carry.cat": "Cars", "carry.price": "1200", "param.shop": "of the list", "carry.none": 7}`
	wantValues(t, r, p, [][]any{{"Cars", nil, int64(1200), "of the list", "7"}})
	for _, broken := range []string{"", "x", "null", "[]", `{"carry.cat": `} {
		p.Carry = broken
		wantValues(t, r, p, [][]any{{nil, nil, nil, "of the start", "7"}})
	}
}

func TestTheNextPageIsGivenWhatThisOneWas(t *testing.T) {
	next := Options{Next: &Next{Source: css("a")}}
	p := page("<a href=/2>")
	wantCarried(t, carried(t, p, next), map[string]string{"2": ""})
	p.Carry = `{"carry.cat":"Cars"}`
	wantCarried(t, carried(t, p, next), map[string]string{"2": p.Carry})
	p.Params = map[string]string{"shop": "north"}
	wantCarried(t, carried(t, p, next), map[string]string{"2": `{"carry.cat":"Cars","param.shop":"north"}`})
	p.Carry = `{"param.shop":"south"}`
	wantCarried(t, carried(t, p, next), map[string]string{"2": p.Carry})
	p.Carry = "null"
	wantCarried(t, carried(t, p, next), map[string]string{"2": `{"param.shop":"north"}`})
}

func TestALinkThatTakesTooMuchAlongIsAParseFailure(t *testing.T) {
	r := compile(t, Options{Follow: []Follow{{Source: css("a"), Carry: carrying(t, text("all", css("p")))}}})
	wantFailure(t, r, page("<a href=/1></a><p>"+strings.Repeat("x", maxCarry)), Parse, "65536 is the most")
	if _, err := r.Extract(page("<a href=/1></a><p>" + strings.Repeat("x", maxCarry-100))); err != nil {
		t.Error(err)
	}
}
