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
	for _, c := range []scenario{
		{"shared", 64, 0}, {"shared", 1000, 0}, {pinned, 64, 0}, {pinned, 1000, 0},
		{"shared", 64, 5 * time.Millisecond}, // most sites are not on the same machine
	} {
		name := fmt.Sprintf("%s/workers=%d/delay=%v", c.cores, c.workers, c.delay)
		var r *result
		b.Run(name, func(b *testing.B) {
			if r == nil { // else b.N has grown; the figures are there
				r = c.compare(b)
			}
			r.report(b)
		})
		if r != nil {
			fmt.Fprintf(&table, "\n%s, %d products a run\n%s", name, *tasks, r)
		}
	}
	b.Log(table.String())
}

// pinned: the site on one core and the client on another.
const pinned = "pinned"

// scenario is one comparison.
type scenario struct {
	cores   string // "shared" or pinned
	workers int
	delay   time.Duration // of every answer of the site
}

func (c scenario) compare(b *testing.B) *result {
	siteCPU, w := anyCPU, work{tasks: *tasks, workers: c.workers, cpu: anyCPU}
	if c.cores == pinned {
		if err := pinning(); err != nil {
			b.Skip(err)
		}
		siteCPU, w.cpu = 0, 1
	}
	w.url = site(b, practice.Options{Products: w.tasks, Delay: c.delay, Quiet: true}, siteCPU)
	return inTurns(b, w, *rounds)
}

// site starts the practice site in a process of its own and returns its URL.
func site(tb testing.TB, o practice.Options, cpu int) string {
	tb.Helper()
	p, err := practice.StartProcess(context.Background(), o, cpu)
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
