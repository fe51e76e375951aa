// Package monitor shows a run while it goes on: a page for people, metrics for Prometheus, at one address. Read
// [Listen] and [Monitor.Show] first. It only reads: it never slows a run, and nothing can be changed through it.
//
// # What is served
//
//	/            the page: progress, tasks per second, failures, hosts that wait, the latest attempts and records
//	/events      what the page shows as server-sent events, JSON, once a second; the last one is named "finished"
//	/metrics     for Prometheus
//	/api/status  what `dogear status --json` prints
//
// # Metrics
//
// Those of the requests and commits are counted as they happen. The others are the numbers of the last commit, 2 s
// old at the most; no query is made for them. A request is one HTTP exchange with the redirects that it followed,
// robots.txt included (one that is not there is an answer: success). What the end of the run cut off is not counted,
// so that total = success + failed, and failed is the number of rows that the run added to attempts, plus what a
// broken proxy cost.
//
//	name                              type       unit      labels              what
//	crawler_requests_total            counter    requests
//	crawler_requests_success          counter    requests                      they brought what was wanted
//	crawler_requests_failed           counter    requests  kind                they did not
//	crawler_request_duration_seconds  histogram  seconds                       body included; waiting for a turn is not
//	crawler_active_tasks              gauge      tasks                         are being worked on
//	crawler_tasks                     gauge      tasks     state               of the job
//	crawler_records_total             counter    records                       kept by this run
//	crawler_rejects_total             counter    records                       that failed validation in this run
//	crawler_body_bytes_total          counter    bytes                         of bodies, decompressed, of finished tasks
//	crawler_commit_duration_seconds   histogram  seconds
//	crawler_commit_tasks              histogram  tasks                         whose outcome a commit landed; may be 0
//	crawler_host_rate                 gauge      1/second  host                the most a host gets now
//	crawler_job_info                  gauge                job_name, version   always 1
//	go_*, process_*                                                            of the Go runtime and the process
//
// kind is network, timeout, server, throttled, blocked, client, too_large, parse or invalid; state is pending,
// in-flight, done or failed. host is a host and its port where that is not its scheme's, never a URL; it has a value
// only where there is a limit, and for 100 hosts at the most: those that came first. No label has anything of a request
// or a page in it.
//
// The job is not a label of every metric. Prometheus' conventions keep what is the same for a whole process out of them
// ("Target labels, not static scraped labels", Writing exporters), and there is one job to a process; Prometheus itself
// adds job and instance, by which the series of two runs differ. crawler_job_info says which job an instance works on:
// crawler_tasks * on (instance) group_left (job_name) crawler_job_info. A dashboard for Grafana is
// testdata/grafana/dogear.json.
//
// # Who may look
//
// Whoever can reach the address; there is no password. So it is 127.0.0.1 unless another is named. There a request must
// name this machine in its Host line, or a page of anybody's could have its own name lead here and read along (DNS
// rebinding). What sites wrote is put into the page as text, by html/template and textContent, and a
// Content-Security-Policy lets nothing run or load but the page's own two files.
//
// # What it costs
//
// While nobody looks: one look at the counters a second. Each second that somebody does: the ends of the record tables
// and of the attempts, whatever the size of the job, once for all listeners; the failures, which are a scan of the
// failed tasks by index, no more often than what that takes allows (cached.go).
//
// # Who owns what
//
// [Listen] owns the listener. [Monitor.Show] starts two goroutines, one that accepts and one that ticks, and opens the
// state file for reading; [Monitor.Close] ends all of it, after everybody who listens has been told how the run ended.
package monitor
