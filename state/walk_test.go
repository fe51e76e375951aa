package state_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"dogear/schema"
	"dogear/state"
)

// walk is a seeded random life of a state file: claims, outcomes of all kinds, strays, groups that fail, ends of all kinds,
// kills. After each step everything that counts tasks has to agree with the rows, and with what the walk knows itself.
type walk struct {
	*file
	rand            *rand.Rand
	run             *state.Run
	options         state.RunOptions
	products, notes *schema.Table
	now             time.Time
	leased          []state.Task     // in flight for this run, as the walk remembers
	ended           map[int64]string // done or failed, by task
	seq             int64
}

func TestNumbersAgreeWithTheRowsWhateverHappens(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := &walk{
				file: newFile(t), rand: rand.New(rand.NewPCG(seed, 7)), products: productsTable(t), notes: notesTable(t),
				now: epoch, ended: map[int64]string{},
			}
			w.options = w.with(productStart(300), starting("few", get("http://127.0.0.1/1"), get("http://127.0.0.1/2")))
			w.options.Tables = []*schema.Table{w.products, w.notes}
			w.options.MaxTasks = 250 + int64(seed)*100 // reached early, late, never
			w.run = w.openAt(w.now, w.options)
			for i := 0; i < 80 && !t.Failed(); i++ {
				step := w.step()
				w.check()
				if t.Failed() {
					t.Logf("after step %d: %s", i, step)
				}
			}
			w.finish()
		})
	}
}

func (w *walk) step() string {
	w.now = w.now.Add(time.Duration(w.rand.IntN(3000)) * time.Millisecond)
	switch n := w.rand.IntN(20); {
	case n < 13:
		return w.land()
	case n < 15:
		return w.landBadly()
	case n < 16:
		return w.retry()
	case n < 18:
		return w.reopen([]string{state.Finished, state.Interrupted, state.Stopped, ""}[w.rand.IntN(4)])
	}
	return w.kill()
}

// land commits outcomes of some of the leased tasks, and one that is not leased.
func (w *walk) land() string {
	n := w.rand.IntN(len(w.leased) + 1)
	group := make([]state.Outcome, 0, n+1)
	for _, task := range w.leased[:n] {
		group = append(group, w.outcome(task))
	}
	stray := done(state.Task{ID: w.rand.Int64N(600) + 1})
	if !slices.ContainsFunc(w.leased, func(t state.Task) bool { return t.ID == stray.Task.ID }) {
		stray.Rows = []schema.Row{note(w.notes, "stray")}
		group = append(group, stray)
	}
	claimed, err := w.run.Commit(w.ctx, w.now, group, w.rand.IntN(30))
	if err != nil {
		w.Fatal(err)
	}
	for _, o := range group[:n] {
		if delete(w.ended, o.Task.ID); o.State != state.Pending {
			w.ended[o.Task.ID] = o.State
		}
	}
	w.leased = append(slices.Clone(w.leased[n:]), claimed...)
	return fmt.Sprintf("land %d, claim %d", len(group), len(claimed))
}

func (w *walk) outcome(task state.Task) state.Outcome {
	var o state.Outcome
	switch w.rand.IntN(6) {
	case 0:
		o = failed(task, []string{"network", "server", "client"}[w.rand.IntN(3)], []int{0, 404, 500}[w.rand.IntN(3)])
	case 1:
		o = putOff(task, w.now.Add(time.Duration(w.rand.IntN(8000)-2000)*time.Millisecond))
	case 2:
		o = state.Outcome{Task: task, State: state.Pending}
	default:
		o = doneWithProduct(task, w.products, w.now)
		o.Rows[0].Values[0] = w.rand.Int64N(300)
		for range w.rand.IntN(3) {
			o.Rows = append(o.Rows, note(w.notes, "text"))
		}
	}
	for range w.rand.IntN(3) {
		o.Links = append(o.Links, get(fmt.Sprintf("http://127.0.0.1/%d", w.rand.IntN(150))))
	}
	return o
}

