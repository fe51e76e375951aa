package crawl_test

import (
	"fmt"
	"testing"

	"dogear/crawl"
	"dogear/internal/practice"
	"dogear/state"
)

const failingJob = `
start: {url: "SITE/v1/product/{id}", id: 1..%d}
rate: none
concurrency: 8
retry: {attempts: 1}
records: {table: products, key: id, fields: {id: {json: $.id, type: int}}}
`

func TestTooManyFailuresStopTheRun(t *testing.T) {
	for _, c := range []struct {
		name, script string
		every        int64
		tasks        int
		limits       string
		ended        string
	}{
		{"all of them", "500*", 0, 2000, "", state.Stopped},
		{"all of a small job", "500*", 0, 40, "", state.Finished},
		{"a third", "500*", 3, 600, "", state.Finished},
		{"a third, of which a tenth is allowed", "500*", 3, 600, "limits: {failures: 10%}\n", state.Stopped},
		{"all of them, as the job allows", "500*", 0, 200, "limits: {failures: 100%}\n", state.Finished},
		{"pages that are not there", "404*", 0, 200, "", state.Finished},
		{"pages that were there once", "410*", 0, 200, "", state.Finished},
	} {
		t.Run(c.name, func(t *testing.T) {
			fault := practice.Fault{Path: "/v1/product/*", Script: c.script, Every: c.every}
			b := newBench(t, practice.Options{Faults: []practice.Fault{fault}},
				fmt.Sprintf(failingJob, c.tasks)+c.limits)
			s := b.run(c.ended, crawl.Options{})
			if (s.Failing != nil) != (c.ended == state.Stopped) {
				t.Errorf("failing: %+v", s.Failing)
			}
			if s.Failing == nil {
				b.want(fmt.Sprint(c.tasks), `SELECT done + failed FROM counters`)
				return
			}
			if s.Failing.Of < 50 || s.Failing.Kinds["server 500"] != s.Failing.Failed {
				t.Errorf("%+v", s.Failing)
			}
			b.want("stopped 0", `SELECT ended, (SELECT count(*) FROM tasks WHERE state = 'in-flight') FROM runs`)
			b.want("1", `SELECT done + failed < 200 FROM counters`)
			b.site.ClearFaults() // and it can be gone on with
			b.run(state.Finished, crawl.Options{Retry: &state.Filter{}})
			b.want(fmt.Sprintf("%d 0", c.tasks), `SELECT done, failed FROM counters`)
		})
	}
}

// browsertrix PR #1123.
func TestATaskThatIsThrottledForEverFails(t *testing.T) {
	b := newBench(t, practice.Options{Faults: []practice.Fault{{Path: "/v1/product/7", Script: "429:0*"}}}, `
start: {url: "SITE/v1/product/{id}", id: 1..20}
rate: 100000/s
retry: {delay: 1ms, max_delay: 1ms}
records: {table: products, key: id, fields: {id: {json: $.id, type: int}}}
`)
	b.run(state.Finished, crawl.Options{})
	b.want("failed throttled 429 0", `SELECT state, error_kind, status, attempts FROM tasks WHERE url LIKE '%/7'`)
	b.want("told to wait 100 times: HTTP 429 Too Many Requests", `SELECT error FROM tasks WHERE url LIKE '%/7'`)
	b.want("19", `SELECT count(*) FROM products`)
	b.site.ClearFaults()
	if s := b.run(state.Finished, crawl.Options{Retry: &state.Filter{}}); s.Counts.Failed != 0 { // and begins anew
		t.Errorf("%+v", s.Counts)
	}
}

// What one run learned of a host the next one knows: a resume does not hammer.
func TestALowerRateOutlivesTheRun(t *testing.T) {
	b := newBench(t, practice.Options{Faults: []practice.Fault{{Path: "/v1/product/7", Script: "429:0"}}}, `
start: {url: "SITE/v1/product/{id}", id: 1..20}
rate: 100000/s
retry: {delay: 1ms, max_delay: 1ms}
records: {table: products, key: id, fields: {id: {json: $.id, type: int}}}
`)
	b.run(state.Finished, crawl.Options{})
	b.want("50000 <nil>", `SELECT rate, leave_until FROM hosts`)
}
