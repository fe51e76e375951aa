package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dogear/crawl/job"
)

// readmes say the same in two languages.
var readmes = []string{"README.md", "README.zh-CN.md"}

// block is what stands between two fences.
type block struct {
	line           int // of the opening fence
	language, text string
}

// readme is a README taken apart: its blocks of code, its headings, and the rest.
type readme struct {
	blocks   []block
	headings []string
	prose    string
}

func readReadme(t *testing.T, name string) readme {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", name))
	if err != nil {
		t.Fatal(err)
	}
	var r readme
	open := false
	for i, line := range strings.Split(string(text), "\n") {
		last := len(r.blocks) - 1
		language, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && !open:
			r.blocks = append(r.blocks, block{line: i + 1, language: language})
			open = true
		case fence:
			open = false
		case open:
			r.blocks[last].text += line + "\n"
		default:
			if strings.HasPrefix(line, "#") {
				r.headings = append(r.headings, line)
			}
			r.prose += line + "\n"
		}
	}
	if open {
		t.Errorf("%s: the block that line %d opens is never closed", name, r.blocks[len(r.blocks)-1].line)
	}
	return r
}

var comment = regexp.MustCompile(`(?m)(^| +)# .*$`)

func TestEveryJobInTheReadmesLoads(t *testing.T) {
	env := func(string) (string, bool) { return "value", true }
	for _, name := range readmes {
		jobs := 0
		for _, b := range readReadme(t, name).blocks {
			if b.language != "yaml" {
				continue
			}
			jobs++
			if _, err := job.Parse(fmt.Sprintf("%s:%d", name, b.line), []byte(b.text), env); err != nil {
				t.Error(err)
			}
		}
		if jobs < 5 {
			t.Errorf("%s has %d jobs only: are its blocks still called yaml?", name, jobs)
		}
	}
}

func TestTheReadmesSayTheSame(t *testing.T) {
	first, second := readReadme(t, readmes[0]), readReadme(t, readmes[1])
	if a, b := len(first.headings), len(second.headings); a != b {
		t.Errorf("%d headings in %s, %d in %s", a, readmes[0], b, readmes[1])
	}
	if a, b := len(first.blocks), len(second.blocks); a != b {
		t.Fatalf("%d blocks of code in %s, %d in %s", a, readmes[0], b, readmes[1])
	}
	for i, a := range first.blocks {
		b := second.blocks[i]
		same := a.language == b.language
		if same && a.language != "" { // comments are translated
			same = comment.ReplaceAllString(a.text, "") == comment.ReplaceAllString(b.text, "")
		}
		if !same {
			t.Errorf("not the same block of code: %s:%d and %s:%d", readmes[0], a.line, readmes[1], b.line)
		}
	}
	if a, b := named.FindAllString(first.prose, -1), named.FindAllString(second.prose, -1); !slices.Equal(a, b) {
		t.Errorf("%s and %s do not name the same files:\n%q\n%q", readmes[0], readmes[1], a, b)
	}
}

var (
	link   = regexp.MustCompile(`\]\(([^)#:]+)\)`)   // to a file of ours
	anchor = regexp.MustCompile(`\]\(#([^)]+)\)`)    // to a heading
	named  = regexp.MustCompile(`testdata/[\w./-]+`) // files named in any other way
)

func TestWhatTheReadmesPointAtIsThere(t *testing.T) {
	for _, name := range readmes {
		r := readReadme(t, name)
		files := named.FindAllString(r.prose, -1)
		for _, l := range link.FindAllStringSubmatch(r.prose, -1) {
			files = append(files, l[1])
		}
		for _, f := range files {
			if _, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(f))); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		var there []string
		for _, h := range r.headings {
			there = append(there, strings.ReplaceAll(strings.ToLower(strings.TrimLeft(h, "# ")), " ", "-"))
		}
		for _, a := range anchor.FindAllStringSubmatch(r.prose, -1) {
			if !slices.Contains(there, a[1]) {
				t.Errorf("%s: there is no heading for #%s", name, a[1])
			}
		}
	}
}
