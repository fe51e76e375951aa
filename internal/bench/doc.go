// Package bench measures what the guarantee costs: dogear against a bare loop of the same fetches that keeps nothing. It
// is all tests; nothing imports it. Read BenchmarkProducts in bench_test.go first.
//
//	go test ./internal/bench -run '^$' -bench . -benchtime 1x -timeout 60m -v
//
// # The two
//
// dogear is the real command line, `dogear run products.yaml --quiet`, in a new folder: the job file is read, the state
// file made, every task claimed and done in it, every record committed with synchronous=FULL. After each run the rows are
// counted.
//
// The loop is what a good Go programmer writes for the same ids with net/http and encoding/json: workers that share a
// counter, one http.Client with a transport that keeps a connection per worker and a timeout like the job's, the answer
// decoded into a struct of the same seven fields, and dropped. It checks the id, keeps nothing, and starts over when it is
// killed. It is not tuned, nor is anything taken from it.
//
// Both are this test binary started again, so both have the same runtime, and both are measured from the start of the
// process to its exit: the loop has no less to do for it, dogear has opening and closing the state file.
//
// # What makes the numbers comparable
//
// Absolute speeds differ from machine to machine and from minute to minute; a ratio of two runs one after the other hardly
// does. So in every round both run, the one that goes first changing from round to round, against the same site, and what
// counts is the median of the rounds' ratios (dogear's products/s divided by the loop's), with the lowest and the highest
// beside it. The site is internal/practice in a process of its own, which counts no paths (Options.Quiet).
//
// "shared" lets the site and the client share all cores, as on a laptop that crawls itself: the site's own work is in every
// figure, and softens the ratio. "pinned" gives the site core 0 and the client core 1 with taskset: the client is then what
// limits both, and the ratio is that of the work the two do. Where there is no taskset, or one core only, it is left out.
//
// # What is reported
//
//	ratio-median, ratio-min, ratio-max  dogear's products/s over the loop's, by round
//	dogear-products/s, loop-products/s  median of the rounds, wall clock of the process
//	dogear-µs/task, loop-µs/task        median CPU time, user and system, of the process, by task
//	dogear-MB, loop-MB                  median of the most memory resident at once (10^6 bytes)
//
// Memory is what the process itself reads in /proc/self/status (VmHWM), so it is reported on Linux only. The Maxrss that
// a parent gets to see is no use for small processes: a child starts on its parent's memory, and that counts as its own.
//
// BenchmarkMemory answers whether a long job needs more than a short one: a range of 50,000 to its end, and a range of
// 5,000,000 at full speed for a minute, ended by Ctrl-C.
//
// BenchmarkMySQL sends products with `dogear export mysql` and fills the same table, on the same server, with LOAD DATA LOCAL
// INFILE of the same rows from a file that is there already: the fastest way that MySQL has, which remembers nothing.
//
// BenchmarkKeep is the same listing pages with and without keep: body, in turns, and dogear extract on those that were
// kept: what a page takes in the state file, and how fast they are read again.
//
// BenchmarkMetrics runs dogear with and without --metrics, in turns: what the figures cost, as a ratio of CPU time.
//
// # Flags
//
//	-bench.rounds 5      rounds of each comparison
//	-bench.tasks 60000   products that each run fetches; 60,000 take one to four seconds on two cores
//	-bench.pages 10000   listing pages that each run of BenchmarkKeep fetches
//	-bench.rows 200000   products that BenchmarkMySQL sends
//	-bench.memory 1m     how long the long job of BenchmarkMemory runs
//
// `go test` without -bench plays one small round to see that the two still do the same. No test here asserts a time.
package bench
