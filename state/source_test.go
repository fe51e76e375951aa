package state_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"dogear/schema"
	"dogear/state"
)

// listed is a Source of words, that go on from a place. A word of its own has it say that there is nothing now, or
// fail.
type listed struct {
	words  []string
	at     int
	closed *int
}

const silence, broken = "silence", "broken"

var errList = errors.New("the disk is on fire")

func (l *listed) Ready() bool  { return l.at >= len(l.words) || l.words[l.at] != silence }
func (l *listed) Close() error { *l.closed++; return nil }

func (l *listed) Next(n int) (b state.Batch, err error) {
	for ; len(b.Requests) < n && l.at < len(l.words); l.at++ {
		switch word := l.words[l.at]; word {
		case broken:
			err = errList
		case silence:
		default:
			b.Requests = append(b.Requests, get("http://127.0.0.1/"+word))
			continue
		}
		break
	}
	b.Place, b.Print, b.End = int64(l.at), fmt.Sprint("print of ", l.at), l.at == len(l.words) && err == nil
	return b, err
}

// reads is a start that is read from these words, going on where it was.
func reads(closed *int, words string) state.Start {
	return state.Start{Entry: "list", Open: func(m state.Mark) (state.Reading, error) {
		all := strings.Fields(words)
		l := &listed{words: all, at: int(m.Place), closed: closed}
		return state.Reading{Source: l, Cursor: m.Cursor, Total: m.Cursor + int64(len(all)-l.at)}, nil
	}}
}

const startRow = `SELECT cursor, total, place, print, (SELECT count(*) FROM tasks), (SELECT total FROM progress) FROM starts`

func TestAStartThatIsReadMovesWithItsTasksAndIsDoneWhenItEnds(t *testing.T) {
	f, closed := newFile(t), 0
	run := f.open(f.with(reads(&closed, "a b a c")))
	f.want(startRow, "0|4|0|NULL|0|4")
	if c := run.Counts(); c.Ahead != 4 || !run.Addable() {
		t.Errorf("%+v", c)
	}
	f.commit(run, 2)
	f.want(startRow, "4|4|4|print of 4|3|3")
	if c := run.Counts(); c.Ahead != 0 || run.Addable() {
		t.Errorf("%+v", c)
	}
	f.close(run, state.Interrupted)
	run = f.open(f.with(reads(&closed, "a b a c d")))
	f.want(startRow, "4|5|4|print of 4|3|4")
	f.commit(run, 0)
	f.want(startRow, "5|5|5|print of 5|4|4")
	f.close(run, state.Finished)
	if closed != 2 {
		t.Errorf("closed %d times", closed)
	}
}

func TestABatchOfACommitThatFailsComesAgainWithTheNext(t *testing.T) {
	f, closed := newFile(t), 0
	run := f.open(f.with(reads(&closed, "a b c")))
	f.ask(`SELECT 1`)
	if _, err := f.db.Exec(`CREATE TRIGGER no BEFORE UPDATE OF place ON starts BEGIN SELECT raise(ABORT, 'no'); END`); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := run.Commit(f.ctx, epoch, nil, 1); err == nil {
			t.Fatal("it commits")
		}
	}
	f.want(startRow, "0|3|0|NULL|0|3")
	if _, err := f.db.Exec(`DROP TRIGGER no`); err != nil {
		t.Fatal(err)
	}
	f.commit(run, 0)
	f.want(startRow, "3|3|3|print of 3|3|3")
}

func TestAStartWithNothingToGiveNowKeepsTheCrawlOpenAndIsNotAsked(t *testing.T) {
	f, closed := newFile(t), 0
	l := &listed{words: []string{"a", silence, "b"}, closed: &closed}
	start := state.Start{Entry: "list", Open: func(state.Mark) (state.Reading, error) { return state.Reading{Source: l, Total: 1}, nil }}
	run := f.open(f.with(start))
	tasks := f.commit(run, 5)
	f.want(startRow, "1|2|1|print of 1|1|2")
	f.commit(run, 0, done(tasks[0]))
	if settled, err := run.Settled(f.ctx); settled || err != nil || run.Addable() || run.Counts().Left() != 1 {
		t.Errorf("settled %v, %v, addable %v, %+v", settled, err, run.Addable(), run.Counts())
	}
	l.at++
	if !run.Addable() {
		t.Error("it is not asked again")
	}
	tasks = f.commit(run, 5)
	f.commit(run, 0, done(tasks[0]))
	if settled, err := run.Settled(f.ctx); !settled || err != nil {
		t.Errorf("settled %v, %v", settled, err)
	}
}

