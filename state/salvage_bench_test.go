package state_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"dogear/state"
)

// A run checks a small file whenever it opens it, and salvages a damaged one: MB/s of the one, rows/s of the other.
func BenchmarkOpenAndSalvage(b *testing.B) {
	path := filepath.Join(b.TempDir(), "shelf.db")
	s := newShelf(b)
	s.pages, s.batch = 12_000, 2000
	run, err := state.OpenRun(context.Background(), s.options(path), epoch)
	if err != nil {
		b.Fatal(err)
	}
	s.crawl(b, run, epoch, 1<<60)
	if err := run.Close(context.Background(), epoch, state.Finished); err != nil {
		b.Fatal(err)
	}
	whole := imageOf(b, path)
	for _, c := range []struct {
		name string
		img  image
	}{
		{"whole", whole},
		{"its first page zeroed", whole.with("", zeroed(0, 4096))},
		{"ten pages zeroed", whole.with("", zeroed(500*4096, 510*4096))},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.img[""])))
			var rows int64
			for b.Loop() {
				b.StopTimer()
				path := c.img.write(b)
				b.StartTimer()
				run, err := state.OpenRun(context.Background(), newShelf(b).options(path), later)
				if err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				if saved := run.Found.Salvaged; saved != nil {
					rows += saved.Tasks + saved.Records
				}
				if err := run.Close(context.Background(), later, ""); err != nil {
					b.Fatal(err)
				}
				if err := os.RemoveAll(filepath.Dir(path)); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
			b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
