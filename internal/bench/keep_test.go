package bench

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dogear/internal/practice"
)

var keepPages = flag.Int64("bench.pages", 10_000, "listing pages that each run of BenchmarkKeep fetches")

const keepJob = `name: books
start: "%s/page/{1..%d}"
rate: none
concurrency: 64
records: {table: books, each: .item, key: url,
	fields: {url: {css: a.name@href, type: url}, title: h2, price: {css: .price, type: "decimal(10,2)"}}}
`

// BenchmarkKeep is what keep: body costs: listing pages of 12 kB with ten records each, in turns with and without it,
// and then the kept ones read again by another rule with dogear extract, which asks for nothing.
func BenchmarkKeep(b *testing.B) {
	url := site(b, practice.Options{Pages: *keepPages, Quiet: true}, anyCPU)
	var with, without, again []usage
	var ratios, extracts []float64
	var kept, bare int64
	for i := range *rounds {
		for k := range 2 {
			if (i+k)%2 == 0 {
				u, size := keepRun(b, url, "", nil)
				without, bare = append(without, u), size
				continue
			}
			u, size := keepRun(b, url, "keep: body\n", &again)
			with, kept = append(with, u), size
		}
		ratios = append(ratios, without[i].took.Seconds()/with[i].took.Seconds())
		extracts = append(extracts, with[i].took.Seconds()/again[i].took.Seconds())
	}
	pages := func(u usage) float64 { return float64(*keepPages) / u.took.Seconds() }
	cpu := func(u usage) float64 { return float64(u.cpu.Microseconds()) / float64(*keepPages) }
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(ratios), "ratio-median")
	b.ReportMetric(median(extracts), "extract/run")
	b.ReportMetric(float64(kept-bare)/float64(*keepPages), "bytes/kept-page")
	for name, runs := range map[string][]usage{"with": with, "without": without, "extract": again} {
		b.ReportMetric(medianOf(runs, pages), name+"-pages/s")
		b.ReportMetric(medianOf(runs, cpu), name+"-µs/page")
		b.ReportMetric(medianOf(runs, megabytes), name+"-MB")
	}
	b.Logf("ratios %.2f", ratios)
}

// keepRun fetches all pages and returns what that took, and the size of the state file. With again, they are read once
// more by another rule.
func keepRun(b *testing.B, url, keep string, again *[]usage) (usage, int64) {
	b.Helper()
	path := filepath.Join(b.TempDir(), "books.yaml")
	text := fmt.Sprintf(keepJob, url, *keepPages) + keep
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	write(text)
	u := process{role: dogearRole, args: []string{"run", path, "--quiet"}, cpu: anyCPU}.run(b)
	size := fileSize(strings.TrimSuffix(path, ".yaml") + ".db")
	if again != nil {
		write(strings.Replace(text, "title: h2", `title: {css: h2, match: "No.*"}`, 1))
		*again = append(*again, process{role: dogearRole, args: []string{"extract", path, "--quiet"}, cpu: anyCPU}.run(b))
	}
	return u, size
}
