package cli_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"dogear/internal/practice"
)

// A full disk ends the run with a word that helps, keeps what is committed, and with room again the same command carries on.
func TestAFullDiskStopsTheRunAndLosesNothing(t *testing.T) {
	dir := smallDisk(t, "5m")
	p := site(t, practice.Options{Products: 20_000})
	path := filepath.Join(dir, "products.yaml")
	if err := os.WriteFile(path, []byte(practice.ProductsJob(p.URL, 20_000, 16)), 0o644); err != nil {
		t.Fatal(err)
	}
	c := dogearRun(t, 1, "run", path)
	if said := c.said(); !strings.Contains(said, "is full") || !strings.Contains(said, "Free about") {
		t.Errorf("it said:\n%s", said)
	}
	settled(t, p)
	counts := must(p.Counts())
	done := rows(t, stateOf(path), `SELECT url FROM tasks WHERE state = 'done'`)
	if got := rows(t, stateOf(path), `SELECT count(*) FROM products`); got[0] != fmt.Sprint(len(done)) || len(done) == 0 {
		t.Errorf("%s records of %d tasks done", got[0], len(done))
	}
	if got := rows(t, stateOf(path), `PRAGMA integrity_check`); got[0] != "ok" {
		t.Errorf("integrity: %v", got)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=200m"); err != nil {
		t.Fatal(err)
	}
	dogearRun(t, 0, "run", path)
	if got := rows(t, stateOf(path), `SELECT count(*), count(DISTINCT product_id) FROM products`); got[0] != "20000 20000" {
		t.Errorf("records, distinct: %s", got[0])
	}
	after := must(p.Counts())
	for _, url := range done {
		if path := strings.TrimPrefix(url, p.URL); after[path] != counts[path] {
			t.Errorf("%s was done and was asked for again", path)
		}
	}
}

// smallDisk mounts a disk of that size, which root may do, unless it is shut in a container.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); errors.Is(err, syscall.EPERM) {
		t.Skipf("a disk may not be mounted here: %v", err)
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Errorf("unmount %s: %v", dir, err)
		}
	})
	return dir
}
