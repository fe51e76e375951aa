package bench

import (
	"fmt"
	"runtime"
	"testing"

	"dogear/internal/practice"
)

// BenchmarkMemory is the most memory that dogear needs at 64 workers: for a range that it brings home, and for a hundred
// times as many ids, of which it does what it can in a minute before it is interrupted. A range is a cursor and not a list
// (katana #68, crawlee-python #203), so the long one should not need much more.
func BenchmarkMemory(b *testing.B) {
	const workers = 64
	b.Run("range=50000/complete", func(b *testing.B) {
		w := work{url: site(b, practice.Options{Products: 50_000, Quiet: true}, anyCPU), tasks: 50_000, workers: workers, cpu: anyCPU}
		reportMemory(b, w.byDogear(b), w.tasks)
	})
	b.Run(fmt.Sprintf("range=5000000/interrupted=%v", *memoryFor), func(b *testing.B) {
		if runtime.GOOS == "windows" {
			b.Skip("a process can't be sent a Ctrl-C here")
		}
		w := work{url: site(b, practice.Options{Products: 5_000_000, Quiet: true}, anyCPU), tasks: 5_000_000, workers: workers, cpu: anyCPU}
		u, done := w.byDogearFor(b, *memoryFor)
		reportMemory(b, u, done)
	})
}

func reportMemory(b *testing.B, u usage, products int64) {
	if u.peak == 0 {
		b.Skip("the system does not say how much memory a process needed")
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(megabytes(u), "dogear-MB")
	b.ReportMetric(float64(products), "products")
	b.Logf("%d products in %.1f s: %.1f MB at most", products, u.took.Seconds(), megabytes(u))
}
