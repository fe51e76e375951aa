package job

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// longList writes a list of n URLs, about 40 bytes each, and returns it.
func longList(t testing.TB, n int) *List {
	t.Helper()
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "urls.txt"))
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	for i := range n {
		fmt.Fprintf(w, "https://shop.example/v1/product/%07d\n", i)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	j, err := Parse(filepath.Join(dir, "list.yaml"), []byte("start: {from: urls.txt}\nrecords: {fields: {a: b}}"), nil)
	if err != nil {
		t.Fatal(err)
	}
	return j.Starts[0].List()
}

// katana #68, crawlee-python #203: out of memory on a large list.
func TestAMillionLinesTakeNoMoreMemoryThanAFew(t *testing.T) {
	n := 1_000_000
	if testing.Short() {
		n = 100_000
	}
	f, err := longList(t, n).Open(0, "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.More != int64(n) {
		t.Errorf("%d lines", f.More)
	}
	most := uint64(0)
	for i := 0; ; i++ {
		if _, err := f.Next(); err == io.EOF {
			if i != n {
				t.Errorf("%d requests", i)
			}
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if i%(n/10) == n/20 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
		}
	}
	if most > 8<<20 {
		t.Errorf("%d bytes of memory for a list of %d", most, f.Place())
	}
}

// BenchmarkListOpen is what a resume costs before its first request: one pass over all of the file.
func BenchmarkListOpen(b *testing.B) {
	l := longList(b, 1_000_000)
	f, err := l.Open(0, "")
	if err != nil {
		b.Fatal(err)
	}
	for range 900_000 {
		if _, err := f.Next(); err != nil {
			b.Fatal(err)
		}
	}
	place, print := f.Place(), f.Print()
	f.Close()
	b.SetBytes(place)
	for b.Loop() {
		f, err := l.Open(place, print)
		if err != nil || f.Changed {
			b.Fatal(err, f.Changed)
		}
		f.Close()
	}
}

// BenchmarkListNext is the reading of a line.
func BenchmarkListNext(b *testing.B) {
	l := longList(b, 1_000_000)
	f, err := l.Open(0, "")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := f.Next(); err == io.EOF {
			f.Close()
			if f, err = l.Open(0, ""); err != nil {
				b.Fatal(err)
			}
		} else if err != nil {
			b.Fatal(err)
		}
	}
	f.Close()
}
