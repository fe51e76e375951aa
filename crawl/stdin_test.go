package crawl_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"dogear/crawl"
	"dogear/crawl/job"
	"dogear/internal/practice"
	"dogear/state"
)

const inputJob = `
start: {from: "-"}
rate: none
records: {table: products, key: id, fields: {id: {json: $.id, type: int}}}
`

const inputRow = `SELECT cursor, total, (SELECT count(*) FROM tasks), (SELECT sum(state = 'done') FROM tasks) FROM starts`

func TestAStandardInputIsReadToItsEndAndThenAgainFromItsBeginning(t *testing.T) {
	b := newBench(t, practice.Options{Products: 30}, inputJob)
	input := func(text string) crawl.Options {
		return crawl.Options{Stdin: strings.NewReader(replace(text, "SITE", b.site.URL))}
	}
	if s := b.run(state.Finished, input(lines(1, 10))); s.Tally.Done != 10 {
		t.Errorf("%+v", s.Tally)
	}
	b.want("10 10 10 10", inputRow)
	if s := b.run(state.Finished, input(lines(8, 12))); s.Tally.Done != 2 {
		t.Errorf("%+v", s.Tally)
	}
	b.want("5 5 12 12", inputRow)
	b.exec(`UPDATE tasks SET state = 'pending' WHERE id = 3; UPDATE counters SET pending = 1, done = 11`)
	if s := b.run(state.Finished, input("")); s.Tally.Done != 1 {
		t.Errorf("%+v", s.Tally)
	}
	b.want("0 0 12 12", inputRow)
}

func TestACrawlIsNotOverWhileItsInputIsOpenAndWaitsWithoutCommits(t *testing.T) {
	b := newBench(t, practice.Options{Products: 30}, inputJob)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	o := crawl.Options{Stdin: r}
	idle := 0 // looks at a crawl that has nothing to do
	o.Watch = whenCommitted(t, func(c crawl.Committed) bool {
		if c.Tally.Done == 2 && c.Counts.Left() == 1 {
			idle++
		}
		return idle > 100
	}, func() { // the rest of its line 3, and the last
		fmt.Fprintf(w, "%d\n%s", 3, replace(strings.TrimSpace(lines(4, 4)), "SITE", b.site.URL))
		w.Close()
	})
	fmt.Fprint(w, replace(lines(1, 2), "SITE", b.site.URL), b.site.URL+"/v1/product/")
	if s := b.run(state.Finished, o); s.Tally.Done != 4 {
		t.Errorf("%+v", s.Tally)
	}
	b.want("4 4 4 4", inputRow)
}

// The read that waits ends with the run: goleak sees to that.
func TestARunThatIsStoppedDoesNotWaitForItsInput(t *testing.T) {
	b := newBench(t, practice.Options{Products: 30}, inputJob)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	fmt.Fprint(w, replace(lines(1, 3), "SITE", b.site.URL))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o := crawl.Options{Stdin: r}
	o.Watch = whenCommitted(t, func(c crawl.Committed) bool { return c.Tally.Done == 3 }, cancel)
	b.runUntil(ctx, state.Interrupted, o)
	b.want("3 4 3 3", inputRow)
	b.run(state.Finished, crawl.Options{Stdin: strings.NewReader(replace(lines(2, 4), "SITE", b.site.URL))})
	b.want("3 3 4 4", inputRow)
}

func TestATerminalIsNoInputUnlessAnEarlierOneWasReadToItsEnd(t *testing.T) {
	b := newBench(t, practice.Options{Products: 30}, inputJob)
	run := func() error {
		_, err := crawl.Run(context.Background(), context.Background(), crawl.Options{Job: b.job, Path: b.path})
		return err
	}
	var bad *job.Error
	if err := run(); !errors.As(err, &bad) || !strings.Contains(err.Error(), "pipe the lines in") {
		t.Errorf("at first: %v", err)
	}
	if _, err := os.Stat(b.path); err == nil {
		t.Error("there is a state file")
	}
	b.run(state.Stopped, crawl.Options{Limit: 1, NoFetch: true})
	if err := run(); !errors.As(err, &bad) {
		t.Errorf("never read: %v", err)
	}
	b.run(state.Finished, crawl.Options{Stdin: strings.NewReader("")})
	if err := run(); err != nil {
		t.Errorf("read to its end: %v", err)
	}
}

func TestAnInputThatBreaksEndsTheRunWithWhatItDid(t *testing.T) {
	b := newBench(t, practice.Options{Products: 30}, inputJob)
	wire := io.MultiReader(strings.NewReader(replace(lines(1, 3), "SITE", b.site.URL)), brokenReader{})
	s, err := crawl.Run(context.Background(), context.Background(), crawl.Options{Job: b.job, Path: b.path, Stdin: wire})
	if !errors.Is(err, errWire) || !strings.Contains(fmt.Sprint(err), "read standard input, byte") {
		t.Errorf("%v, %+v", err, s)
	}
	b.want("3 4 3", `SELECT cursor, total, (SELECT count(*) FROM tasks) FROM starts`)
	b.run(state.Finished, crawl.Options{Stdin: strings.NewReader("")})
	b.want("0 0 3 3", inputRow)
}

var errWire = errors.New("somebody stumbled over the wire")

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errWire }
