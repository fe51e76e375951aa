package bench

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"dogear/internal/practice"
)

var (
	rounds    = flag.Int("bench.rounds", 5, "rounds of each comparison")
	tasks     = flag.Int64("bench.tasks", 60_000, "products that each run fetches")
	memoryFor = flag.Duration("bench.memory", time.Minute, "how long the long job of BenchmarkMemory runs")
)

// BenchmarkProducts compares dogear with the bare loop, in turns, against the same site. Each sub-benchmark plays its
// rounds once, whatever b.N is.
func BenchmarkProducts(b *testing.B) {
	var table strings.Builder
	for _, pinned := range []bool{false, true} {
		for _, workers := range []int{64, 1000} {
			name := fmt.Sprintf("%s/workers=%d", cores(pinned), workers)
			var r *result
			b.Run(name, func(b *testing.B) {
				if r == nil { // else b.N has grown; the figures are there
					r = compare(b, pinned, workers)
				}
				r.report(b)
			})
			if r != nil {
				fmt.Fprintf(&table, "\n%s, %d products a run\n%s", name, *tasks, r)
			}
		}
	}
	b.Log(table.String())
}

func cores(pinned bool) string {
	if pinned {
		return "pinned"
	}
	return "shared"
}

func compare(b *testing.B, pinned bool, workers int) *result {
	siteCPU, w := anyCPU, work{tasks: *tasks, workers: workers, cpu: anyCPU}
	if pinned {
		if err := pinning(); err != nil {
			b.Skip(err)
		}
		siteCPU, w.cpu = 0, 1
	}
	w.url = site(b, w.tasks, siteCPU)
	return inTurns(b, w, *rounds)
}

// site starts the practice site in a process of its own and returns its URL.
func site(tb testing.TB, products int64, cpu int) string {
	tb.Helper()
	p, err := practice.StartProcess(context.Background(), practice.Options{Products: products, Quiet: true}, cpu)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := p.Close(); err != nil {
			tb.Errorf("close practice site: %v", err)
		}
	})
	return p.URL
}
