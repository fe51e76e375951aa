package monitor

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"dogear/schema"
	"dogear/state"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// desk is a monitor of a run whose numbers the test says.
type desk struct {
	*testing.T
	*Monitor
	figures atomic.Pointer[Figures]
	hosts   atomic.Pointer[[]Host]
	looks   atomic.Int64 // how often somebody asked for the hosts
	reads   atomic.Int64 // how often somebody asked for the status
	client  http.Client
}

// hostile is what a site, or who wrote the job, may come up with.
const hostile = `</title><script>alert("x")</script>&amp;`

// show makes a state file with a done task, a failed one and a record, and shows it.
func show(t *testing.T) *desk {
	t.Helper()
	path := filepath.Join(t.TempDir(), "job.db")
	tables := filled(t, path)
	m, err := Listen(t.Context(), Options{Address: "0", Job: hostile, Version: "1.2.3"})
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{T: t, Monitor: m}
	d.figures.Store(&Figures{Counts: state.Counts{Pending: 7, Ahead: 1, Done: 1, Failed: 1}, Active: 2, Limit: 16})
	d.hosts.Store(&[]Host{})
	err = m.Show(Run{
		Path: path, Tables: tables, Began: time.Now(),
		Figures: func() Figures { return *d.figures.Load() },
		Hosts:   func() []Host { d.looks.Add(1); return *d.hosts.Load() },
		Status:  func(context.Context) (any, error) { d.reads.Add(1); return map[string]string{"job": hostile}, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.client.CloseIdleConnections)
	t.Cleanup(d.close)
	return d
}

// close ends it as a run that has finished.
func (d *desk) close() {
	select {
	case <-d.over:
		return
	default:
	}
	if err := d.Close(End{How: state.Finished, Figures: *d.figures.Load()}); err != nil {
		d.Error(err)
	}
}

func filled(t *testing.T, path string) []*schema.Table {
	t.Helper()
	table := &schema.Table{Name: "things", Fields: []schema.Field{
		{Name: "name"}, {Name: "n", Type: schema.Type{Kind: schema.Int}},
		{Name: "at", Type: schema.Type{Kind: schema.Datetime}},
	}}
	if err := table.Compile(); err != nil {
		t.Fatal(err)
	}
	ctx, now := context.Background(), time.UnixMilli(1_700_000_000_000)
	request := func(i int64) schema.Request {
		return schema.Request{URL: fmt.Sprintf("http://site.example/%d%s", i, hostile), Page: "p"}
	}
	run, err := state.OpenRun(ctx, state.RunOptions{
		Path: path, Name: "job", Text: []byte("x"), Tables: []*schema.Table{table}, Version: "1",
		Pages:  []state.Page{{Name: "p", Keeps: []string{"things"}}},
		Starts: []state.Start{{Entry: "e", Total: 2, Request: request}},
	}, now)
	if err != nil {
		t.Fatal(err)
	}
	tasks, err := run.Commit(ctx, now, nil, 2)
	if err != nil || len(tasks) != 2 {
		t.Fatal(tasks, err)
	}
	good := state.Outcome{Task: tasks[0], State: state.Done, Attempts: 1, Status: 200, At: now, Rows: []schema.Row{
		{Table: table, Values: []any{hostile, int64(9007199254740993), now.UnixMilli()}},
		{Table: table, Values: []any{strings.Repeat("é", 300), nil, nil}}}}
	bad := state.Outcome{Task: tasks[1], State: state.Failed,
		Attempts: 1, Status: 500, Kind: "server", Error: hostile, At: now,
		Failures: []state.Attempt{{Number: 1, At: now, Status: 500, Kind: "server", Error: hostile}}}
	if _, err := run.Commit(ctx, now, []state.Outcome{good, bad}, 0); err != nil {
		t.Fatal(err)
	}
	if err := run.Close(ctx, now, state.Interrupted); err != nil {
		t.Fatal(err)
	}
	return []*schema.Table{table}
}

// request sends one and returns the answer with its body; change may be nil.
func (d *desk) request(method, path string, change func(*http.Request)) (*http.Response, string) {
	d.Helper()
	r, err := http.NewRequestWithContext(d.Context(), method, strings.TrimSuffix(d.URL(), "/")+path, nil)
	if err != nil {
		d.Fatal(err)
	}
	if change != nil {
		change(r)
	}
	answer, err := d.client.Do(r)
	if err != nil {
		d.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		d.Fatal(err)
	}
	return answer, string(body)
}
