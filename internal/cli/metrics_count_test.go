package cli_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"dogear/internal/practice"
)

// exposition is what /metrics says, read by Prometheus' own parser.
type exposition map[string]*dto.MetricFamily

func (w *watched) exposition() exposition {
	w.Helper()
	return parseExposition(w.T, w.get("/metrics"))
}

func parseExposition(t *testing.T, text string) exposition {
	t.Helper()
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return families
}

// value is that of the one series of a family with these labels (name=value); the count of a histogram. -1: there is
// none.
func (e exposition) value(family string, labels ...string) float64 {
	for _, m := range e[family].GetMetric() {
		var has []string
		for _, l := range m.GetLabel() {
			has = append(has, l.GetName()+"="+l.GetValue())
		}
		if !slices.Equal(has, labels) {
			continue
		}
		switch {
		case m.Counter != nil:
			return m.Counter.GetValue()
		case m.Gauge != nil:
			return m.Gauge.GetValue()
		case m.Histogram != nil:
			return float64(m.Histogram.GetSampleCount())
		}
	}
	return -1
}

// fourFaults fails in four ways.
var fourFaults = practice.Options{Products: 100, Faults: []practice.Fault{
	{Path: "/v1/product/3", Script: "500,ok"},
	{Path: "/v1/product/4", Script: "404*"}, {Path: "/v1/product/5", Script: "cut,ok"},
	{Path: "/v1/product/6", Script: "captcha*"},
}}

// fitting is how many products of 1 to 40 that fourFaults gives have a stock that heldJob takes.
func fitting() (n float64) {
	for id := int64(1); id <= 40; id++ {
		if id != 4 && id != 6 && practice.ProductAt(id).Stock <= 100 {
			n++
		}
	}
	return n
}

func TestTheMetricsCountWhatTheSiteCounts(t *testing.T) {
	w, first, second := held(t, fourFaults)
	e := w.exposition()
	asked := float64(first.Total() + second.Total())
	path := stateOf(w.Args[2])
	number := func(query string) (n float64) {
		t.Helper()
		fmt.Sscan(rows(t, path, query)[0], &n)
		return n
	}
	kind := func(kind string) float64 { return e.value("crawler_requests_failed", "kind="+kind) }
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"requests", e.value("crawler_requests_total"), asked},
		{"those that took a time", e.value("crawler_request_duration_seconds"), asked},
		{"success", e.value("crawler_requests_success"), fitting() + 2}, // and both robots.txt
		{"server", kind("server"), 1}, {"client", kind("client"), 1}, {"network", kind("network"), 1},
		{"parse", kind("parse"), 1}, {"throttled", kind("throttled"), 1}, {"timeout", kind("timeout"), 0},
		{"invalid", kind("invalid"), 38 - fitting()},
		{"success and failures", asked - e.value("crawler_requests_success"), number(`SELECT count(*) FROM attempts`)},
		{"done", e.value("crawler_tasks", "state=done"), fitting()},
		{"failed", e.value("crawler_tasks", "state=failed"), 40 - fitting()},
		{"pending", e.value("crawler_tasks", "state=pending"), 1},
		{"in flight", e.value("crawler_tasks", "state=in-flight"), 0},
		{"active", e.value("crawler_active_tasks"), 0},
		{"records", e.value("crawler_records_total"), number(`SELECT count(*) FROM products`)},
		{"rejects", e.value("crawler_rejects_total"), number(`SELECT count(*) FROM rejects`)},
		{"bytes", e.value("crawler_body_bytes_total"), number(`SELECT sum(bytes) FROM tasks`)},
		{"outcomes", e["crawler_commit_tasks"].GetMetric()[0].GetHistogram().GetSampleSum(), 41},
		{"commits", e.value("crawler_commit_tasks"), e.value("crawler_commit_duration_seconds")},
		{"rate", e.value("crawler_host_rate", "host="+strings.TrimPrefix(first.URL, "http://")), 1000},
		{"job", e.value("crawler_job_info", "job_name=held", "version=0.1.0"), 1},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
	for _, name := range []string{"go_goroutines", "process_resident_memory_bytes"} {
		if e.value(name) <= 0 {
			t.Errorf("%s: %v", name, e.value(name))
		}
	}
	w.signal()
	w.interrupted()
}

// The contract fixes two names that Prometheus would spell otherwise. Everything else is as its linter wants it.
func TestTheMetricsAreNamedAsPrometheusWantsThem(t *testing.T) {
	w, _, _ := held(t, practice.Options{})
	known := map[string]string{
		"crawler_requests_success": `counter metrics should have "_total" suffix`,
		"crawler_requests_failed":  `counter metrics should have "_total" suffix`,
	}
	problems, err := promlint.New(strings.NewReader(w.get("/metrics"))).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		if known[p.Metric] != p.Text {
			t.Errorf("%s: %s", p.Metric, p.Text)
		}
		delete(known, p.Metric)
	}
	if len(known) > 0 {
		t.Errorf("the linter does not mind any more: %v", known)
	}
	for name := range w.exposition() {
		if !strings.HasPrefix(name, "crawler_") && !strings.HasPrefix(name, "go_") &&
			!strings.HasPrefix(name, "process_") {
			t.Errorf("%s belongs to nobody", name)
		}
	}
	w.signal()
	w.interrupted()
}
