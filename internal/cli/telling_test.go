package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"dogear/crawl"
	"dogear/crawl/fetch"
	"dogear/internal/practice"
	"dogear/state"
)

func TestARunThatTellsEverythingLeavesNoGoroutine(t *testing.T) {
	site, err := practice.Start(practice.Options{Products: 40, Faults: []practice.Fault{{Path: "/v1/product/7",
		Script: "404*"}}})
	if err != nil {
		t.Fatal(err)
	}
	before := goleak.IgnoreCurrent() // the site's
	dir := t.TempDir()
	path := filepath.Join(dir, "products.yaml")
	if err := os.WriteFile(path, []byte(practice.ProductsJob(site.URL, 40, 4)), 0o600); err != nil {
		t.Fatal(err)
	}
	o := runOptions{target: locate(path, ""), every: 100 * time.Millisecond, json: true,
		log: logOptions{dir: filepath.Join(dir, "logs")}}
	var out, errs bytes.Buffer
	for _, want := range []int{exitSomeFailed, exitError} {
		err := runJob(t.Context(), Streams{Out: &out, Err: &errs}, o, nil)
		if got := exitCode(err, &errs); got != want {
			t.Errorf("exit %d, want %d: %v %s", got, want, err, errs.String())
		}
		if err := os.Remove(locate(path, "").statePath); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(locate(path, "").statePath, 0o700); err != nil { // which no run can open
			t.Fatal(err)
		}
	}
	site.Close() // with the connections that its handlers wait on
	goleak.VerifyNone(t, before)
	if !strings.Contains(out.String(), `"event":"finished"`) {
		t.Errorf("%s", out.String())
	}
}

func TestOnATerminalTheFirstFailuresOfEachKindAreShownAndThenWhereTheOthersAre(t *testing.T) {
	var out bytes.Buffer
	p := newPeople(&out, screen{width: 80, terminal: true}, "products", locate("products.yaml", ""))
	fail := func(kind string, n int) {
		for range n {
			task := state.Task{URL: "http://shop.example/a/very/long/path/to/a/product/with/an/id/" + kind}
			p.landed([]state.Outcome{{Task: task, State: state.Failed, Kind: kind, Error: "it was \x1b[2J" + kind},
				{State: state.Done}},
				func(url string) string { return url })
		}
	}
	fail("server", 2)
	fail("client", 6)
	fail("server", 30)
	p.warn("a warning that is long enough that it has to be broken somewhere on a terminal of 80 columns")
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if n := len(lines); n != 3+3+2*2+2 {
		t.Errorf("%d lines:\n%s", n, out.String())
	}
	for _, line := range lines {
		if cellWidth(line) > 80 || strings.Contains(line, "\x1b") {
			t.Errorf("%d: %q", cellWidth(line), line)
		}
	}
	flat := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{
		"ERR server http://s",
		"ERR more client failures are counted, not shown: dogear failures products.yaml --kind client",
		"/with/an/id/client it was \ufffd[2Jclient", "WRN a warning that is long",
	} {
		if n := strings.Count(flat, want); n == 0 {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

func TestAHostIsToldWhenItsStateChangesAndWhenItIsWellAgain(t *testing.T) {
	known := hostChanges{}
	hosts := badHosts()
	states := func() (all []string) {
		for _, c := range known.since(hosts, noon) {
			all = append(all, c.host+" "+c.state)
		}
		return all
	}
	want := "slow.example slowed, none.example slowed, api.example.com waiting, " +
		"ban.example refusing, away.example:8080 away"
	if got := strings.Join(states(), ", "); got != want {
		t.Errorf("%s", got)
	}
	if again := states(); again != nil {
		t.Errorf("the same again: %q", again)
	}
	hosts[5].Outage, hosts[3].Until, hosts[1].Lowered = fetch.Outage{}, noon, false
	if got := strings.Join(states(), ", "); got != "slow.example well, api.example.com slowed, away.example:8080 well" {
		t.Errorf("%s", got)
	}
}

func TestTheLastEventOfARunThatDidNotBeginHasItsError(t *testing.T) {
	var out bytes.Buffer
	path := filepath.Join(t.TempDir(), "products.yaml")
	if err := os.WriteFile(path, []byte(practice.ProductsJob("http://127.0.0.1:1", 3, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	o := runOptions{target: locate(path, ""), json: true}
	j, err := o.load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	e := newEvents(&out, j, o)
	e.finish(nil, exitInterrupted, nil)
	e.finish(nil, exitError, errors.New("no luck"))
	e.finish(&summary{Summary: &crawl.Summary{Ended: state.Finished}}, exitComplete, nil)
	for _, want := range []string{
		`"ended":"interrupted","exit":130,"total":0`, `"ended":"failed","exit":1,"error":"no luck"`,
		`"ended":"finished","exit":0,"total":0`,
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in\n%s", want, out.String())
		}
	}
}
