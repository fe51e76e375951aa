package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"dogear/internal/practice"
)

// toldEvent is an event of --json, with what any of them has.
type toldEvent struct {
	Event, At, Job, State, Host, Text, Kind, URL, Ended, Error string
	Total, Done, Failed, Left, Records                         int64
	Exit, Attempts                                             int
	New, Complete                                              bool
	Until                                                      *string
	Run                                                        *struct{ Done, Failed, Retried, Records, Rejects int64 }
	Tables                                                     []struct {
		Table   string
		Records int64
	}
	Failures []struct {
		Kind   string
		Status int
		Tasks  int64
	}
}

func faultySite(t *testing.T) (*practice.Process, string) {
	t.Helper()
	p := site(t, practice.Options{Products: 300, Faults: []practice.Fault{
		{Path: "/v1/product/*", Script: "500", Every: 20}, {Path: "/v1/product/7", Script: "500*"},
		{Path: "/v1/product/8", Script: "404*"},
	}})
	return p, writeJob(t, "products.yaml", practice.ProductsJob(p.URL, 300, 16))
}

// runJSON runs `dogear args... --json` and returns the events and what stderr says.
func runJSON(t *testing.T, want int, args ...string) (events []toldEvent, stderr string) {
	t.Helper()
	c := command(t, append(args, "--json")...)
	var out bytes.Buffer
	c.Stdout = &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if code := c.exit(); code != want {
		t.Fatalf("exit %d, want %d; stderr: %s\nstdout: %s", code, want, c.said(), out.String())
	}
	return parseEvents(t, out.String()), c.said()
}

func parseEvents(t *testing.T, text string) (events []toldEvent) {
	t.Helper()
	for line := range strings.Lines(text) {
		var e toldEvent
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		at, err := time.Parse(time.RFC3339, e.At)
		if err != nil || at.Location() != time.UTC || e.Job != "products" || e.Event == "" {
			t.Errorf("the head of an event: %s", line)
		}
		events = append(events, e)
	}
	if len(events) == 0 || events[len(events)-1].Event != "finished" {
		t.Fatalf("the last event is not finished:\n%s", text)
	}
	return events
}

func kinds(events []toldEvent, kind string) (of []toldEvent) {
	for _, e := range events {
		if e.Event == kind {
			of = append(of, e)
		}
	}
	return of
}

func TestTheEventsOfARunAddUp(t *testing.T) {
	_, path := faultySite(t)
	events, stderr := runJSON(t, 3, "run", path, "--every", "100ms")
	if stderr != "" {
		t.Errorf("stderr: %s", stderr)
	}
	started, finished := kinds(events, "started"), events[len(events)-1]
	if len(started) != 1 || !started[0].New || started[0].Total != 300 || started[0].Left != 300 ||
		started[0].State != stateOf(path) {
		t.Errorf("started: %+v", started)
	}
	failures := kinds(events, "failure")
	if len(failures) != 2 || finished.Failed != 2 || finished.Done != 298 || finished.Left != 0 || finished.Exit != 3 {
		t.Errorf("%d failures; finished: %+v", len(failures), finished)
	}
	for _, f := range failures {
		if !strings.HasSuffix(f.URL, "/v1/product/7") && !strings.HasSuffix(f.URL, "/v1/product/8") ||
			f.Error == "" || f.Attempts == 0 {
			t.Errorf("a failure: %+v", f)
		}
	}
	want := "[{client 404 1} {server 500 1}] &{298 2 18 298 0} [{products 298}] finished"
	if got := fmt.Sprintf("%v %v %v %s", finished.Failures, finished.Run, finished.Tables,
		finished.Ended); got != want {
		t.Errorf("finished: %s, want %s", got, want)
	}
	if n := rows(t, stateOf(path), `SELECT retried FROM runs`)[0]; n != fmt.Sprint(finished.Run.Retried) {
		t.Errorf("the file says %s retried", n)
	}
	for _, p := range kinds(events, "progress") {
		if p.Done+p.Failed+p.Left != p.Total || p.Total != 300 {
			t.Errorf("progress: %+v", p)
		}
	}
	again, _ := runJSON(t, 3, "run", path)
	if s := again[0]; len(again) != 2 || s.New || !s.Complete || again[1].Run.Done != 0 || again[1].Done != 298 {
		t.Errorf("the second run: %+v", again)
	}
}

func TestAProgramHearsOfHostsAndOfProgress(t *testing.T) {
	p := site(t, practice.Options{Products: 30, Faults: []practice.Fault{{Path: "/v1/product/5", Script: "429:2"}}})
	path := writeJob(t, "products.yaml", practice.ProductsJob(p.URL, 30, 4))
	events, _ := runJSON(t, 0, "run", path, "--rate", "20/s", "--every", "200ms")
	states := ""
	for _, h := range kinds(events, "host") {
		states += h.State + " "
		if "http://"+h.Host != p.URL || h.State == "waiting" && (h.Until == nil || !strings.Contains(h.Text,
			"as it asked")) {
			t.Errorf("%+v", h)
		}
	}
	if !strings.HasPrefix(states, "waiting ") { // and slowed after it, if it is looked at in time
		t.Errorf("the states of the host: %s", states)
	}
	progress := kinds(events, "progress")
	if len(progress) < 2 {
		t.Errorf("%d events of progress in some seconds", len(progress))
	}
	for i := 1; i < len(progress); i++ {
		if progress[i].Done < progress[i-1].Done || progress[i].At <= progress[i-1].At {
			t.Errorf("%+v after %+v", progress[i], progress[i-1])
		}
	}
}

func TestTheLastEventHasTheExitCodeHoweverARunEnds(t *testing.T) {
	p := slowSite(t)
	path := slowJob(t, p)
	c := command(t, "run", path, "--json")
	var out bytes.Buffer
	c.Stdout = &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	whenDone(t, c, stateOf(path), 10)
	locked, stderr := runJSON(t, 4, "run", path)
	last := locked[len(locked)-1]
	if last.Ended != "failed" || last.Exit != 4 || !strings.Contains(last.Error, "pid") || !strings.Contains(stderr,
		last.Error) {
		t.Errorf("%+v; stderr: %s", last, stderr)
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := c.exit(); code != 130 {
		t.Fatalf("exit %d: %s", code, c.said())
	}
	events := parseEvents(t, out.String())
	if last := events[len(events)-1]; last.Ended != "interrupted" || last.Exit != 130 || last.Left == 0 ||
		last.Run.Done != last.Done {
		t.Errorf("%+v", last)
	}
	stopped, _ := runJSON(t, 0, "run", path, "--limit", "5")
	if last := stopped[len(stopped)-1]; last.Ended != "stopped" || last.Run.Done != 5 {
		t.Errorf("%+v", last)
	}
}
