package crawl_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"dogear/crawl"
	"dogear/internal/practice"
	"dogear/state"
)

const keepJob = `
start: SITE/page/{1..3}
rate: none
retry: {attempts: 2, delay: 1ms, max_delay: 1ms}
records: {table: books, each: .item, key: url, fields: {url: {css: a@href, type: url}, title: h2}}
keep: body
`

// keptBody unpacks the page that is kept for a task.
func (b *bench) keptBody(task int64) string {
	b.Helper()
	db := b.open()
	defer db.Close()
	var packed []byte
	if err := db.QueryRow(`SELECT body FROM page_bodies WHERE task = ?`, task).Scan(&packed); err != nil {
		b.Fatal(err)
	}
	d, err := zstd.NewReader(nil)
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	body, err := d.DecodeAll(packed, nil)
	if err != nil {
		b.Fatal(err)
	}
	return string(body)
}

// served is what the site answers.
func (b *bench) served(path string) string {
	b.Helper()
	answer, err := http.Get(b.site.URL + path)
	if err != nil {
		b.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		b.Fatal(err)
	}
	return string(body)
}

func TestPagesOfAKindWithKeepAreKept(t *testing.T) {
	redirect := []practice.Fault{{Path: "/page/2", Script: "redirect:/page/3"}}
	b := newBench(t, practice.Options{Pages: 3, Faults: redirect}, keepJob)
	b.run(state.Finished, crawl.Options{})
	b.want("3 3", `SELECT count(*), sum(at = finished_at) FROM page_bodies b JOIN tasks t ON t.id = b.task`)
	if b.keptBody(1) != b.served("/page/1") {
		t.Error("page 1 is not what the site serves")
	}
	b.want(b.site.URL+"/page/3 200 text/html; charset=utf-8 utf-8",
		`SELECT url, status, content_type, charset FROM page_bodies WHERE task = 2`)
	b.want(b.site.URL+"/page/1", `SELECT url FROM page_bodies WHERE task = 1`)
	b.want(fmt.Sprint(len(b.served("/page/1"))), `SELECT size FROM page_bodies WHERE task = 1`)

	b.edit(replace(keepJob, "keep: body", ""))
	b.run(state.Finished, crawl.Options{Refresh: &crawl.Refresh{}})
	b.want("0", `SELECT count(*) FROM page_bodies`)
}

// Those that the rules could do nothing with are the ones that other rules are written for.
func TestPagesThatFailedByTheRulesAreKeptAndOthersAreNot(t *testing.T) {
	b := newBench(t, practice.Options{Pages: 3, Faults: []practice.Fault{
		{Path: "/page/1", Script: "captcha*"}, {Path: "/page/3", Script: "404*"},
	}}, keepJob+"expect: {absent: 'form#captcha'}\n")
	b.run(state.Finished, crawl.Options{})
	b.want("blocked done client", `SELECT group_concat(coalesce(error_kind, state), ' ') FROM tasks`)
	b.want("1,2", `SELECT group_concat(task) FROM page_bodies`)
	if !strings.Contains(b.keptBody(1), "captcha") {
		t.Error("the page that was blocked is another")
	}
}

func TestAKeptPageIsReplacedByALaterAnswer(t *testing.T) {
	faults := []practice.Fault{{Path: "/page/1", Script: "redirect:/page/2,ok,500*"}}
	b := newBench(t, practice.Options{Pages: 3, Faults: faults}, keepJob)
	b.run(state.Finished, crawl.Options{})
	b.run(state.Finished, crawl.Options{Refresh: &crawl.Refresh{}})
	b.want("3 "+b.site.URL+"/page/1", `SELECT count(*), (SELECT url FROM page_bodies WHERE task = 1) FROM page_bodies`)
	b.run(state.Finished, crawl.Options{Refresh: &crawl.Refresh{}})
	b.want("failed 0", `SELECT state, at = finished_at FROM tasks JOIN page_bodies ON task = id WHERE id = 1`)
}

func TestSecretsInKeptPagesAreHidden(t *testing.T) {
	t.Setenv("API_KEY", "hunter2 hunter2")
	t.Setenv("TOKEN", "swordfish")
	echo := echoing(t)
	b := newBench(t, practice.Options{}, replace(`
start: "ECHO/?api_key=${API_KEY}"
request: {headers: {X-Token: "${TOKEN}"}}
rate: none
robots: ignore
records: {table: books, fields: {title: h1}}
keep: body
`, "ECHO", echo))
	b.run(state.Finished, crawl.Options{})
	b.want("1 1", `SELECT count(*), instr(url, '${API_KEY}') > 0 FROM page_bodies`)
	body := b.keptBody(1)
	if strings.Contains(body, "hunter2") || strings.Contains(body, "swordfish") || !strings.Contains(body, "${TOKEN}") {
		t.Errorf("%q", body)
	}
	b.wantHidden("hunter2")
	b.wantHidden("swordfish")
}

// text is the job as it is.
func (b *bench) text() string { return string(b.job.Text) }
