package crawl_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dogear/crawl"
	"dogear/crawl/job"
	"dogear/internal/practice"
	"dogear/state"
)

// put writes a file beside the job, with SITE replaced.
func (b *bench) put(name, text string) {
	b.Helper()
	path := filepath.Join(filepath.Dir(b.path), name)
	if err := os.WriteFile(path, []byte(replace(text, "SITE", b.site.URL)), 0o644); err != nil {
		b.Fatal(err)
	}
}

// lines are URLs of products, one a line.
func lines(from, to int) string {
	var out strings.Builder
	for id := from; id <= to; id++ {
		fmt.Fprintf(&out, "SITE/v1/product/%d\n", id)
	}
	return out.String()
}

// heard collects what a run warns of.
func heard(o *crawl.Options) *[]string {
	var all []string
	o.Warn = func(text string) { all = append(all, text) }
	return &all
}

const listJob = `
start: {from: urls.txt}
rate: none
records: {table: products, key: id, fields: {id: {json: $.id, type: int}}}
`

const listRow = `SELECT cursor, total, place > 0, length(print), (SELECT count(*) FROM tasks), (SELECT count(*) FROM products) FROM starts`

func TestAFileOfURLsIsCrawledOnceHoweverOftenItIsRun(t *testing.T) {
	b := newBench(t, practice.Options{Quiet: true, Products: 3000}, listJob)
	b.put("urls.txt", "# all of them\n"+lines(1, 1500)+"\nnonsense\n"+lines(1400, 2000))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	slow := job.Rate{Limit: 1000, Burst: 1, Limiter: job.Smooth, Per: time.Second} // so that it is stopped in the middle
	o := crawl.Options{Rate: &slow}
	warned := heard(&o)
	o.Watch = whenCommitted(t, func(c crawl.Committed) bool { return c.Tally.Done > 200 }, cancel)
	first := b.runUntil(ctx, state.Interrupted, o)
	o.Watch, o.Rate = nil, nil
	second := b.run(state.Finished, o)
	b.want("2101 2101 1 16 2000 2000", listRow)
	if n := first.Tally.Done + second.Tally.Done; n != 2000 {
		t.Errorf("%d done in two runs", n)
	}
	if want := "urls.txt:1503: not a whole URL with http:// or https:// in front; passed over"; len(*warned) != 1 || (*warned)[0] != want {
		t.Errorf("warned of %q", *warned)
	}
	if s := b.run(state.Finished, o); s.Tally.Done != 0 || s.Counts.Total() != 2000 {
		t.Errorf("%+v", s)
	}
}

func TestOfAFileThatChangedOnlyWhatIsNewIsAskedFor(t *testing.T) {
	for _, c := range []struct {
		name, now string
		asked     int64
		row, warn string
	}{
		{"grown", lines(1, 8), 3, "8 8 1 16 8 8", ""},
		{"a line in front", lines(9, 9) + lines(1, 5), 1, "6 6 1 16 6 6", "again from its beginning"},
		{"another first line", lines(7, 7) + lines(2, 5), 1, "5 5 1 16 6 6", "again from its beginning"},
		{"shorter", lines(1, 2), 0, "2 2 1 16 5 5", "again from its beginning"},
		{"the same", lines(1, 5), 0, "5 5 1 16 5 5", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, practice.Options{Products: 30}, listJob)
			b.put("urls.txt", lines(1, 5))
			b.run(state.Finished, crawl.Options{})
			b.put("urls.txt", c.now)
			o := crawl.Options{}
			warned := heard(&o)
			if s := b.run(state.Finished, o); s.Tally.Done != c.asked {
				t.Errorf("%d asked for, want %d", s.Tally.Done, c.asked)
			}
			b.want(c.row, listRow)
			if text := strings.Join(*warned, "\n"); (c.warn == "") != (text == "") || !strings.Contains(text, c.warn) {
				t.Errorf("warned of %q", text)
			}
		})
	}
}

