package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dogear/internal/practice"
)

// A list is read a few thousand lines at a time; wherever a kill comes, its place and its tasks are of one commit.
func TestAKillWhileAListIsReadLosesNoLineAndRepeatsNone(t *testing.T) {
	const lines = 5000
	p := site(t, practice.Options{})
	path := writeJob(t, "list.yaml", "start: {from: ids.csv, url: \""+p.URL+"/v1/product/{id}\"}\nrate: 4000/s\n"+
		"records: {key: id, fields: {id: {json: $.id, type: int}, note: {meta: param.note}}}\n")
	var text strings.Builder
	text.WriteString("id,note\n")
	for id := 1; id <= lines; id++ {
		fmt.Fprintf(&text, "%d,\"note\n%[1]d\"\n", id)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "ids.csv"), []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, done := range []int{1, 1500} {
		c := start(t, "run", path)
		killOnce(t, c, stateOf(path), done)
		checkSound(t, copied(t, stateOf(path)))
		asked := askedFor(t, p, copied(t, stateOf(path)), "done")
		if len(asked) < done || len(asked) == lines {
			t.Errorf("killed with %d of %d done", len(asked), lines)
		}
		defer checkNotAskedAgain(t, p, asked)
	}
	dogearRun(t, 0, "run", path)
	dogearRun(t, 0, "verify", path)
	want := fmt.Sprintf("%d %[1]d %d %[1]d", lines, text.Len())
	got := rows(t, stateOf(path), `SELECT cursor, total, place, (SELECT count(*) FROM list WHERE note = 'note'||char(10)||id) FROM starts`)
	if len(got) != 1 || got[0] != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// killOnce kills a run as soon as so many tasks are done.
func killOnce(t *testing.T, c *crawler, path string, done int) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		if n, err := doneIn(path); err == nil && n >= done {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d tasks are never done; it said:\n%s", done, c.said())
		}
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	c.wait()
}
