package powercut

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"dogear/internal/practice"
)

// delay is how long the site takes for an answer while a run is recorded: a hundred commits, and not a few large ones,
// fill the WAL.
const delay = 3 * time.Millisecond

// shop is the practice site in a process of its own, and the job for it.
type shop struct {
	*practice.Process
	text string
}

func openShop(t *testing.T, products int) *shop {
	t.Helper()
	o := practice.Options{Products: int64(products), Pages: listingPages}
	p, err := practice.StartProcess(context.Background(), o, -1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("close practice site: %v", err)
		}
	})
	return &shop{Process: p, text: jobFor(p.URL, products)}
}

// anew makes the site forget what it was asked, and its faults begin again.
func (s *shop) anew(t *testing.T, d time.Duration) {
	t.Helper()
	for _, f := range faults {
		if err := s.SetFault(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.SetDelay(d); err != nil {
		t.Fatal(err)
	}
	if err := s.Reset(); err != nil {
		t.Fatal(err)
	}
}

// folder makes a folder with the job file and returns the paths of it and of the state file.
func (s *shop) folder(t *testing.T) (job, state string) {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir()) // strace shows real paths
	if err != nil {
		t.Fatal(err)
	}
	job = filepath.Join(folder, "shop.yaml")
	if err := os.WriteFile(job, []byte(s.text), 0o644); err != nil {
		t.Fatal(err)
	}
	return job, filepath.Join(folder, "shop.db")
}
