package crawl_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	"dogear/crawl"
	"dogear/internal/practice"
	"dogear/state"
)

const apiJob = `
start: {url: "SITE/v1/product/{id}", id: 1..20}
rate: none
retry: {attempts: 3, delay: 1ms, max_delay: 5ms}
records: {table: products, key: id, fields: {id: {json: $.id, type: int}, name: $.name}}
`

func TestEveryEndOfATaskIsKeptWithItsReason(t *testing.T) {
	for _, c := range []struct {
		name, script string
		kind, status string // of the failed task; "" when it is done
		attempts     string // rows in attempts
	}{
		{"a healthy page", "ok", "", "200", "0"},
		{"500 once", "500", "", "200", "1"},
		{"500 for ever", "500*", "server", "500", "3"},
		{"a body that is cut for ever", "cut*", "network", "200", "3"},
		{"a body shorter than its Content-Length", "short*", "network", "200", "3"},
		{"not HTTP", "garbage*", "network", "<nil>", "3"},
		{"404", "404*", "client", "404", "1"},
		{"a page in place of JSON", "captcha*", "parse", "200", "1"},
		{"429 costs no attempt", "429:0,429:0,429:0,429:0,ok", "", "200", "4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, practice.Options{Faults: []practice.Fault{{Path: "/v1/product/7", Script: c.script}}}, apiJob)
			s := b.run(state.Finished, crawl.Options{})
			if c.kind == "" {
				b.want("done "+c.status, `SELECT state, status FROM tasks WHERE url LIKE '%/7'`)
			} else {
				b.want("failed "+c.status+" "+c.kind, `SELECT state, status, error_kind FROM tasks WHERE url LIKE '%/7'`)
			}
			b.want(c.attempts, `SELECT count(*) FROM attempts`)
			b.want(strconv.FormatInt(s.Counts.Done, 10), `SELECT count(*) FROM products`)
			b.want("20 100", `SELECT total, percent FROM progress`)
		})
	}
}

// A wait longer than a worker may sleep goes into the row, and outlives the process (scrapy #3849).
func TestALongRetryAfterIsKeptInTheRow(t *testing.T) {
	b := newBench(t, practice.Options{Faults: []practice.Fault{{Path: "/v1/product/7", Script: "429:120"}}}, apiJob)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	watch := whenCommitted(t, func(c crawl.Committed) bool { return c.Tally.PutOff > 0 }, cancel)
	began := time.Now()
	b.runUntil(ctx, state.Interrupted, crawl.Options{Watch: watch})
	b.want("pending 0 1", `SELECT state, attempts, not_before > `+strconv.FormatInt(began.UnixMilli()+110_000, 10)+` FROM tasks WHERE url LIKE '%/7'`)
	b.want("1 0", `SELECT leave_until > `+strconv.FormatInt(began.UnixMilli()+110_000, 10)+`, (SELECT max(attempts) FROM tasks WHERE state <> 'done') FROM hosts`)
	b.want("throttled 429", `SELECT kind, status FROM attempts`)
}

func TestARecordWithoutARequiredFieldFailsItsTaskAndIsKeptAsAReject(t *testing.T) {
	b := newBench(t, practice.Options{}, `
start: SITE/page/{1..2}
rate: none
records: {table: books, each: .item, key: url, fields: {url: {css: a.name@href, type: url}, isbn: {css: .isbn, required: true}}}
follow: {css: a.next@href}
`)
	b.run(state.Finished, crawl.Options{})
	b.want("invalid", `SELECT DISTINCT error_kind FROM tasks WHERE state = 'failed'`)
	b.want("500", `SELECT count(*) FROM rejects`) // all 50 pages: a bad record does not hide the links of its page
	b.want("1", `SELECT count(*) > 0 FROM rejects WHERE reason LIKE '%isbn%' AND json_extract(raw, '$.url') LIKE '%/detail/%'`)
	b.want("0", `SELECT count(*) FROM books`)
}

// "200 but wrong" is not done: it is asked for again, and then given up (a captcha page).
func TestAPageThatIsNotAsExpectedIsBlocked(t *testing.T) {
	text := `
start: SITE/page/{1..3}
rate: none
retry: {attempts: 3, delay: 1ms, max_delay: 1ms}
expect: {absent: "form#captcha", records: 1}
records: {table: movies, each: .item, key: url, fields: {url: {css: a.name@href, type: url}}}
`
	b := newBench(t, practice.Options{Faults: []practice.Fault{{Path: "/page/1", Script: "captcha"}, {Path: "/page/2", Script: "captcha*"}}}, text)
	b.run(state.Finished, crawl.Options{})
	b.want("done 2", `SELECT state, attempts FROM tasks WHERE url LIKE '%/1'`)
	b.want("failed 3 blocked", `SELECT state, attempts, error_kind FROM tasks WHERE url LIKE '%/2'`)
	b.want("20", `SELECT count(*) FROM movies`)
}
