package cli_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"dogear/internal/practice"
)

// Neither one that writes nor one that only shows what it would.
func TestExtractLeavesAFileAloneThatARunHolds(t *testing.T) {
	p := site(t, practice.Options{Pages: 300, Delay: 20 * time.Millisecond})
	path := writeJob(t, "shop.yaml", extractRules(p.URL, "score: .score", "none"))
	c := start(t, "run", path, "--concurrency", "1")
	whenDone(t, c, stateOf(path), 3)
	for _, args := range [][]string{{"extract", path}, {"extract", path, "--dry-run"}} {
		if said := dogearRun(t, 4, args...).said(); !strings.Contains(said, "another run holds") {
			t.Errorf("%q: it says %s", args, said)
		}
	}
	c.Process.Kill()
	c.exit()
	// What the run had in flight waits; what it has done is there.
	if said := dogearRun(t, 0, "extract", path, "--dry-run").said(); !strings.Contains(said, "nothing changed") {
		t.Errorf("it says %s", said)
	}
	dogearRun(t, 0, "extract", path)
	checkSound(t, stateOf(path))
}

// SQLite can't even write to the file: the folder is listed, and every byte compared.
func TestADryExtractChangesNoByte(t *testing.T) {
	p := site(t, practice.Options{Pages: 300})
	path := writeJob(t, "shop.yaml", extractRules(p.URL, `score: {css: .score, type: int, required: true}`, "[0-1]17"))
	dogearRun(t, 3, "run", path, "--quiet")
	text := extractRules(p.URL, `score: {css: .score, type: "decimal(3,1)"}, more: h2`, "[0-3]17")
	if err := os.WriteFile(path, []byte(text+"  gone: {records: {table: gone, fields: {a: b}}}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	before := folder(t, path)
	asked := must(p.Stats()).Total
	dry := summaryOf(dogearRun(t, 0, "extract", path, "--dry-run"))
	if got := folder(t, path); got != before {
		t.Error("it changed a file, or left one")
	}
	for _, word := range []string{"items.more", "new links: ", "gone   0"} {
		if !strings.Contains(dry, word) {
			t.Errorf("%q is not in\n%s", word, dry)
		}
	}
	wet := summaryOf(dogearRun(t, 0, "extract", path))
	for _, words := range [][2]string{
		{"would be done", "are done now"}, {"would fail", "fail now"}, {"would fetch them", "fetches them"},
	} {
		dry = strings.ReplaceAll(dry, words[0], words[1])
	}
	if dry != wet {
		t.Errorf("dry:\n%s\nwet:\n%s", dry, wet)
	}
	if n := must(p.Stats()).Total; n != asked {
		t.Errorf("%d requests were made", n-asked)
	}
}

// summaryOf is what it says but for the first line, which has a time in it.
func summaryOf(c *crawler) string {
	_, rest, _ := strings.Cut(c.said(), "\n")
	return rest
}

// folder is every file beside the job, with what is in it.
func folder(t *testing.T, path string) string {
	t.Helper()
	var all strings.Builder
	for _, name := range append(beside(t, path), path) {
		all.WriteString(name + "\n" + read(t, name) + "\n")
	}
	return all.String()
}
