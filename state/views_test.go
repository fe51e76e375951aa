package state_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"dogear/schema"
	"dogear/state"
)

// shell runs the sqlite3 shell on the file as a user does.
func (f *file) shell(query string) string {
	f.Helper()
	program, err := exec.LookPath("sqlite3")
	if err != nil {
		if os.Getenv("CI") == "true" {
			f.Fatal("the sqlite3 shell is needed here: ", err)
		}
		f.Skip("no sqlite3 shell here")
	}
	shell := exec.Command(program, f.path)
	shell.Stdin = strings.NewReader(query)
	out, err := shell.CombinedOutput()
	if err != nil {
		f.Fatalf("sqlite3: %v: %s", err, out)
	}
	return strings.TrimSpace(string(out))
}

func TestTheViewsReadWellInTheShellWhileARunIsOn(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(productStart(10)))
	tasks := f.commit(run, 6)
	at := func(ms int) time.Time { return epoch.Add(time.Duration(ms) * time.Millisecond) }
	ok := done(tasks[0])
	ok.At = at(2500)
	ok.Failures = []state.Attempt{{Number: 1, At: at(1250), Status: 503, Kind: "server", Error: "503 Service Unavailable", Took: 9 * time.Millisecond}}
	ok.Attempts = 2
	lost := failed(tasks[1], "network", 0)
	gone, gone2 := failed(tasks[2], "client", 404), failed(tasks[3], "client", 404)
	gone.At, gone2.At = at(4000), at(3000)
	gone2.Failures[0].At = at(3000)
	gone.Failures[0].At = at(4000)
	f.commit(run, 0, ok, lost, gone, gone2)

	for _, c := range []struct{ query, want string }{
		{`SELECT total, pending, in_flight, done, failed, percent FROM progress`, "10|4|2|1|3|40.0"},
		{`SELECT * FROM failures`, "client|404|2|http://127.0.0.1:8080/v1/product/3|it was client|2026-02-02 02:40:04\n" +
			"network||1|http://127.0.0.1:8080/v1/product/2|it was network|2026-02-02 02:40:00"},
		{`SELECT * FROM recent`, lines(
			"2026-02-02 02:40:04.000|3|1|client|404|1|http://127.0.0.1:8080/v1/product/3|it was client",
			"2026-02-02 02:40:03.000|4|1|client|404|1|http://127.0.0.1:8080/v1/product/4|it was client",
			"2026-02-02 02:40:02.500|1|2|done|200|2|http://127.0.0.1:8080/v1/product/1|",
			"2026-02-02 02:40:01.250|1|1|server|503|9|http://127.0.0.1:8080/v1/product/1|503 Service Unavailable",
			"2026-02-02 02:40:00.000|2|1|network||1|http://127.0.0.1:8080/v1/product/2|it was network")},
		{`SELECT state, count(*) FROM tasks GROUP BY state`, "done|1\nfailed|3\nin-flight|2\npending|4"},
		{`SELECT url FROM tasks WHERE key = 'GET http://127.0.0.1:8080/v1/product/7'`, "http://127.0.0.1:8080/v1/product/7"},
		{`PRAGMA integrity_check`, "ok"},
		{`PRAGMA journal_mode`, "wal"},
	} {
		if got := f.shell(c.query); got != c.want {
			t.Errorf("%s shows\n%s\nwant\n%s", c.query, got, c.want)
		}
	}
	f.commit(run, 1) // the shell kept nothing from going on
}

func TestTheShellUnderstandsEveryStatementOfTheSchema(t *testing.T) {
	f := newFile(t)
	for _, text := range schema.Migrations() {
		f.shell(text)
	}
	if got := f.shell(`SELECT * FROM progress; SELECT * FROM failures; SELECT * FROM recent`); got != "0|0|0|0|0|0.0|0.0|0" {
		t.Errorf("an empty file shows %q", got)
	}
}

func TestTheViewRecentShowsTheLastThirtyAndNoMore(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(productStart(100)))
	tasks := f.commit(run, 100)
	for i, task := range tasks {
		o := done(task)
		if i%2 == 0 {
			o = failed(task, "client", 404)
			o.Failures[0].At = epoch.Add(time.Duration(i) * time.Second)
		}
		o.At = epoch.Add(time.Duration(i) * time.Second)
		f.commit(run, 0, o)
	}
	f.want(`SELECT count(*), max(task) FROM recent`, "30|100")
	f.want(`SELECT count(*) FROM (SELECT task FROM recent WHERE task > 80)`, "20")
	f.close(run, state.Interrupted)
	f.agree(f.open(f.with(productStart(100))))
	f.want(`SELECT max(task) FROM recent WHERE outcome = 'done'`, "100")
}
