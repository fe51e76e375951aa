package export_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"dogear/export"
	"dogear/schema"
	"dogear/state"
)

var noon = time.UnixMilli(1_796_000_000_000)

// crawled is a state file whose run goes on.
type crawled struct {
	testing.TB
	run     *state.Run
	store   *state.Store
	path    string
	waiting []state.Task
}

// urlOf is the URL of number n.
func urlOf(n int64) string { return fmt.Sprintf("http://127.0.0.1/商品?id=%d&a=<b>", n) }

// crawl begins a run over the numbers 1..n, all of which are claimed.
func crawl(t testing.TB, n int64, mirrors ...*state.Mirror) *crawled {
	t.Helper()
	c := &crawled{TB: t, path: filepath.Join(t.TempDir(), "job.db")}
	c.open(n, mirrors...)
	return c
}

func (c *crawled) open(n int64, mirrors ...*state.Mirror) {
	c.Helper()
	start := state.Start{Entry: "ids", Total: n, Request: func(i int64) schema.Request {
		return schema.Request{URL: urlOf(i + 1), Page: "page"}
	}}
	run, err := state.OpenRun(c.Context(), state.RunOptions{Path: c.path, Name: "job", Version: "test",
		Starts: []state.Start{start}, Mirrors: mirrors}, noon)
	if err != nil {
		c.Fatal(err)
	}
	c.run = run
	c.Cleanup(func() { run.Close(context.Background(), noon, state.Interrupted) })
	if c.store, err = state.Open(c.Context(), c.path); err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() { c.store.Close() })
	for {
		tasks, err := run.Commit(c.Context(), noon, nil, 1000)
		if err != nil {
			c.Fatal(err)
		}
		if c.waiting = append(c.waiting, tasks...); len(tasks) == 0 {
			return
		}
	}
}

// finish lands the next n tasks: every fifth number fails.
func (c *crawled) finish(n int) {
	c.Helper()
	for n > 0 {
		group := make([]state.Outcome, 0, state.GroupSize)
		for _, t := range c.waiting[:min(n, state.GroupSize)] {
			o := state.Outcome{Task: t, State: state.Done, Attempts: 1, Status: 200, At: noon}
			if t.ID%5 == 0 && !t.Again {
				o.State, o.Kind, o.Status = state.Failed, "client", 404
			}
			group = append(group, o)
		}
		if _, err := c.run.Commit(c.Context(), noon, group, 0); err != nil {
			c.Fatal(err)
		}
		c.waiting, n = c.waiting[len(group):], n-len(group)
	}
}

// numbered is the checkpoint of a job whose range is the numbers of urlOf; page is what it says of itself.
func numbered(page int64) *export.Checkpoint {
	return &export.Checkpoint{Job: "job",
		Page: func(context.Context, *state.Store) (*int64, error) { return &page, nil },
		Value: func(url string) (v int64, ok bool) {
			n, err := fmt.Sscanf(url, "http://127.0.0.1/商品?id=%d", &v)
			return v, n == 1 && err == nil
		}}
}

func TestACheckpointAsJSONHasTheFourKeysAndEscapesNothingWithoutNeed(t *testing.T) {
	c := crawl(t, 6)
	c.finish(6)
	var out bytes.Buffer
	if err := numbered(5).JSON(c.Context(), c.store, nil, noon, &out); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Page     *int64   `json:"current_page"`
		Finished []string `json:"finished_urls"`
		Failed   []string `json:"fail_urls"`
		Updated  string   `json:"update_time"`
	}
	d := json.NewDecoder(&out)
	text := out.String()
	d.DisallowUnknownFields()
	if err := d.Decode(&got); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if *got.Page != 5 || len(got.Finished) != 5 || got.Finished[4] != urlOf(6) ||
		len(got.Failed) != 1 || got.Failed[0] != urlOf(5) {
		t.Errorf("%+v", got)
	}
	if at, err := time.Parse(time.RFC3339, got.Updated); err != nil || !at.Equal(noon.Truncate(time.Second)) {
		t.Errorf("update_time %q: %v", got.Updated, err)
	}
	if !strings.Contains(text, urlOf(3)) {
		t.Errorf("escaped: %s", text)
	}
}

func TestACheckpointOfNothingIsWholeToo(t *testing.T) {
	c := crawl(t, 1)
	var out bytes.Buffer
	none := &export.Checkpoint{Job: "job", Page: func(context.Context, *state.Store) (*int64, error) { return nil, nil }}
	if err := none.JSON(c.Context(), c.store, nil, noon, &out); err != nil {
		t.Fatal(err)
	}
	got := strings.Join(strings.Fields(out.String()), "")
	const want = `{"current_page":null,"finished_urls":[],"fail_urls":[],"update_time":"`
	if !strings.HasPrefix(got, want) || !json.Valid(out.Bytes()) {
		t.Errorf("%s", got)
	}
}

func TestRecordsStandInTheSameFileByTable(t *testing.T) {
	table := allTypes()
	s := kept(t, table, things...)
	var out bytes.Buffer
	if err := numbered(1).JSON(t.Context(), s, []*schema.Table{table}, noon, &out); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Records map[string][]map[string]json.RawMessage `json:"records"`
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("%v in %s", err, &out)
	}
	rows := got.Records["things"]
	if len(rows) != 2 || string(rows[0]["id"]) != "9007199254740993" ||
		string(rows[0]["price"]) != "1234567890123456789012345678.90" {
		t.Errorf("%s", &out)
	}
}

func TestWritersOfOneFileTakeTurns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint.json")
	leftover := filepath.Join(filepath.Dir(path), ".checkpoint.json.17.part")
	if err := os.WriteFile(leftover, []byte("half"), 0o644); err != nil {
		t.Fatal(err)
	}
	var busy sync.Mutex
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			err := export.ToFileInTurn(t.Context(), path, func(w io.Writer) error {
				if !busy.TryLock() {
					return errors.New("two write at once")
				}
				defer busy.Unlock()
				_, err := fmt.Fprint(w, i)
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 2 {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestAWriterWaitsForItsTurnNoLongerThanItMay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint.json")
	ctx, cancel := context.WithCancel(t.Context())
	err := export.ToFileInTurn(t.Context(), path, func(io.Writer) error {
		cancel()
		return export.ToFileInTurn(ctx, path, func(io.Writer) error { return nil })
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
