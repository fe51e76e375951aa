package state_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"dogear/schema"
	"dogear/state"
)

// shelf is a job with all that a state file can hold: listing pages that lead to items and to one another, records
// with a key and without, rejects, failures, and a site of its own.
type shelf struct {
	items, notes *schema.Table
	asked        map[string]int
	group        []state.Outcome // not committed yet
	pages, batch int
}

const shelfItems = 6 // on a page

func newShelf(tb testing.TB) *shelf {
	return &shelf{
		items: compiled(tb, &schema.Table{Name: "items", Key: []string{"url"}, Fields: []schema.Field{
			{Name: "url"}, {Name: "n", Type: schema.Type{Kind: schema.Int}}, {Name: "text"},
		}}),
		notes: notesTable(tb),
		asked: map[string]int{}, pages: 12, batch: 8,
	}
}

func (s *shelf) options(path string) state.RunOptions {
	return state.RunOptions{
		Path: path, Name: "shelf", Text: []byte("name: shelf"), Tables: []*schema.Table{s.items, s.notes}, Version: "test",
		Pages:  []state.Page{{Name: "list", Follows: true}, {Name: "item", Keeps: []string{"items", "notes"}}},
		Starts: []state.Start{starting("first", schema.Request{URL: "http://shelf/list/1", Page: "list"})},
	}
}

// answer is what the site brings for a task.
func (s *shelf) answer(t state.Task, at time.Time) state.Outcome {
	s.asked[t.URL]++
	o := state.Outcome{Task: t, State: state.Done, Attempts: 1, Status: 200, Bytes: 1000, Took: time.Millisecond, At: at}
	var page, item int
	if fmt.Sscanf(t.URL, "http://shelf/list/%d", &page); page > 0 {
		for i := range shelfItems {
			o.Links = append(o.Links, schema.Request{URL: fmt.Sprintf("http://shelf/item/%d", page*shelfItems+i), Page: "item"})
		}
		if page < s.pages {
			o.Links = append(o.Links, schema.Request{URL: fmt.Sprintf("http://shelf/list/%d", page+1), Page: "list"})
		}
		return o
	}
	fmt.Sscanf(t.URL, "http://shelf/item/%d", &item)
	if item%17 == 0 {
		o.State, o.Status, o.Kind, o.Error = state.Failed, 404, "client", "404 Not Found"
		o.Failures = []state.Attempt{{Number: 1, At: at, Status: 404, Kind: "client", Error: o.Error, Took: time.Millisecond}}
		return o
	}
	text := strings.Repeat(fmt.Sprintf("item %d ", item), 12)
	o.Rows = []schema.Row{{Table: s.items, Values: []any{t.URL, int64(item), text}}}
	for i := range item % 3 {
		o.Rows = append(o.Rows, note(s.notes, fmt.Sprintf("note %d of %d", i, item)))
	}
	if item%11 == 0 {
		o.Rejects = []schema.Reject{{Table: "notes", Field: "text", Reason: "too long", Raw: `{"text":"…"}`}}
	}
	return o
}

// crawl goes on with a run until so many tasks are done, or nothing is left.
func (s *shelf) crawl(tb testing.TB, run *state.Run, now time.Time, goal int64) {
	tb.Helper()
	for run.Counts().Left() > 0 && run.Counts().Done < goal {
		now = now.Add(time.Second)
		tasks, err := run.Commit(context.Background(), now, s.group, s.batch)
		if err != nil {
			tb.Fatal(err)
		}
		s.group = s.group[:0]
		for _, t := range tasks {
			s.group = append(s.group, s.answer(t, now))
		}
	}
}

// image is a state file with what lies beside it, as bytes.
type image map[string][]byte

var imageSuffixes = []string{"", "-wal", ".lock"}

func imageOf(tb testing.TB, path string) image {
	tb.Helper()
	img := image{}
	for _, suffix := range imageSuffixes {
		if b, err := os.ReadFile(path + suffix); err == nil {
			img[suffix] = b
		} else if !os.IsNotExist(err) {
			tb.Fatal(err)
		}
	}
	return img
}

// write puts a copy of the image into a new folder.
func (img image) write(tb testing.TB) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "shelf.db")
	for suffix, b := range img {
		if err := os.WriteFile(path+suffix, b, 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	return path
}

func (img image) clone() image {
	c := image{}
	for suffix, b := range img {
		c[suffix] = append([]byte(nil), b...)
	}
	return c
}

// images are a run's file as a kill -9 leaves it half way, with all in the -wal or some in the file, and as its end
// does.
type images struct{ inLog, mixed, ended image }

var shelfImages = sync.OnceValue(func() images {
	tb := &testing.B{} // only for its Fatal
	dir, err := os.MkdirTemp("", "dogear-shelf-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "shelf.db")
	s := newShelf(tb)
	run, err := state.OpenRun(context.Background(), s.options(path), epoch)
	if err != nil {
		panic(err)
	}
	var all images
	s.crawl(tb, run, epoch, 30)
	all.inLog = imageOf(tb, path)
	checkpoint(path)
	s.crawl(tb, run, epoch.Add(time.Hour), 45)
	all.mixed = imageOf(tb, path)
	s.crawl(tb, run, epoch.Add(2*time.Hour), 1<<60)
	if err := run.Close(context.Background(), epoch.Add(3*time.Hour), state.Finished); err != nil {
		panic(err)
	}
	all.ended = imageOf(tb, path)
	return all
})

func checkpoint(path string) {
	db, err := rawDB(path)
	if err != nil {
		panic(err)
	}
	defer db.Close()
	if _, err := db.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`); err != nil {
		panic(err)
	}
}

// shelfEnd is what a whole crawl of the shelf leaves, in the user's eyes.
func shelfEnd(f *file) string {
	return f.ask(`SELECT url, page, state, status FROM tasks ORDER BY url`) + "\n\n" +
		f.ask(`SELECT url, n, text FROM items ORDER BY url`) + "\n\n" +
		f.ask(`SELECT text, _pos FROM notes ORDER BY text`)
}

var wholeShelf = sync.OnceValue(func() string {
	tb := &testing.B{}
	dir, err := os.MkdirTemp("", "dogear-shelf-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "shelf.db")
	if err := os.WriteFile(path, shelfImages().ended[""], 0o644); err != nil {
		panic(err)
	}
	db, err := rawDB(path)
	if err != nil {
		panic(err)
	}
	defer db.Close()
	return shelfEnd(&file{TB: tb, ctx: context.Background(), path: path, db: db})
})