func TestAFileThatIsNotThereIsAFaultUntilItWasReadToItsEnd(t *testing.T) {
	b := newBench(t, practice.Options{Products: 30}, listJob)
	o := crawl.Options{Job: b.job, Path: b.path}
	run := func() error { _, err := crawl.Run(context.Background(), context.Background(), o); return err }
	var bad *job.Error
	if err := run(); !errors.As(err, &bad) || !errors.Is(err, fs.ErrNotExist) || bad.Problems[0].Line != 2 || bad.Problems[0].Col != 15 {
		t.Errorf("at first: %v", err)
	}
	if _, err := os.Stat(b.path); !errors.Is(err, fs.ErrNotExist) {
		t.Error("there is a state file")
	}
	b.put("urls.txt", lines(1, 20))
	b.run(state.Stopped, crawl.Options{Limit: 10})
	b.exec(`UPDATE starts SET total = cursor + 1`) // as when it was read in part
	file := filepath.Join(filepath.Dir(b.path), "urls.txt")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := run(); !errors.As(err, &bad) || !strings.Contains(err.Error(), "only 20 of its requests are tasks yet: put it back and the run goes on there") {
		t.Errorf("in the middle: %v", err)
	}
	b.put("urls.txt", lines(1, 15))
	b.run(state.Stopped, crawl.Options{Limit: 2}) // it is another one, but what it has is known
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	o = crawl.Options{Limit: 2}
	warned := heard(&o)
	b.run(state.Stopped, o)
	if len(*warned) != 1 || !strings.HasPrefix((*warned)[0], "urls.txt is not there any more; it had been read") {
		t.Errorf("warned of %q", *warned)
	}
}

func TestColumnsOfACSVGoIntoRequestsAndRecords(t *testing.T) {
	b := newBench(t, practice.Options{Products: 30}, `
start: {from: "ids.csv", url: "SITE/v1/product/{id}"}
rate: none
records: {table: products, key: id, fields: {id: {json: $.id, type: int}, category: {meta: param.category}, wanted: {meta: param.id, type: int}}}
`)
	b.put("ids.csv", "id,category,note\r\n3,\"Toys, \"\"big\"\"\",x\r\n4,Tools\r\n5,\"two\nlines\",y\r\n")
	o := crawl.Options{}
	warned := heard(&o)
	b.run(state.Finished, o)
	b.want(`3 Toys, "big" 3 {"param.category":"Toys, \"big\"","param.id":"3"} GET`,
		`SELECT p.id, category, wanted, carry, method FROM products AS p JOIN tasks AS t ON t.id = _task WHERE p.id = 3`)
	b.want("2 5 two lines", `SELECT count(*), max(id), replace(max(category), char(10), ' ') FROM products`)
	if len(*warned) != 1 || (*warned)[0] != "ids.csv:3: 2 fields, and the header has 3; passed over" {
		t.Errorf("warned of %q", *warned)
	}
}

func TestAColumnGoesIntoABody(t *testing.T) {
	b := newBench(t, practice.Options{Products: 30}, `
start:
  - {from: ids.csv, url: "SITE/v1/lookup", request: {json: {id: "{id}"}}}
  - {from: ids.txt, url: "SITE/v1/lookup", request: {form: {id: "{id}"}}}
rate: none
records: {table: products, key: id, fields: {id: {json: $.id, type: int}, wanted: {meta: param.id, type: int}}}
`)
	b.put("ids.csv", "id\n1\n2\n")
	b.put("ids.txt", "3\n4\n")
	b.run(state.Finished, crawl.Options{})
	b.want("4 4 10", `SELECT count(*), sum(id = wanted), sum(id) FROM products`)
	b.want(`POST {"id":"1"}`, `SELECT method, body FROM tasks ORDER BY id LIMIT 1`)
}

func TestOfManyBadLinesTheFirstAreToldAndTheRestCounted(t *testing.T) {
	b := newBench(t, practice.Options{Products: 30}, listJob)
	b.put("urls.txt", strings.Repeat("x\n", 500)+lines(1, 1))
	o := crawl.Options{}
	warned := heard(&o)
	b.run(state.Finished, o)
	if n := len(*warned); n != 11 || (*warned)[10] != "urls.txt: and 490 more lines like these" {
		t.Errorf("%d warnings: %q", n, *warned)
	}
}
