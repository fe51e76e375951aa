package draft_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dogear/crawl/draft"
	"dogear/crawl/job"
)

var update = flag.Bool("update", false, "write the drafts that the golden files have")

// Each page in testdata is drafted as the file of the same name with .yaml. Its first line says where it came from: a
// comment of HTML, or before the JSON one that begins with //.
func TestDraftsAreThoseOfTheGoldenFiles(t *testing.T) {
	for _, path := range pages(t) {
		t.Run(strings.TrimPrefix(path, "testdata/"), func(t *testing.T) {
			p := page(t, path)
			d, err := draft.Write(p, "shop")
			if err != nil {
				t.Fatal(err)
			}
			loads(t, d.Text)
			golden := strings.TrimSuffix(path, filepath.Ext(path)) + ".yaml"
			if *update {
				if err := os.WriteFile(golden, d.Text, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(d.Text)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func pages(t testing.TB) []string {
	t.Helper()
	var all []string
	for _, ext := range []string{"html", "json"} {
		found, err := filepath.Glob("testdata/*." + ext)
		if err != nil || len(found) < 5 {
			t.Fatalf("%d pages of %s, %v", len(found), ext, err)
		}
		all = append(all, found...)
	}
	return all
}

func page(t testing.TB, path string) draft.Page {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first, body, _ := strings.Cut(string(text), "\n")
	p := draft.Page{URL: strings.Fields(first)[1], ContentType: "text/html", Body: []byte(body)}
	if filepath.Ext(path) == ".json" {
		p.ContentType = "application/json"
	}
	return p
}

func write(url, contentType, body string) (*draft.Draft, error) {
	return draft.Write(draft.Page{URL: url, ContentType: contentType, Body: []byte(body)}, "shop")
}

// loads wants a draft to be a job, of lines that a terminal shows as they are.
func loads(t *testing.T, text []byte) *job.Job {
	t.Helper()
	j, err := job.Parse("shop.yaml", text, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for i, line := range strings.Split(string(text), "\n") {
		if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r == '\u2028' || r == '\u202e' }) {
			t.Errorf("line %d has a character that is no text: %q", i+1, line)
		}
	}
	return j
}

func TestWhatIsNoPageIsAnError(t *testing.T) {
	for _, c := range []struct {
		name, contentType, body string
		want                    error
	}{
		{"an image", "image/png", "\x89PNG\r\n", draft.ErrFormat},
		{"nothing", "text/html", "", draft.ErrFormat},
		{"an empty object", "application/json", "{}", draft.ErrNothing},
		{"an empty list", "application/json", "[]", draft.ErrNothing},
		{"broken JSON", "application/json", `{"a":`, nil},
		{"a member that occurs twice", "application/json", `{"a": 1, "a": 2}`, nil},
		{"two documents", "application/json", `{"a": 1} {"a": 2}`, nil},
		{"more open elements than can be read", "text/html", strings.Repeat("<div>", 600), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := write("https://shop.example/", c.contentType, c.body)
			if err == nil {
				t.Fatalf("it is no page, but gave\n%s", d.Text)
			}
			if c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
}

func TestANameThatNoTableCanHaveGetsATable(t *testing.T) {
	for name, want := range map[string]string{
		"tasks": "items", "my-movies": "my_movies", "1984": "items", "a b": "a_b", "sqlite_x": "items", "no": "no",
	} {
		t.Run(name, func(t *testing.T) {
			d, err := draft.Write(draft.Page{URL: "https://shop.example/", Body: []byte("<h1>A</h1>")}, name)
			if err != nil {
				t.Fatal(err)
			}
			j := loads(t, d.Text)
			if got := j.Tables()[0].Name; got != want || j.Name != name {
				t.Errorf("job %q fills the table %q, want %q", j.Name, got, want)
			}
		})
	}
}
