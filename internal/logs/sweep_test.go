package logs

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func unpack(t *testing.T, from, to string) {
	t.Helper()
	if err := os.WriteFile(to, []byte(unpacked(t, from)), 0o600); err != nil {
		t.Fatal(err)
	}
}

func unpacked(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// put writes files whose text is their name.
func put(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOldFilesAreCompressedAndTheOldestRemoved(t *testing.T) {
	dir := t.TempDir()
	others := []string{ // of other jobs, and of other people
		"products", "products-.log", "products-2026-01-01.txt", "products-2026-01-01.log.bak",
		"products-2026-99-01.log",
		"products-new-2026-01-01.log", "aproducts-2026-01-01.log", "products-errors-2026-01-01.log",
		"products-2026-01-01.log.gz.gz",
	}
	put(t, dir, others...)
	put(t, dir, "products-2026-10-30.log", "products-2026-10-30.log.gz", "products-2026-10-31.log.gz",
		"products-2026-11-01.log",
		"products-2026-11-29.log", "products-2026-11-30.log", "products-2026-12-01.log",
		"products-2026-11-28.log.gz.123.tmp",
		"products-2026-11-30.log.gz.4.tmp")
	if err := os.Symlink("products-2026-11-29.log", filepath.Join(dir, "products-2026-11-02.log")); err != nil {
		t.Skip("no links here")
	}
	if err := sweep(t.Context(), dir, "products", "2026-11-30", 30); err != nil {
		t.Fatal(err)
	}
	want := append([]string{
		"products-2026-10-31.log.gz", "products-2026-11-01.log.gz", "products-2026-11-02.log",
		"products-2026-11-29.log.gz",
		"products-2026-11-30.log", "products-2026-12-01.log", "products-2026-11-30.log.gz.4.tmp",
	}, others...)
	slices.Sort(want)
	if got := files(t, dir); !slices.Equal(got, want) {
		t.Errorf("left are %q,\nwant %q", got, want)
	}
	if got := unpacked(t, filepath.Join(dir, "products-2026-11-29.log.gz")); got != "products-2026-11-29.log" {
		t.Errorf("unpacked: %q", got)
	}
	for _, name := range others {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != name {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
}

func TestWhatIsCompressedAlreadyIsKeptWhenMoreCame(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "products-2026-11-29.log")
	for _, text := range []string{"one\n", "two\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := sweep(t.Context(), dir, "products", "2026-11-30", 30); err != nil {
			t.Fatal(err)
		}
	}
	if got := unpacked(t, path+packed); got != "one\ntwo\n" || len(files(t, dir)) != 1 {
		t.Errorf("%q in %q", got, files(t, dir))
	}
}

func TestASweepThatIsStoppedLeavesTheFileAsItWas(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "products-2026-11-29.log")
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if err := compress(stopped, filepath.Join(dir, "products-2026-11-29.log")); err == nil {
		t.Error("it went on")
	}
	if err := sweep(stopped, dir, "products", "2026-11-30", 30); err != nil {
		t.Error(err)
	}
	if got := files(t, dir); !slices.Equal(got, []string{"products-2026-11-29.log"}) {
		t.Errorf("%q", got)
	}
}

func TestALogSweepsWhenItOpensAndWithEachNewDay(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "products-2026-10-01.log", "products-errors-2026-10-01.log", "products-errors-2026-08-01.log.gz")
	swept := func(l *Log, want ...string) {
		t.Helper()
		l.sweeping.Wait()
		if got := files(t, dir); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	l, err := newLog(Options{Dir: dir, Job: "products", Now: noon})
	if err != nil {
		t.Fatal(err)
	}
	swept(l, "products-2026-11-30.log", "products-errors-2026-10-01.log.gz")
	l.take(line{"2026-11-30", []byte("one"), true})
	l.take(line{"2026-12-01", []byte("two"), false})
	swept(l, "products-2026-11-30.log.gz", "products-errors-2026-10-01.log.gz", "products-errors-2026-11-30.log.gz")
	l.flush()
	swept(l, "products-2026-11-30.log.gz", "products-2026-12-01.log", "products-errors-2026-10-01.log.gz",
		"products-errors-2026-11-30.log.gz")
	l.Close()
}
