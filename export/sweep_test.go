package export_test

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"dogear/export"
)

func TestOnlyOldTemporariesOfTheSameFileAreSwept(t *testing.T) {
	folder := t.TempDir()
	long := time.Now().Add(-2 * time.Hour)
	for name, at := range map[string]time.Time{
		".out.csv.123.part": long, ".out.csv.7.part": time.Now(), ".out.csv.123": long, ".out.csv.x.part": long,
		".out.123.part": long, "out.csv.123.part": long,
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	err := export.ToFile(filepath.Join(folder, "out.csv"), func(w io.Writer) error {
		_, err := io.WriteString(w, "x\r\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	want := []string{".out.123.part", ".out.csv.123", ".out.csv.7.part", ".out.csv.x.part", "out.csv", "out.csv.123.part"}
	if !slices.Equal(left, want) {
		t.Errorf("left %v, want %v", left, want)
	}
}