// landBadly commits a group whose last record does not fit: nothing may change.
func (w *walk) landBadly() string {
	if len(w.leased) == 0 {
		return "nothing to land"
	}
	var group []state.Outcome
	for _, task := range w.leased {
		group = append(group, w.outcome(task))
	}
	group[len(group)-1] = done(w.leased[len(group)-1])
	group[len(group)-1].Rows = []schema.Row{{Table: w.notes}}
	before, counts := w.dump(), w.run.Counts()
	if _, err := w.run.Commit(w.ctx, w.now, group, 10); err == nil {
		w.Error("a bad group landed")
	}
	if w.dump() != before || w.run.Counts() != counts {
		w.Error("a bad group changed something")
	}
	return "land badly"
}

func (w *walk) retry() string {
	filter := []state.Filter{{}, {Kind: "network"}, {Status: 404}, {Match: regexp.MustCompile("product/1")}}[w.rand.IntN(4)]
	before := w.run.Counts()
	n, err := w.run.Retry(w.ctx, filter)
	if err != nil {
		w.Fatal(err)
	}
	if after := w.run.Counts(); after.Failed != before.Failed-n || after.Pending != before.Pending+n {
		w.Errorf("retry of %d: %+v became %+v", n, before, after)
	}
	for id := range w.ended {
		if w.ask(`SELECT state FROM tasks WHERE id = ?`, id) == state.Pending {
			delete(w.ended, id)
		}
	}
	return fmt.Sprintf("retry %+v", filter)
}

func (w *walk) reopen(ended string) string {
	if err := w.run.Close(w.ctx, w.now, ended); err != nil {
		w.Fatal(err)
	}
	leased := len(w.leased)
	if ended != "" {
		leased = 0
	}
	w.begin(int64(leased))
	return fmt.Sprintf("close as %q", ended)
}

// kill goes on with the file as a power cut would have left it now: a copy of the database and its log, without any close.
func (w *walk) kill() string {
	path := filepath.Join(w.TempDir(), "job.db")
	for _, suffix := range []string{"", "-wal"} {
		if err := copyFile(w.path+suffix, path+suffix); err != nil {
			w.Fatal(err)
		}
	}
	w.run.Close(w.ctx, w.now, "")
	w.db.Close()
	w.path, w.db, w.options.Path = path, nil, path
	w.begin(int64(len(w.leased)))
	return "kill"
}

func (w *walk) begin(recovered int64) {
	w.run = w.openAt(w.now, w.options)
	if got := w.run.Found.Recovered; got != recovered {
		w.Errorf("%d tasks were recovered, want %d", got, recovered)
	}
	w.leased = nil
}

func (w *walk) check() {
	w.agree(w.run)
	if got, want := w.run.Counts().InFlight, int64(len(w.leased)); got != want {
		w.Errorf("%d in flight, the walk holds %d", got, want)
	}
	if got, want := w.ask(`SELECT count(*) FROM tasks WHERE state IN ('done', 'failed')`), fmt.Sprint(len(w.ended)); got != want {
		w.Errorf("%s tasks have ended, the walk knows of %s", got, want)
	}
	w.want(`SELECT count(*) FROM tasks WHERE state = 'in-flight' AND run <> (SELECT max(id) FROM runs)`, "0")
	w.want(`SELECT count(*) FROM notes WHERE text = 'stray'`, "0")
	var seq, last int64
	fmt.Sscan(w.ask(`SELECT seq FROM counters`), &seq)
	fmt.Sscan(w.ask(`SELECT max((SELECT coalesce(max(_seq), 0) FROM products), (SELECT coalesce(max(_seq), 0) FROM notes))`), &last)
	if seq < w.seq || last > seq {
		w.Errorf("seq went from %d to %d, the last record has %d", w.seq, seq, last)
	}
	w.seq = seq
}

// finish works off what is left: every crawl ends.
func (w *walk) finish() {
	for rounds := 0; w.run.Counts().Left() > 0 && !w.Failed(); rounds++ {
		if rounds > 100 {
			w.Fatalf("the crawl does not end: %+v", w.run.Counts())
		}
		w.now = w.now.Add(time.Minute)
		var group []state.Outcome
		for _, task := range w.leased {
			group = append(group, done(task))
		}
		claimed, err := w.run.Commit(w.ctx, w.now, group, 500)
		if err != nil {
			w.Fatal(err)
		}
		w.leased = claimed
	}
	w.agree(w.run)
	if settled, err := w.run.Settled(w.ctx); !settled || err != nil {
		w.Errorf("at the end settled is %t, %v", settled, err)
	}
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}
