package export_test

import (
	"strings"
	"testing"

	"dogear/export"
	"dogear/internal/testenv"
	"dogear/state"
)

// failed does one task that fails.
func (b *book) failed() {
	b.t.Helper()
	tasks, err := b.run.Commit(b.t.Context(), b.now, nil, 1)
	if err != nil || len(tasks) != 1 {
		b.t.Fatalf("%d tasks, %v", len(tasks), err)
	}
	o := state.Outcome{Task: tasks[0], State: state.Failed, Attempts: 2, Status: 503, Kind: "server", Error: "503 🐶'\\", At: b.now}
	if _, err := b.run.Commit(b.t.Context(), b.now, []state.Outcome{o}, 0); err != nil {
		b.t.Fatal(err)
	}
}

func TestHowTheTasksStandIsSentWithState(t *testing.T) {
	b := newBook(t, items())
	b.pages(2, item)
	b.failed()
	page := int64(3)
	o := b.options()
	o.States, o.CurrentPage = true, &page
	for range 2 {
		if _, err := b.send(o); err != nil {
			t.Fatal(err)
		}
	}
	for query, want := range map[string]string{
		`SELECT COUNT(*) FROM crawl_tasks WHERE task_name = 'job'`:                                                                             "1000",
		`SELECT GROUP_CONCAT(CONCAT_WS(' ', state, n) ORDER BY state) FROM (SELECT state, COUNT(*) AS n FROM crawl_tasks GROUP BY state) AS t`: "done 2,failed 1,pending 997",
		`SELECT CONCAT_WS('|', url, page, method, attempts, status, error_kind, error, created_at) FROM crawl_tasks WHERE id = 3`:              `http://127.0.0.1/2,x|page|GET|2|503|server|503 🐶'\|2026-11-30 00:53:20.123`,
		`SELECT finished_at FROM crawl_tasks WHERE id = 1`:                                                                                     "2026-11-30 00:53:20.124",
		`SELECT CONCAT_WS('|', current_page, finished_urls, fail_urls) FROM crawl_breakpoint WHERE task_name = 'job'`:                          "3|http://127.0.0.1/0,x,http://127.0.0.1/1,x|http://127.0.0.1/2,x",
	} {
		if got := b.query1(query); got != want {
			t.Errorf("%s\ngives %q, want %q", query, got, want)
		}
	}
	if page := b.query1(`SELECT ABS(TIMESTAMPDIFF(SECOND, update_time, UTC_TIMESTAMP())) < 3600 FROM crawl_breakpoint`); page != "1" {
		t.Error("update_time is not UTC")
	}
	b.exec(`INSERT INTO crawl_tasks (task_name, id, url, state) VALUES ('job', 1001, 'x', 'done'), ('other', 1001, 'x', 'done')`)
	o.CurrentPage = nil
	if _, err := b.send(o); err != nil {
		t.Fatal(err)
	}
	if got := b.query1(`SELECT GROUP_CONCAT(task_name) FROM crawl_tasks WHERE id > 1000`); got != "other" {
		t.Errorf("of tasks that the state file does not have, %s is left", got)
	}
	if got := b.query1(`SELECT COUNT(*) FROM crawl_breakpoint WHERE current_page IS NULL`); got != "1" {
		t.Error("current_page is left of an earlier export")
	}
}

// The table of a script that kept its checkpoint there is taken as it is.
func TestTheCheckpointOfAScriptIsKeptUpToDate(t *testing.T) {
	b := newBook(t, items())
	b.create(`CREATE TABLE crawl_breakpoint (id INT AUTO_INCREMENT PRIMARY KEY, task_name VARCHAR(100) NOT NULL UNIQUE, current_page INT DEFAULT 1,
		finished_urls TEXT, fail_urls TEXT, update_time DATETIME DEFAULT CURRENT_TIMESTAMP) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`)
	b.exec(`INSERT INTO crawl_breakpoint (task_name, current_page) VALUES ('job', 7)`)
	b.page([]any{int64(1), "x"})
	page := int64(2)
	o := b.options()
	o.States, o.CurrentPage = true, &page
	if _, err := b.send(o); err != nil {
		t.Fatal(err)
	}
	if got := b.query1(`SELECT CONCAT_WS('|', id, task_name, current_page, finished_urls) FROM crawl_breakpoint`); got != "1|job|2|http://127.0.0.1/0,x" {
		t.Errorf("the row is %s", got)
	}
}

func TestACheckpointBeyondThePacketOfTheServerIsAnErrorThatSaysSo(t *testing.T) {
	admin := testenv.MySQL(t).Open(t)
	defer admin.Close()
	if _, err := admin.Exec(`SET GLOBAL max_allowed_packet = 16384`); err != nil {
		t.Fatal(err)
	}
	defer admin.Exec(`SET GLOBAL max_allowed_packet = DEFAULT`)
	b := newBook(t, items())
	b.pages(900, func(task int64) [][]any { return nil })
	o := b.options()
	o.States = true
	_, err := b.send(o)
	if err == nil || export.MySQLAway(err) || !strings.Contains(err.Error(), "crawl_breakpoint was not written") || !strings.Contains(err.Error(), "(16384)") {
		t.Errorf("error %v", err)
	}
	if got := b.query1(`SELECT COUNT(*) FROM crawl_tasks WHERE state = 'done'`); got != "900" {
		t.Errorf("%s tasks are done there", got)
	}
}
