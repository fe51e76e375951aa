package state_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dogear/state"
)

func TestWhatIsLearnedOfAHostIsThereForTheNextRun(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(productStart(2)))
	if run.Found.Hosts != nil {
		t.Errorf("a new file knows %v", run.Found.Hosts)
	}
	until := epoch.Add(time.Minute)
	run.KeepHosts([]state.Host{{Name: "a.example", Rate: 9}, {Name: "b.example:8080", Rate: 0.5, LeaveUntil: until}})
	run.KeepHosts([]state.Host{{Name: "a.example", Rate: 2.5}})
	run.KeepCookies(map[string]string{"a.example": `["a=1"]`, "c.example": `["c=3"]`})
	f.want(`SELECT count(*) FROM hosts`, "0") // with the next commit, not before
	f.commit(run, 0)
	run.KeepCookies(map[string]string{"c.example": ""})
	f.commit(run, 0)
	f.close(run, state.Interrupted)

	next := f.open(f.with(productStart(2)))
	want := []state.Host{
		{Name: "a.example", Rate: 2.5, Cookies: `["a=1"]`},
		{Name: "b.example:8080", Rate: 0.5, LeaveUntil: until},
		{Name: "c.example"},
	}
	for i := range next.Found.Hosts {
		if h := &next.Found.Hosts[i]; !h.LeaveUntil.IsZero() {
			h.LeaveUntil = h.LeaveUntil.UTC()
		}
	}
	if diff := cmp.Diff(want, next.Found.Hosts); diff != "" {
		t.Errorf("(-want +found)\n%s", diff)
	}
}

// A commit that fails has written nothing, so what it was to write goes with the next one.
func TestWhatIsLearnedOfAHostOutlivesACommitThatFails(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(productStart(2)))
	run.KeepCookies(map[string]string{"a.example": `["a=1"]`})
	if _, err := run.Commit(f.ctx, epoch, []state.Outcome{{Task: state.Task{ID: 1}, State: "no such state"}}, 0); err == nil {
		t.Fatal("it did not fail")
	}
	f.commit(run, 0)
	f.want(`SELECT host, cookies FROM hosts`, `a.example|["a=1"]`)
}
