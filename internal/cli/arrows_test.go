package cli_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// arrows are the imports that the house allows, and no others. A room that is not listed may import nothing of ours; "*"
// is everything.
var arrows = map[string][]string{
	"":                  {"internal/cli"},
	"internal/cli":      {"*"},
	"crawl":             {"crawl/job", "crawl/fetch", "crawl/extract", "state"},
	"crawl/job":         {"schema"},
	"crawl/draft":       {"schema"},
	"crawl/extract":     {"schema"},
	"crawl/fetch":       {},
	"state":             {"schema", "state/btree"},
	"state/btree":       {},
	"export":            {"state", "schema"},
	"internal/monitor":  {"state", "schema"},
	"internal/logs":     {},
	"internal/practice": {},
	"internal/real":     {"crawl", "crawl/fetch"},
	"schema":            {},
}

// forTests are rooms that any test may use besides.
var forTests = []string{"internal/practice", "internal/testenv", "internal/cli", "state", "schema", "crawl/job"}

func TestRoomsImportOnlyAlongTheArrows(t *testing.T) {
	root := filepath.Join("..", "..")
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		files++
		checkFile(t, root, path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 50 {
		t.Errorf("looked at %d files only: is %s the top of the house?", files, root)
	}
}

func checkFile(t *testing.T, root, path string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		t.Error(err)
		return
	}
	rel, err := filepath.Rel(root, path)
	if err != nil {
		t.Fatal(err)
	}
	room := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(rel)), ".")
	allowed := arrows[room]
	if strings.HasSuffix(path, "_test.go") {
		allowed = append(append(slices.Clone(allowed), forTests...), room)
	}
	for _, imp := range parsed.Imports {
		name, err := strconv.Unquote(imp.Path.Value)
		to, ours := strings.CutPrefix(name, "dogear/")
		if err != nil || !ours {
			continue
		}
		if !slices.Contains(allowed, "*") && !slices.Contains(allowed, to) {
			t.Errorf("%s: there is no arrow from %q to %q", rel, room, to)
		}
	}
}
