package crawl_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dogear/crawl"
	"dogear/internal/practice"
	"dogear/state"
)

// keptShop walks listings and details. Its rules are RULES; those of rulesBefore miss things, rulesAfter has them right.
const keptShop = `
name: shop
start: {url: SITE/page/1, as: listing}
rate: none
concurrency: 1
retry: {attempts: 1}
limits: {failures: 100%}
pages:
  listing:
    keep: body
    records: {table: items, each: .item, key: url, fields: {url: {css: a@href, type: url}, ITEM}}
    follow:
      - {css: a.next@href, as: listing}
      FOLLOW
  detail:
    keep: body
    expect: {EXPECT}
    records: {table: details, fields: {url: {meta: final_url, type: url}, DETAIL}}
`

func shopRules(item, follow, expect, detail string) string {
	return strings.NewReplacer("ITEM", item, "FOLLOW", follow, "EXPECT", expect, "DETAIL", detail).Replace(keptShop)
}

// The rules of before take no price, stop at two details of a page, want an element that no page has on those whose
// number ends with 2, and reject what they could keep.
var (
	shopBefore = shopRules(`title: h2`, `- {css: a.name@href, as: detail, match: "[12]$"}`,
		`contains: ".near a[href$='1']"`, `title: h1, score: {css: .score, type: int, required: true}`)
	shopAfter = shopRules(`title: {css: h2, match: "No.*"}, score: {css: .score, type: "decimal(3,1)"}`,
		`- {css: a.name@href, as: detail, match: "[125]$"}`,
		`absent: ".near a[href$='3']"`, `title: h1, price: {css: .price, type: "decimal(10,2)"}`)
)

// shopTables are what a fresh run must come to as well, whatever the order of the tasks.
var shopTables = []string{
	`SELECT url, title, score FROM items ORDER BY url`,
	`SELECT t.url, d._pos, d.url, d.title, d.price FROM details AS d JOIN tasks AS t ON t.id = _task ORDER BY t.url, _pos`,
	`SELECT t.url, r."table", r.reason, r.raw FROM rejects AS r JOIN tasks AS t ON t.id = r.task ORDER BY t.url, r.id`,
	`SELECT url, page, depth, state, status, error_kind, error FROM tasks ORDER BY url`,
	`SELECT done, failed, pending, in_flight FROM counters`,
	`SELECT * FROM field_counts WHERE NOT (filled = 0 AND defaulted = 0 AND empty = 0 AND rejected = 0) ORDER BY 1, 2`,
}

func (b *bench) all(queries []string) string {
	b.Helper()
	db := b.open()
	defer db.Close()
	var text strings.Builder
	for _, query := range queries {
		rows, err := db.Query(query)
		if err != nil {
			b.Fatalf("%s: %v", query, err)
		}
		columns, err := rows.Columns()
		if err != nil {
			b.Fatal(err)
		}
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		for rows.Next() {
			if err := rows.Scan(into...); err != nil {
				b.Fatal(err)
			}
			fmt.Fprintln(&text, values...)
		}
		if err := rows.Err(); err != nil {
			b.Fatal(err)
		}
		fmt.Fprintln(&text)
	}
	return text.String()
}

// dump is all that the file holds, but for some tables.
func (b *bench) dump(but ...string) string {
	b.Helper()
	queries := []string{`SELECT * FROM sqlite_schema`}
	for _, name := range strings.Fields(b.row(`SELECT group_concat(name, ' ') FROM sqlite_schema WHERE type = 'table'`)) {
		if !slices.Contains(but, name) {
			queries = append(queries, `SELECT * FROM "`+name+`"`)
		}
	}
	return b.all(queries)
}

func (b *bench) reread(dry bool) *crawl.Reread {
	b.Helper()
	o := crawl.RereadOptions{Job: b.job, Path: b.path, Version: "test", Dry: dry}
	r, err := crawl.ReadAgain(context.Background(), o)
	if err != nil {
		b.Fatal(err)
	}
	if r.Ended != state.Finished || r.Changes == nil {
		b.Fatalf("it ended %q", r.Ended)
	}
	return r
}

func TestReadingAgainComesToWhatAFreshRunWouldWithoutARequest(t *testing.T) {
	b := newBench(t, practice.Options{Pages: 4}, shopBefore)
	b.run(state.Finished, crawl.Options{})
	asked := b.site.Stats().Total
	b.edit(shopAfter)
	c := b.reread(false).Changes
	if n := b.site.Stats().Total; n != asked {
		t.Errorf("%d requests", n-asked)
	}
	settled := c.NowDone > 0 && c.NowFailed > 0 && c.WasRejects > 0 && c.Rejects == 0
	if c.Pages != 4+8 || c.Without != 0 || c.Links != 4 || !settled {
		t.Errorf("%+v", c)
	}
	items := c.Tables[0]
	want := state.TableChanges{Table: items.Table, Before: 40, After: 40, Changed: 40,
		Fields: []state.FieldChanges{{}, {Changed: 40}, {Filled: 40}}}
	if fmt.Sprint(want) != fmt.Sprint(items) {
		t.Errorf("%+v\nwant %+v", items, want)
	}
	b.run(state.Finished, crawl.Options{}) // the new links; no --accept is needed: the rules are those of the file
	got := b.all(shopTables)

	fresh := newBench(t, practice.Options{Pages: 4}, shopAfter)
	fresh.run(state.Finished, crawl.Options{})
	whole := strings.ReplaceAll(fresh.all(shopTables), fresh.site.URL, b.site.URL)
	if diff := cmp.Diff(whole, got); diff != "" {
		t.Errorf("(-fresh +read again)\n%s", diff)
	}
}

func TestReadingAgainByTheSameRulesChangesNothing(t *testing.T) {
	b := newBench(t, practice.Options{Pages: 4}, shopBefore)
	b.run(state.Finished, crawl.Options{})
	before := b.dump("runs")
	r := b.reread(false)
	if r.Changes.Any() || r.Changes.Tables[0].Unchanged != 40 {
		t.Errorf("%+v", r.Changes)
	}
	if diff := cmp.Diff(before, b.dump("runs")); diff != "" {
		t.Error(diff)
	}
}

func TestADryReadingSaysTheSameAndWritesNothing(t *testing.T) {
	b := newBench(t, practice.Options{Pages: 4}, shopBefore)
	b.run(state.Finished, crawl.Options{})
	b.edit(shopAfter)
	before := b.dump()
	dry := b.reread(true).Changes
	if diff := cmp.Diff(before, b.dump()); diff != "" {
		t.Error(diff)
	}
	wet := b.reread(false).Changes
	if diff := cmp.Diff(fmt.Sprintf("%+v", *wet), fmt.Sprintf("%+v", *dry)); diff != "" {
		t.Errorf("(-wet +dry) %s", diff)
	}
}
