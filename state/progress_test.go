package state_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"dogear/state"
)

func TestProgressOfACrawlThat(t *testing.T) {
	for _, c := range []struct {
		name   string
		starts int64
		done   int // tasks that end now, the run having begun ten seconds ago
		want   state.Progress
		speed  bool
	}{
		{"is empty", 0, 0, state.Progress{}, false},
		{"has not begun", 40, 0, state.Progress{Total: 40, Pending: 40}, false},
		{"is half through", 40, 20, state.Progress{Total: 40, Pending: 20, Done: 20, Percent: 50}, true},
		{"is complete", 40, 40, state.Progress{Total: 40, Done: 40, Percent: 100}, true},
		{"is one third through", 3, 1, state.Progress{Total: 3, Pending: 2, Done: 1, Percent: 33.3}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFile(t)
			began := time.Now().Add(-10 * time.Second)
			run := f.openAt(began, f.with(productStart(c.starts)))
			tasks := f.commit(run, c.done)
			var group []state.Outcome
			for _, task := range tasks {
				group = append(group, done(task))
			}
			finished := time.Now()
			if _, err := run.Commit(f.ctx, finished, group, 0); err != nil {
				t.Fatal(err)
			}
			p, err := f.store().Progress(f.ctx)
			if err != nil {
				t.Fatal(err)
			}
			fast, slow := float64(c.done)/finished.Sub(began).Seconds(), float64(c.done)/time.Since(began).Seconds()
			if p.PerSecond > fast+0.1 || p.PerSecond < slow-0.1 {
				t.Errorf("%v tasks a second, want %v to %v", p.PerSecond, slow, fast)
			}
			switch left := c.starts - int64(c.done); {
			case left == 0:
				c.want.ETA = new(int64)
			case !c.speed && p.ETA != nil:
				t.Errorf("eta %d s out of nothing", *p.ETA)
			case c.speed && (p.ETA == nil || float64(*p.ETA) < float64(left)/fast-1 || float64(*p.ETA) > float64(left)/slow+1):
				t.Errorf("eta %v, want about %v s", p.ETA, float64(left)/slow)
			}
			if complete := p.Complete(); complete != (c.starts == int64(c.done)) {
				t.Errorf("complete is %t", complete)
			}
			if p.PerSecond = 0; c.want.ETA == nil {
				p.ETA = nil
			}
			if got, want := fmt.Sprintf("%+v", deref(p)), fmt.Sprintf("%+v", deref(c.want)); got != want {
				t.Errorf("progress is %s, want %s", got, want)
			}
		})
	}
}

// deref shows the ETA itself instead of where it lies.
func deref(p state.Progress) any {
	eta := int64(math.MinInt64)
	if p.ETA != nil {
		eta = *p.ETA
	}
	p.ETA = nil
	return struct {
		state.Progress
		eta int64
	}{p, eta}
}

func TestTasksInFlightAreNeitherDoneNorForgotten(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(productStart(10)))
	tasks := f.commit(run, 4)
	f.commit(run, 0, done(tasks[0]), failed(tasks[1], "client", 404))
	f.want(`SELECT total, pending, in_flight, done, failed, percent FROM progress`, "10|6|2|1|1|20")
}

// The speed is of this run: what one before it did in the last minute says nothing about this one.
func TestTheSpeedOfAnEarlierRunIsNotCounted(t *testing.T) {
	f := newFile(t)
	now := time.Now()
	run := f.openAt(now.Add(-50*time.Second), f.with(productStart(1000)))
	var group []state.Outcome
	for _, task := range f.commit(run, 500) {
		group = append(group, done(task))
	}
	if _, err := run.Commit(f.ctx, now.Add(-20*time.Second), group, 0); err != nil {
		t.Fatal(err)
	}
	f.close(run, state.Interrupted)
	f.openAt(now, f.with(productStart(1000)))
	f.want(`SELECT per_second, eta_s FROM progress`, "0|NULL")
}

// The ticks behind the speed are a few minutes' worth, however long a crawl goes on.
func TestTicksDoNotPileUp(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(productStart(1000)))
	for i := range 100 {
		now := epoch.Add(time.Duration(i) * 10 * time.Second)
		tasks, err := run.Commit(f.ctx, now, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := run.Commit(f.ctx, now, []state.Outcome{done(tasks[0])}, 0); err != nil {
			t.Fatal(err)
		}
	}
	f.want(`SELECT count(*) <= 31, sum(finished) = count(*) FROM ticks`, "1|1")
}

// A hundred percent is a promise: it is shown when nothing is left, not when little is.
func TestProgressIsNotAHundredPercentBeforeTheEnd(t *testing.T) {
	f := newFile(t)
	f.close(f.open(f.with()), state.Finished)
	for _, c := range []struct{ done, pending, want string }{
		{"49999", "1", "99.9"}, {"999999999", "1", "99.9"}, {"50000", "0", "100"}, {"1", "99999", "0"},
	} {
		raw(`UPDATE counters SET done = `+c.done+`, pending = `+c.pending)(t, f.path)
		f.want(`SELECT percent FROM progress`, c.want)
	}
}
