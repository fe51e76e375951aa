package crawl_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"dogear/crawl"
	"dogear/internal/practice"
	"dogear/state"
)

func TestKeptPagesThatCannotBeReadAreReportedAndLeftAlone(t *testing.T) {
	bomb := packed(t, make([]byte, 40<<20))
	for name, c := range map[string]struct {
		set, says string // a column of page 2
		args      []any
	}{
		"no zstd": {`body = x'00010203'`, "the kept page is damaged", nil},
		"nothing": {`body = x''`, "the kept page is damaged", nil},
		"cut":     {`body = substr(body, 1, length(body) - 20)`, "the kept page is damaged", nil},
		"another byte in it": {`body = CAST(substr(body, 1, 300) || x'a5' || substr(body, 302) AS BLOB)`,
			"page is damaged", nil},
		"another size":          {`size = size + 1`, "does not have the size that it had", nil},
		"less than nothing":     {`size = -1`, "does not have the size that it had", nil},
		"something behind it":   {`body = CAST(body || body AS BLOB)`, "the kept page is damaged", nil},
		"more than is allowed":  {`size = 41943040, body = ?`, "more than limits.body allows", []any{bomb}},
		"more than it says":     {`size = 10, body = ?`, "the kept page is damaged", []any{bomb}},
		"of a kind that is not": {"", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, practice.Options{Pages: 3}, keepJob)
			b.run(state.Finished, crawl.Options{})
			db := b.open()
			defer db.Close()
			spoil := `UPDATE page_bodies SET ` + c.set + ` WHERE task = 2`
			if c.says == "" {
				spoil = `UPDATE tasks SET page = 'gone' WHERE id = 2`
			}
			if _, err := db.Exec(spoil, c.args...); err != nil {
				t.Fatal(err)
			}
			b.edit(replace(keepJob, "title: h2", "title: {css: h2, match: No.*}"))
			r := b.reread(false)
			if c.says == "" {
				if r.Unknown != 1 || r.Damaged != 0 || r.Pages != 2 || r.Changes.Without != 0 {
					t.Errorf("%+v", r)
				}
			} else if r.Damaged != 1 || r.Pages != 2 || r.Changes.Without != 0 || r.Reports[0].Task != 2 ||
				!strings.Contains(r.Reports[0].Err.Error(), c.says) {
				t.Errorf("%+v", r)
			}
			b.want("20 10", `SELECT sum(title LIKE 'No.%'), sum(_task = 2 AND title NOT LIKE 'No.%') FROM books`)
		})
	}
}

func packed(t *testing.T, body []byte) []byte {
	t.Helper()
	e, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	return e.EncodeAll(body, nil)
}

// A page that echoes a key gives the same records and links as when it came, and still can't ask for the key.
func TestPagesWithSecretsComeToTheSameWhenTheyAreReadAgain(t *testing.T) {
	t.Setenv("API_KEY", "hunter2 hunter2")
	t.Setenv("TOKEN", "swordfish")
	echo := echoing(t)
	b := newBench(t, practice.Options{}, replace(`
start: "ECHO/?api_key=${API_KEY}"
request: {headers: {X-Token: "${TOKEN}"}}
rate: none
robots: ignore
limits: {depth: 2}
records: {table: books, key: url, fields: {url: {meta: final_url}, title: h1, link: {css: a@href, type: url}}}
follow: {css: a@href}
keep: body
`, "ECHO", echo))
	b.run(state.Finished, crawl.Options{})
	before := b.dump("runs")
	if r := b.reread(false); r.Changes.Any() || r.Pages < 3 {
		t.Errorf("%+v", r.Changes)
	}
	if got := b.dump("runs"); got != before {
		t.Errorf("it was\n%s\nand is\n%s", before, got)
	}
	t.Setenv("API_KEY", "another key") // the same pages, as if asked with this one
	b.edit(replace(b.text(), "title: h1", "title: p"))
	if r := b.reread(false); r.Changes.Links != 0 {
		t.Errorf("%+v", r.Changes)
	}
	b.want("0", `SELECT count(*) FROM tasks WHERE state = 'pending'`)
	for _, secret := range []string{"hunter2", "another key", "another+key"} {
		b.wantHidden(secret)
	}
}

func TestReadingAgainThatIsInterruptedIsGoneThroughOnceMore(t *testing.T) {
	b := newBench(t, practice.Options{Pages: 400}, replace(keepJob, "{1..3}", "{1..400}"))
	b.run(state.Finished, crawl.Options{})
	b.edit(replace(b.text(), "title: h2", `title: {css: h2, match: 'No\.[0-9]+$'}`))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o := crawl.RereadOptions{Job: b.job, Path: b.path, Version: "test", Watch: func(crawl.RereadProgress) { cancel() }}
	r, err := crawl.ReadAgain(ctx, o)
	if err != nil || r.Ended != state.Interrupted || r.Changes != nil || r.Pages == 0 || r.Pages == 400 {
		t.Fatalf("%+v, %v", r, err)
	}
	b.want("interrupted 0", `SELECT ended, (SELECT instr(text, 'match') FROM job) FROM runs ORDER BY id DESC LIMIT 1`)
	var changed *crawl.ChangedError
	_, err = crawl.Run(context.Background(), context.Background(), crawl.Options{Job: b.job, Path: b.path})
	if !errors.As(err, &changed) {
		t.Errorf("a run goes on with rules that only some records are by: %v", err)
	}
	if c := b.reread(false).Changes; c.Tables[0].Unchanged == 0 || c.Tables[0].Changed == 0 {
		t.Errorf("%+v", c)
	}
	b.want("4000 4000", `SELECT count(*), sum(title LIKE 'No.%') FROM books`)
	b.run(state.Finished, crawl.Options{})
}

// What a fresh run would not have taken for a page is none when it is read again, either.
func TestAStatusThatTheJobNoLongerAcceptsIsAFailure(t *testing.T) {
	text := keepJob + "expect: {status: [200, 404]}\n"
	b := newBench(t, practice.Options{Pages: 2}, text)
	b.run(state.Finished, crawl.Options{})
	b.want("done 404", `SELECT state, status FROM tasks WHERE id = 3`)
	b.edit(keepJob)
	if c := b.reread(false).Changes; c.NowFailed != 1 {
		t.Errorf("%+v", c)
	}
	b.want("failed client", `SELECT state, error_kind FROM tasks WHERE id = 3`)
	b.edit(text)
	if c := b.reread(false).Changes; c.NowDone != 1 {
		t.Errorf("%+v", c)
	}
}

func TestAnotherReasonIsAChange(t *testing.T) {
	text := replace(keepJob, "title: h2", "title: {css: h2, type: TYPE, required: true}")
	b := newBench(t, practice.Options{Pages: 3}, replace(text, "TYPE", "int"))
	b.run(state.Finished, crawl.Options{})
	b.edit(replace(text, "TYPE", "date"))
	c := b.reread(false).Changes
	if !c.Any() || c.Reasons != 3 || c.NowDone+c.NowFailed != 0 || c.Rejects != c.WasRejects {
		t.Errorf("%+v", c)
	}
	b.want("3", `SELECT sum(error LIKE '%is not a date%') FROM tasks`)
	b.want("30", `SELECT sum(reason LIKE '%is not a date%') FROM rejects`)
	if c := b.reread(false).Changes; c.Any() {
		t.Errorf("%+v", c)
	}
}
