package bench

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dogear/internal/practice"
)

// BenchmarkMetrics compares dogear with and without --metrics, in turns, against the same site: what counting every
// exchange and noting the speed costs while nobody looks. CPU time is compared, which other processes disturb less.
func BenchmarkMetrics(b *testing.B) {
	if err := pinning(); err != nil {
		b.Skip(err)
	}
	w := work{tasks: *tasks, workers: 64, cpu: 1}
	w.url = site(b, practice.Options{Products: w.tasks, Quiet: true}, 0)
	shown := w
	shown.flags = []string{"--metrics", "127.0.0.1:0"}
	var cpu, wall []float64
	var table strings.Builder
	for i := range *rounds {
		var with, without usage
		if i%2 == 0 {
			with, without = shown.byDogear(b), w.byDogear(b)
		} else {
			without, with = w.byDogear(b), shown.byDogear(b)
		}
		cpu = append(cpu, with.cpu.Seconds()/without.cpu.Seconds())
		wall = append(wall, with.took.Seconds()/without.took.Seconds())
		fmt.Fprintf(&table, "\n  with --metrics %v of CPU in %v, without %v in %v",
			with.cpu, with.took, without.cpu, without.took)
	}
	b.ReportMetric(0, "ns/op") // means nothing here
	b.ReportMetric(median(cpu), "cpu-ratio-median")
	b.ReportMetric(slices.Min(cpu), "cpu-ratio-min")
	b.ReportMetric(slices.Max(cpu), "cpu-ratio-max")
	b.ReportMetric(median(wall), "wall-ratio-median")
	b.Log(table.String())
}
