package state_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dogear/state"
)

// must is the value of what can't fail here.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestTicksAreThoseOfTheTimeThatIsAskedFor(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(productStart(10)))
	tasks := f.commit(run, 6)
	for i, at := range []time.Duration{0, 0, time.Second, 3 * time.Second} {
		must(run.Commit(f.ctx, epoch.Add(at), []state.Outcome{done(tasks[i])}, 0))
	}
	for _, c := range []struct {
		since, now time.Duration
		want       string
	}{
		{0, 10 * time.Second, "0s 2, 1s 1, 3s 1"}, {time.Second, 3 * time.Second, "1s 1, 3s 1"}, {4 * time.Second,
			9 * time.Second, ""},
		{-time.Hour, time.Second, "0s 2, 1s 1"}, // a clock that was set back leaves ticks in the future
	} {
		var got []string
		for _, tick := range must(f.store().Ticks(f.ctx, epoch.Add(c.since), epoch.Add(c.now))) {
			got = append(got, tick.At.Sub(epoch).String()+" "+string(rune('0'+tick.Finished)))
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("from %v to %v: %q, want %q", c.since, c.now, text, c.want)
		}
	}
}

func TestFailuresAreCountedByKindAndStatusTheMostFirst(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(productStart(10)))
	if got := must(f.store().FailureCounts(f.ctx)); len(got) != 0 || got == nil {
		t.Errorf("without any: %#v", got)
	}
	tasks := f.commit(run, 6)
	f.commit(run, 0, done(tasks[0]), failed(tasks[1], "client", 404), failed(tasks[2], "network", 0), failed(tasks[3],
		"client", 404))
	want := []state.FailureCount{{"client", 404, 2}, {"network", 0, 1}}
	if diff := cmp.Diff(want, must(f.store().FailureCounts(f.ctx))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestHostsThatAreHeldBackAreThoseLeftAloneAndThenTheSlowest(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(productStart(2)))
	until := epoch.Add(time.Minute)
	run.KeepHosts([]state.Host{{Name: "well.example"}, {Name: "slow.example", Rate: 2}, {Name: "slower.example",
		Rate: 1},
		{Name: "waits.example", LeaveUntil: until}, {Name: "waited.example", LeaveUntil: epoch}})
	f.commit(run, 0)
	read := func(n int) []state.Host {
		hosts := must(f.store().HeldBack(f.ctx, epoch, n))
		for i := range hosts {
			if h := &hosts[i]; !h.LeaveUntil.IsZero() {
				h.LeaveUntil = h.LeaveUntil.UTC()
			}
		}
		return hosts
	}
	want := []state.Host{{Name: "waits.example", LeaveUntil: until}, {Name: "slower.example", Rate: 1},
		{Name: "slow.example", Rate: 2}}
	if diff := cmp.Diff(want, read(5)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(want[:2], read(2)); diff != "" {
		t.Errorf("two of them (-want +got)\n%s", diff)
	}
}

func TestTheLastFailuresAreTheNewestAttemptsThatFailed(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(productStart(10)))
	tasks := f.commit(run, 6)
	f.commit(run, 0, done(tasks[0]), failed(tasks[1], "client", 404), failed(tasks[2], "network", 0))
	f.commit(run, 0, failed(tasks[3], "server", 500))
	last := must(f.store().LastFailures(f.ctx, 2))
	if len(last) != 2 || last[0].Kind != "server" || *last[0].Status != 500 || last[1].Kind != "network" ||
		last[1].Status != nil ||
		last[1].URL != tasks[2].URL || last[1].Error != "it was network" || !last[1].At.Equal(epoch) {
		t.Errorf("%+v", last)
	}
}
