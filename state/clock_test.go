package state_test

import (
	"testing"
	"time"

	"dogear/state"
)

// putOff gives one task back, to be claimed at due.
func (f *file) putOff(run *state.Run, task state.Task, now, due time.Time) {
	f.Helper()
	if _, err := run.Commit(f.ctx, now, []state.Outcome{{Task: task, State: state.Pending, NotBefore: due, At: now}}, 0); err != nil {
		f.Fatal(err)
	}
}

func (f *file) due(run *state.Run, want time.Time) {
	f.Helper()
	due, err := run.NextDue(f.ctx)
	if err != nil {
		f.Fatal(err)
	}
	if !due.Equal(want) {
		f.Errorf("due at %s, want %s", due.UTC(), want.UTC())
	}
}

func TestATaskWaitsNoLongerWhenTheClock(t *testing.T) {
	const wait = time.Minute
	for _, c := range []struct {
		name  string
		jumps []time.Duration // of the clock, one after another, 5 s apart by a clock that is right
		want  time.Duration   // when the task is due, by the clock of then, from when it was put off
	}{
		{"is right", []time.Duration{0, 0}, wait},
		{"is set back an hour", []time.Duration{-time.Hour}, wait - time.Hour + 5*time.Second},
		{"is set back twice", []time.Duration{-time.Hour, -time.Hour}, wait - 2*time.Hour + 10*time.Second},
		{"is set forward 30 s, and is right again", []time.Duration{30 * time.Second, -30 * time.Second}, wait - 25*time.Second},
		{"is set back less than a second", []time.Duration{-5500 * time.Millisecond}, wait},
		{"is set back and forward", []time.Duration{-time.Hour, time.Hour}, wait - time.Hour + 5*time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFile(t)
			run := f.open(f.with(productStart(1)))
			now := epoch
			f.putOff(run, f.commit(run, 1)[0], now, now.Add(wait))
			for _, jump := range c.jumps {
				now = now.Add(5*time.Second + jump)
				if _, err := run.Commit(f.ctx, now, nil, 0); err != nil {
					t.Fatal(err)
				}
			}
			f.due(run, epoch.Add(c.want))
		})
	}
}

func TestAClockThatWasSetBackBetweenTwoRunsDelaysNothing(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(productStart(1)))
	f.putOff(run, f.commit(run, 1)[0], epoch, epoch.Add(time.Minute))
	if err := run.Close(f.ctx, epoch, state.Interrupted); err != nil {
		t.Fatal(err)
	}
	run = f.openAt(epoch.Add(-time.Hour), f.with(productStart(1)))
	f.due(run, epoch.Add(-time.Hour+time.Minute))
	if _, err := run.Commit(f.ctx, epoch.Add(-time.Hour), nil, 0); err != nil {
		t.Fatal(err)
	}
	f.due(run, epoch.Add(-time.Hour+time.Minute))
}

// What is due by a clock that went back is not put off by it.
func TestADueTaskStaysDueWhenTheClockIsSetBack(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(productStart(1)))
	f.putOff(run, f.commit(run, 1)[0], epoch, epoch.Add(time.Minute))
	back := epoch.Add(-time.Hour)
	f.putOff(run, state.Task{}, epoch.Add(2*time.Minute), epoch) // a commit when it is due, that does not claim it
	tasks, err := run.Commit(f.ctx, back, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(tasks) != 1 {
		t.Errorf("claimed %d tasks, want 1", len(tasks))
	}
}

// A run that began, and finished tasks, in what is now the future still tells its speed.
func TestSpeedAndETAOutliveAClockThatIsSetBack(t *testing.T) {
	f := newFile(t)
	future := time.Now().Add(time.Hour)
	run := f.openAt(future, f.with(productStart(600)))
	tasks, err := run.Commit(f.ctx, future, nil, 300)
	if err != nil {
		t.Fatal(err)
	}
	land := func(now time.Time, tasks []state.Task) {
		var group []state.Outcome
		for _, task := range tasks {
			group = append(group, done(task))
		}
		if _, err := run.Commit(f.ctx, now, group, 0); err != nil {
			t.Fatal(err)
		}
	}
	land(future, tasks[:100])
	land(time.Now(), tasks[100:])
	f.want(`SELECT sum(finished) FROM ticks`, "200")
	p, err := f.store().Progress(f.ctx)
	if err != nil {
		t.Fatal(err)
	}
	if p.PerSecond <= 0 || p.ETA == nil || *p.ETA <= 0 {
		t.Errorf("progress %+v: no speed or no ETA", p)
	}
}
