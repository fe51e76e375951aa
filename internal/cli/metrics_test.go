package cli_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"dogear/internal/practice"
	"dogear/internal/testenv"
)

// watched is a run that shows itself.
type watched struct {
	*testing.T
	*crawler
	url string // of the page, without the last slash
}

var pageAddress = regexp.MustCompile(`page (http://\S+)/, metrics`)

// watch starts `dogear args... --metrics` on a port that is free, and returns when it says where the page is.
func watch(t *testing.T, args ...string) *watched {
	t.Helper()
	w := &watched{T: t, crawler: start(t, append(args, "--metrics", "127.0.0.1:0")...)}
	over := make(chan struct{})
	go func() { defer close(over); w.wait() }()
	for {
		if m := pageAddress.FindStringSubmatch(w.said()); m != nil {
			w.url = m[1]
			return w
		}
		select {
		case <-over:
			t.Fatalf("it ended without a word of its page; it said:\n%s", w.said())
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// get returns what stands at a path.
func (w *watched) get(path string) string {
	w.Helper()
	r, err := http.Get(w.url + path)
	if err != nil {
		w.Fatalf("%v; the run said:\n%s", err, w.said())
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		w.Fatalf("%s: %s, %v: %s", path, r.Status, err, text)
	}
	return string(text)
}

// moment is what the tests read of an event.
type moment struct {
	Ended                   string
	Done, Failed, Pending   int64
	InFlight                int64 `json:"in_flight"`
	Records, Active, Total  int64
	Failures, Recent, Hosts []map[string]any
	Tables                  []struct {
		Table string
		Rows  [][]*string
	}
	Trouble string
}

// listen reads events until one says what is waited for, and returns it and its name.
func (w *watched) listen(says func(moment) bool) (m moment, name string) {
	w.Helper()
	r, err := http.Get(w.url + "/events")
	if err != nil {
		w.Fatal(err)
	}
	defer r.Body.Close()
	lines := bufio.NewScanner(r.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if n, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			name = n
		}
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		m = moment{}
		if err := json.Unmarshal([]byte(data), &m); err != nil {
			w.Fatalf("%v: %s", err, data)
		}
		if m.Trouble != "" {
			w.Errorf("the page could not read something: %s", m.Trouble)
		}
		if says(m) {
			return m, name
		}
	}
	w.Fatalf("the events ended (%v) without what was waited for; the last: %+v; the run said:\n%s",
		lines.Err(), m, w.said())
	return m, name
}

// heldSites are two. What is asked of the second is put off for ten minutes, so that a run stays when all else is done
// and every number stands still.
func heldSites(t *testing.T, o practice.Options) (first, second *practice.Server) {
	t.Helper()
	serve := func(o practice.Options) *practice.Server {
		s, err := practice.Start(o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		return s
	}
	return serve(o), serve(practice.Options{Faults: []practice.Fault{{Path: "/v1/product/*", Script: "429:600*"}}})
}

const heldJob = `
start: ["FIRST/v1/product/{1..40}", "SECOND/v1/product/1"]
rate: 1000/s
retry: {attempts: 2, delay: 1ms, max_delay: 5ms}
limits: {failures: 100%}
records:
  table: products
  key: id
  fields:
    id:    {json: $.id, type: int}
    name:  {json: $.name}
    stock: {json: $.stock, type: int, max: 100, required: true}
`

// held runs until all but one task has ended.
func held(t *testing.T, o practice.Options) (w *watched, first, second *practice.Server) {
	t.Helper()
	first, second = heldSites(t, o)
	text := strings.NewReplacer("FIRST", first.URL, "SECOND", second.URL).Replace(heldJob)
	w = watch(t, "run", writeJob(t, "held.yaml", text))
	w.listen(func(m moment) bool { return m.Done+m.Failed == 40 && m.Pending == 1 })
	return w, first, second
}

// signal is a Ctrl-C.
func (w *watched) signal() {
	w.Helper()
	if err := w.Process.Signal(os.Interrupt); err != nil {
		w.Fatal(err)
	}
}

// interrupted waits for the end of a run that had a Ctrl-C.
func (w *watched) interrupted() {
	w.Helper()
	if code := w.exit(); code != 130 {
		w.Errorf("exit %d, want 130; it said:\n%s", code, w.said())
	}
}

func TestWhoListensHearsHowTheRunEnded(t *testing.T) {
	s, err := practice.Start(practice.Options{Products: 30, Delay: 5 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	w := watch(t, "run", writeJob(t, "products.yaml", practice.ProductsJob(s.URL, 30, 2)))
	m, name := w.listen(func(m moment) bool { return m.Ended != "" })
	if name != "finished" || m.Ended != "finished" || m.Done != 30 || m.Pending+m.InFlight+m.Active != 0 ||
		m.Records != 30 {
		t.Errorf("event %q: %+v", name, m)
	}
	if code := w.exit(); code != 0 {
		t.Errorf("exit %d; it said:\n%s", code, w.said())
	}
}

func TestAnInterruptedRunSaysSoAndWhatItLeaves(t *testing.T) {
	w, _, _ := held(t, practice.Options{})
	told := false
	m, name := w.listen(func(m moment) bool {
		if !told {
			told = true
			w.signal()
		}
		return m.Ended != ""
	})
	if name != "finished" || m.Ended != "interrupted" || m.Done+m.Failed != 40 || m.Pending != 1 || m.InFlight != 0 {
		t.Errorf("event %q: %+v", name, m)
	}
	w.interrupted()
}

func TestAnAddressThatIsTakenEndsTheRunBeforeItBegins(t *testing.T) {
	taken := strings.TrimPrefix(practiceAt(t), "http://")
	path := writeJob(t, "products.yaml", practice.ProductsJob("http://"+testenv.Refusing(t), 3, 1))
	c := dogearRun(t, 1, "run", path, "--metrics", taken)
	if said := c.said(); !strings.Contains(said, "can't listen on "+taken+": ") ||
		!strings.Contains(said, "another port") {
		t.Errorf("it said:\n%s", said)
	}
	if _, err := os.Stat(stateOf(path)); err == nil {
		t.Error("it began all the same: there is a state file")
	}
}

// practiceAt is an address that somebody listens at.
func practiceAt(t *testing.T) string {
	s, err := practice.Start(practice.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s.URL
}

func TestAnAddressThatEverybodyCanReachIsWarnedAbout(t *testing.T) {
	path := writeJob(t, "products.yaml", practice.ProductsJob(practiceAt(t), 3, 1))
	c := dogearRun(t, 0, "run", path, "--metrics", "0.0.0.0:0")
	if said := c.said(); !strings.Contains(said, "anybody who can reach 0.0.0.0:") ||
		!strings.Contains(said, "page http://127.0.0.1:") {
		t.Errorf("it said:\n%s", said)
	}
	c = dogearRun(t, 0, "run", path, "--metrics", "0")
	if said := c.said(); !strings.Contains(said, "page http://127.0.0.1:") || strings.Contains(said, "anybody") {
		t.Errorf("of a port alone it said:\n%s", said)
	}
}