func TestWhatCameBeforeAFaultOfASourceStaysAndTheRestIsReadLater(t *testing.T) {
	f, closed := newFile(t), 0
	run := f.open(f.with(productStart(2), reads(&closed, "a b broken c")))
	f.commit(run, 0)
	f.want(startRow+` WHERE entry = 'list'`, "2|4|2|print of 2|4|6")
	if !errors.Is(run.Broken(), errList) || run.Addable() {
		t.Errorf("broken: %v, addable: %v", run.Broken(), run.Addable())
	}
	if err := run.Advance(f.ctx, epoch); !errors.Is(err, errList) {
		t.Errorf("an import would end with %v", err)
	}
	f.close(run, "")
	run = f.open(f.with(productStart(2), reads(&closed, "a b x c")))
	f.commit(run, 0)
	f.want(startRow+` WHERE entry = 'list'`, "4|4|4|print of 4|6|6")
}

func TestALimitOfTasksCutsAStartThatIsReadUntilItIsRaised(t *testing.T) {
	f, closed := newFile(t), 0
	o := f.with(reads(&closed, "a b c d"))
	o.MaxTasks = 3
	run := f.open(o)
	f.commit(run, 0)
	f.commit(run, 0)
	f.want(startRow, "3|3|3|print of 3|3|3")
	if settled, err := run.Settled(f.ctx); settled || err != nil || run.Counts().Ahead != 0 || run.Dropped() != 1 {
		t.Errorf("%v, %v, %+v, %d dropped", settled, err, run.Counts(), run.Dropped())
	}
	f.close(run, state.Interrupted)
	o.MaxTasks = 0
	run = f.open(o)
	f.commit(run, 0)
	f.want(startRow, "4|4|4|print of 4|4|4")
}

func TestAStartThatCanNotBeOpenedRefusesTheRunAndChangesNothing(t *testing.T) {
	f, closed := newFile(t), 0
	f.close(f.open(f.with(reads(&closed, "a"))), state.Interrupted)
	bad := state.Start{Entry: "other", Open: func(m state.Mark) (state.Reading, error) {
		if m.Known {
			t.Error("it is known")
		}
		return state.Reading{}, errList
	}}
	if _, err := state.OpenRun(f.ctx, f.with(reads(&closed, "a"), bad), epoch); !errors.Is(err, errList) {
		t.Errorf("got %v", err)
	}
	if closed != 2 {
		t.Errorf("closed %d times", closed)
	}
	f.want(`SELECT entry, active FROM starts`, "list|1")
}

func TestTasksOfAListThatDifferInWhatTheyCarryAreAddedTogether(t *testing.T) {
	f, closed := newFile(t), 0
	q := []schema.Request{{URL: "http://127.0.0.1/a", Carry: `{"param.x":"1"}`}, {URL: "http://127.0.0.1/b"}}
	start := reads(&closed, "")
	start.Open = func(state.Mark) (state.Reading, error) {
		return state.Reading{Source: &fixed{batch: state.Batch{Requests: q, End: true}}, Total: 2}, nil
	}
	run := f.open(f.with(start))
	f.commit(run, 0)
	f.want(`SELECT url, carry FROM tasks ORDER BY id`, "http://127.0.0.1/a|{\"param.x\":\"1\"}\nhttp://127.0.0.1/b|NULL")
}

type fixed struct{ batch state.Batch }

func (s *fixed) Ready() bool                   { return true }
func (s *fixed) Next(int) (state.Batch, error) { return s.batch, nil }
func (s *fixed) Close() error                  { return nil }
