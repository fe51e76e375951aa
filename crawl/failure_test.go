package crawl_test

import (
	"strings"
	"testing"

	"dogear/crawl"
	"dogear/internal/practice"
	"dogear/state"
)

// failing is one row of what a failure is and what it costs: the answers to one of three products, and what is kept
// of it.
type failing struct {
	name, script string
	extra        string // of the job
	want         string // state, status, error_kind, attempts
	attempts     string // the kinds of its rows in attempts
}

// failureJob allows three attempts.
const failureJob = `
start: SITE/v1/product/{6..8}
rate: none
retry: {attempts: 3, delay: 1ms, max_delay: 5ms}
records: {table: products, key: id, fields: {id: {json: $.id, type: int}}}
`

func TestEveryKindOfFailureCostsWhatItShould(t *testing.T) {
	const three = "network network network"
	for _, f := range []failing{
		{"a body cut between two chunks", "cut*", "", "failed 200 network 3", three},
		{"a body shorter than its Content-Length", "short*", "", "failed 200 network 3", three},
		{"a reset connection", "reset*", "", "failed <nil> network 3", three},
		{"garbage in place of HTTP", "garbage*", "", "failed <nil> network 3", three},
		{"a network that comes back", "cut,garbage", "", "done 200 <nil> 3", "network network"},

		{"no answer", "slow:1h*", "request: {timeout: 20ms}", "failed <nil> timeout 3", "timeout timeout timeout"},
		{"a body that never comes", "stall*", "request: {timeout: 20ms}", "failed 200 timeout 3", "timeout timeout timeout"},
		{"408", "408*", "", "failed 408 timeout 3", "timeout timeout timeout"},
		{"425", "425,425", "", "done 200 <nil> 3", "timeout timeout"},

		{"500", "500*", "", "failed 500 server 3", "server server server"},
		{"502 and 504", "502,504", "", "done 200 <nil> 3", "server server"},
		{"503 without Retry-After", "503*", "", "failed 503 server 3", "server server server"},
		{"520 and 527", "520,527", "", "done 200 <nil> 3", "server server"},

		{"429", "429:0*5", "", "done 200 <nil> 1", "throttled throttled throttled throttled throttled"},
		{"503 with Retry-After", "503:0*5", "", "done 200 <nil> 1", "throttled throttled throttled throttled throttled"},
		{"429, then what fails", "429:0,404", "", "failed 404 client 1", "throttled client"},

		{"a status that was not expected", "203*", "expect: {status: [200]}", "failed 203 blocked 3",
			"blocked blocked blocked"},
		{"a page without what it should contain", "captcha*", "expect: {contains: $.id}", "failed 200 blocked 3",
			"blocked blocked blocked"},
		{"a page with what it should not have", "captcha*", "expect: {absent: 'form#captcha'}", "failed 200 blocked 3",
			"blocked blocked blocked"},
		{"fewer records than expected", "captcha*", "expect: {records: 1}", "failed 200 blocked 3",
			"blocked blocked blocked"},
		{"a block that passes", "captcha", "expect: {records: 1}", "done 200 <nil> 2", "blocked"},

		{"400", "400*", "", "failed 400 client 1", "client"},
		{"401", "401*", "", "failed 401 client 1", "client"},
		{"404", "404*", "", "failed 404 client 1", "client"},
		{"410", "410*", "", "failed 410 client 1", "client"},
		{"404 that is expected", "404*", "expect: {status: [200, 404]}", "done 404 <nil> 1", ""},
		{"a redirect loop", "302:/v1/product/7*", "", "failed 302 client 1", "client"},
		{"a redirect to another scheme", "302:ftp://shop.example/*", "", "failed 302 client 1", "client"},
		{"a redirect to no URL", "302:http://[::1*", "", "failed <nil> client 1", "client"},
		{"a redirect to a page that fails", "302:/nowhere", "", "failed 404 client 1", "client"},

		{"a body over limits.body", "big:100000*", "limits: {body: 50kB}", "failed 200 too_large 1", "too_large"},
		{"a page in place of JSON", "captcha*", "", "failed 200 parse 1", "parse"},
	} {
		t.Run(f.name, func(t *testing.T) {
			b := newBench(t, practice.Options{Faults: []practice.Fault{{Path: "/v1/product/7", Script: f.script}}},
				failureJob+f.extra+"\n")
			b.run(state.Finished, crawl.Options{})
			b.wantFailing("/7", f)
			b.want("2", `SELECT count(*) FROM tasks WHERE state = 'done' AND url NOT LIKE '%/7'`) // the run went on
		})
	}
}

// wantFailing compares the row of the task whose URL ends so, and its attempts.
func (b *bench) wantFailing(url string, f failing) {
	b.Helper()
	b.want(f.want, `SELECT state, status, error_kind, attempts FROM tasks WHERE url LIKE '%`+url+`'`)
	b.want(f.attempts,
		`SELECT coalesce(group_concat(kind, ' '), '') FROM (SELECT kind FROM attempts JOIN tasks t ON t.id = task
		WHERE t.url LIKE '%`+url+`' ORDER BY attempts.id)`)
	if strings.HasPrefix(f.want, "failed") {
		b.want("1", `SELECT count(*) FROM tasks WHERE url LIKE '%`+url+`' AND error <> ''`)
	}
}
