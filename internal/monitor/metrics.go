package monitor

import (
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// kinds are the kinds of failure of an exchange, the values of the label kind. Each has a series from the beginning, so
// that a query finds a 0 and not nothing. The kind robots is not among them: what is disallowed is not asked for.
var kinds = []string{
	"network", "timeout", "server", "throttled", "blocked", "client", "too_large", "parse", "invalid",
}

// metrics are what Prometheus reads. What is counted here is counted as it happens; all else is read from the run when
// somebody asks, see runCollector.
type metrics struct {
	registry *prometheus.Registry
	total    prometheus.Counter
	success  prometheus.Counter
	failed   *prometheus.CounterVec
	byKind   map[string]prometheus.Counter // the series of failed, found without a lock
	duration prometheus.Histogram
	commit   prometheus.Histogram
	landed   prometheus.Histogram
}

func newMetrics(job, version string) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		total: counter("crawler_requests_total",
			"HTTP exchanges, robots.txt included; a redirect belongs to the exchange that follows it."),
		success: counter("crawler_requests_success", "Exchanges that brought what was wanted."),
		failed: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "crawler_requests_failed", Help: "Exchanges that did not, by kind of failure.",
		}, []string{"kind"}),
		byKind: map[string]prometheus.Counter{},
		duration: histogram("crawler_request_duration_seconds", "What an exchange took, redirects and body included.",
			.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60),
		commit: histogram("crawler_commit_duration_seconds", "What a commit to the state file took.",
			.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5),
		landed: histogram("crawler_commit_tasks", "Tasks whose outcome a commit landed.",
			0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512),
	}
	for _, kind := range kinds {
		m.byKind[kind] = m.failed.WithLabelValues(kind)
	}
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "crawler_job_info", Help: "Always 1; its labels say which job this process works on, and which dogear it is.",
		ConstLabels: prometheus.Labels{"job_name": strings.ToValidUTF8(job, "\uFFFD"), "version": version},
	})
	info.Set(1)
	m.registry.MustRegister(m.total, m.success, m.failed, m.duration, m.commit, m.landed, info,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func counter(name, help string) prometheus.Counter {
	return prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
}

func histogram(name, help string, buckets ...float64) prometheus.Histogram {
	return prometheus.NewHistogram(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets})
}

// Exchange counts an HTTP exchange; kind is "" when it went well. Any number of goroutines may call it.
func (m *metrics) Exchange(kind string, took time.Duration) {
	m.total.Inc()
	m.duration.Observe(took.Seconds())
	if kind == "" {
		m.success.Inc()
		return
	}
	failed := m.byKind[kind]
	if failed == nil {
		failed = m.failed.WithLabelValues(kind)
	}
	failed.Inc()
}

// Commit counts a commit and the outcomes that it landed.
func (m *metrics) Commit(tasks int, took time.Duration) {
	m.commit.Observe(took.Seconds())
	m.landed.Observe(float64(tasks))
}
