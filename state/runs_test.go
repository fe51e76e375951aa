package state_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"dogear/state"
)

func TestEveryRunIsARowThatSaysHowItEnded(t *testing.T) {
	f := newFile(t)
	host, _ := os.Hostname()
	at := func(i int) time.Time { return epoch.Add(time.Duration(i) * time.Hour) }
	ends := []string{state.Interrupted, state.Stopped, "", state.Finished}
	for i, ended := range ends {
		run := f.openAt(at(i), f.with(productStart(100)))
		tasks := f.commit(run, 3)
		ok := done(tasks[0])
		ok.Failures = failed(tasks[0], "network", 0).Failures
		if _, err := run.Commit(f.ctx, at(i).Add(time.Minute), []state.Outcome{ok, failed(tasks[1], "client", 404)}, 0); err != nil {
			t.Fatal(err)
		}
		if err := run.Close(f.ctx, at(i).Add(2*time.Minute), ended); err != nil {
			t.Fatal(err)
		}
	}
	f.openAt(at(4), f.with(productStart(100)))
	runs, err := f.store().Runs(f.ctx, 10)
	if err != nil || len(runs) != 5 {
		t.Fatalf("%+v, %v", runs, err)
	}
	for i, want := range []string{"running", "finished", "died", "stopped", "interrupted"} {
		r, nth := runs[i], 4-i
		if r.Ended != want || r.ID != int64(nth+1) || r.PID != int64(os.Getpid()) || r.Host != host || r.Version != "test" || !r.StartedAt.Equal(at(nth)) {
			t.Errorf("run %d is %+v, want %s", nth+1, r, want)
		}
		beat, tally := at(nth).Add(2*time.Minute), "1 1 1"
		switch want {
		case "running":
			beat, tally = at(nth), "0 0 0"
		case "died":
			beat = at(nth).Add(time.Minute) // its last commit
		}
		if !r.Heartbeat.Equal(beat) || fmt.Sprint(r.Done, r.Failed, r.Retried) != tally {
			t.Errorf("run %d beat last at %s with %d done, %d failed, %d retried", nth+1, r.Heartbeat, r.Done, r.Failed, r.Retried)
		}
		if open := want == "running" || want == "died"; (r.EndedAt == nil) != open || !open && !r.EndedAt.Equal(beat) {
			t.Errorf("run %d ended at %v", nth+1, r.EndedAt)
		}
	}
	if runs, err := f.store().Runs(f.ctx, 2); err != nil || len(runs) != 2 || runs[0].ID != 5 {
		t.Errorf("the last two are %+v, %v", runs, err)
	}
}

func TestTheLastRunDiedWhenNobodyHoldsTheFile(t *testing.T) {
	f := newFile(t)
	f.close(f.open(f.with()), "")
	if runs, err := f.store().Runs(f.ctx, 1); err != nil || len(runs) != 1 || runs[0].Ended != "died" {
		t.Errorf("%+v, %v", runs, err)
	}
}

func TestARunThatEndsPutsBackWhatItHadInFlight(t *testing.T) {
	for _, ended := range []string{state.Finished, state.Interrupted, state.Stopped} {
		t.Run(ended, func(t *testing.T) {
			f := newFile(t)
			run := f.open(f.with(productStart(5)))
			task := f.commit(run, 3)[0]
			f.commit(run, 1, state.Outcome{Task: task, State: state.Pending, Attempts: 2})
			f.close(run, ended)
			f.agree(run)
			f.want(`SELECT state, count(*), sum(attempts) FROM tasks GROUP BY state`, "pending|5|2")
			if run = f.open(f.with(productStart(5))); run.Found.Recovered != 0 {
				t.Errorf("%d were recovered, none was left in flight", run.Found.Recovered)
			}
		})
	}
}

func TestClosingGivesUpTheLockEvenWhenTheEndCannotBeWritten(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with())
	if err := run.Close(f.ctx, epoch, "tired"); err == nil {
		t.Error("a run ended in a way that does not exist")
	}
	f.want(`SELECT ended FROM runs`, "NULL")
	f.open(f.with())
}
