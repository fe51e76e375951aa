package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dogear/crawl"
	"dogear/schema"
	"dogear/state"
)

func mixed() *summary {
	return &summary{
		Summary: &crawl.Summary{
			Counts: state.Counts{Done: 1_956, Failed: 44}, Tally: state.Tally{Done: 1_956, Failed: 44, Retried: 31,
				Records: 6_800, Rejects: 12, Bytes: 605_000},
			Ended: state.Finished, Took: 10_100 * time.Millisecond,
		},
		name: "shop", target: locate("shop.yaml", ""),
		tables: []state.TableCount{{Table: "products", Records: 1_900}, {Table: "reviews", Records: 4_900}},
		failures: []state.FailureCount{
			{Kind: "server", Status: 500, Tasks: 18}, {Kind: "client", Status: 404, Tasks: 10}, {Kind: "invalid",
				Status: 200, Tasks: 8},
			{Kind: "network", Status: 0, Tasks: 3}, {Kind: "network", Status: 200, Tasks: 2}, {Kind: "server",
				Status: 503, Tasks: 2},
			{Kind: "blocked", Status: 200, Tasks: 1},
		},
	}
}

func TestASummaryNamesTheFailuresByKindAndWhatToTypeNext(t *testing.T) {
	for _, c := range []struct {
		screen screen
		want   string
	}{
		{screen{width: plainWidth}, `
shop finished: 1,956 done, 44 failed, 0 left; this run: 2,000 tasks in 10.1s (198/s)
  6,800 records, 12 rejects, 31 attempts retried, 605 kB read; all of it is in shop.db
  records: products 1,900, reviews 4,900
  rejects: sqlite3 shop.db 'select * from rejects'
  failed  server 20 (500: 18, 503: 2)  dogear retry shop.yaml --kind server
          client 10 (404)              dogear failures shop.yaml --kind client
          invalid 8                    dogear failures shop.yaml --kind invalid
          network 5                    dogear retry shop.yaml --kind network
          blocked 1                    dogear retry shop.yaml --kind blocked
  dogear failures shop.yaml      what failed and why
  dogear retry shop.yaml         try those again
`}, {screen{width: 60, terminal: true}, `
shop finished: 1,956 done, 44 failed, 0 left; this run:
2,000 tasks in 10.1s (198/s)
  6,800 records, 12 rejects, 31 attempts retried, 605 kB
  read; all of it is in shop.db
  records: products 1,900, reviews 4,900
  rejects: sqlite3 shop.db 'select * from rejects'
  failed  server 20 (500: 18, 503: 2)
            dogear retry shop.yaml --kind server
          client 10 (404)
            dogear failures shop.yaml --kind client
          invalid 8
            dogear failures shop.yaml --kind invalid
          network 5
            dogear retry shop.yaml --kind network
          blocked 1
            dogear retry shop.yaml --kind blocked
  dogear failures shop.yaml      what failed and why
  dogear retry shop.yaml         try those again
`},
	} {
		var out strings.Builder
		s := mixed()
		s.print(&out, c.screen)
		s.hints(&out)
		if diff := cmp.Diff(c.want, "\n"+out.String()); diff != "" {
			t.Errorf("%+v (-want +got)\n%s", c.screen, diff)
		}
	}
}

func TestOneTableWithoutFailuresTakesTwoLines(t *testing.T) {
	s := mixed()
	s.tables, s.failures, s.Counts.Failed, s.Tally.Rejects = s.tables[:1], nil, 0, 0
	var out strings.Builder
	s.print(&out, screen{width: plainWidth})
	want := `shop finished: 1,956 done, 0 failed, 0 left; this run: 2,000 tasks in 10.1s (198/s)
  6,800 records, 0 rejects, 31 attempts retried, 605 kB read; all of it is in shop.db
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestRecordsAreCountedByTheirTable(t *testing.T) {
	var r rowCount
	a, b := &schema.Table{Name: "a"}, &schema.Table{Name: "b"}
	r.landed([]state.Outcome{{Rows: []schema.Row{{Table: a}, {Table: a}, {Table: b}}}, {},
		{Rows: []schema.Row{{Table: b}, {Table: a}}}})
	r.landed(nil)
	if r["a"] != 3 || r["b"] != 2 || len(r) != 2 {
		t.Errorf("%v", r)
	}
}
