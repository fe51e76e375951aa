package monitor

import (
	"sync"
	"unicode/utf8"

	"github.com/prometheus/client_golang/prometheus"
)

// maxHosts is how many hosts have a series of their own. A crawl may meet any number of them.
const maxHosts = 100

var (
	descActive = desc("crawler_active_tasks", "Tasks that are being worked on, at the last commit.")
	descTasks  = desc("crawler_tasks",
		"Tasks of the job by state, at the last commit; pending ones that have no row yet included.", "state")
	descRecords = desc("crawler_records_total", "Records kept by this run, at the last commit.")
	descRejects = desc("crawler_rejects_total", "Records that failed validation in this run, at the last commit.")
	descBytes   = desc("crawler_body_bytes_total",
		"Bytes of the bodies of finished tasks, decompressed, at the last commit.")
	descRate = desc("crawler_host_rate",
		"Requests per second that a host gets at the most, of the first 100 hosts that have a limit.", "host")
)

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

// runCollector reads from a run what is not counted as it happens.
type runCollector struct {
	figures func() Figures
	hosts   func() []Host

	mu    sync.Mutex
	shown map[string]bool // the hosts with a series, which they keep
}

// Describe makes it a prometheus.Collector.
func (c *runCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{descActive, descTasks, descRecords, descRejects, descBytes, descRate} {
		to <- d
	}
}

// Collect reads what the last commit said: no query, whatever the size of the job.
func (c *runCollector) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	counter := func(d *prometheus.Desc, v int64) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(v))
	}
	f := c.figures()
	gauge(descActive, float64(f.Active))
	gauge(descTasks, float64(f.Counts.Pending+f.Counts.Ahead), "pending")
	gauge(descTasks, float64(f.Counts.InFlight), "in-flight")
	gauge(descTasks, float64(f.Counts.Done), "done")
	gauge(descTasks, float64(f.Counts.Failed), "failed")
	counter(descRecords, f.Tally.Records)
	counter(descRejects, f.Tally.Rejects)
	counter(descBytes, f.Tally.Bytes)
	for _, h := range c.limited() {
		gauge(descRate, h.Rate, h.Name)
	}
}

// limited returns the hosts with a series: who came first keeps its place, so that no series comes and goes.
func (c *runCollector) limited() []Host {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []Host
	for _, h := range c.hosts() {
		if !utf8.ValidString(h.Name) {
			continue // no label can be that
		}
		if h.Rate > 0 && (c.shown[h.Name] || len(c.shown) < maxHosts) {
			c.shown[h.Name] = true
			all = append(all, h)
		}
	}
	return all
}
