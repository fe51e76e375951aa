package cli

import (
	"testing"
	"time"
)

// Written as often as it may be, a JSON mirror takes less than 2 % of the time, whatever a write costs.
func TestWritesOfAMirrorNeverTakeMoreThanTheirShareOfTheTime(t *testing.T) {
	for _, cost := range []time.Duration{time.Millisecond, 90 * time.Millisecond, 3 * time.Second, time.Hour} {
		p := pace{every: 5 * time.Second, share: jsonShare}
		now, spent := time.Unix(1_770_000_000, 0), time.Duration(0)
		began, writes := now, 0
		for ; writes < 1000; now = now.Add(p.next.Sub(now)) {
			if !p.due(now, 1) || p.due(now.Add(-time.Nanosecond), 1_000_000) && writes > 0 {
				t.Fatalf("a write of %v: not due when it is, or before", cost)
			}
			now, spent, writes = now.Add(cost), spent+cost, writes+1
			p.wrote(now, cost)
			if pause := p.next.Sub(now); pause < p.every {
				t.Fatalf("a pause of %v", pause)
			}
		}
		if share := float64(spent) / float64(now.Sub(began)); share > 0.02 {
			t.Errorf("writes of %v take %.3f of the time", cost, share)
		}
	}
}

func TestARedisMirrorIsDueAfterTenTasksOrTheInterval(t *testing.T) {
	now := time.Unix(1_770_000_000, 0)
	p := pace{every: 5 * time.Second, tasks: mirrorTasks}
	if !p.due(now, 0) {
		t.Error("the first time comes at once")
	}
	p.wrote(now, time.Second)
	for _, c := range []struct {
		after   time.Duration
		changed int64
		due     bool
	}{{0, 9, false}, {0, 10, true}, {4 * time.Second, 1, false}, {5 * time.Second, 1, true}} {
		if due := p.due(now.Add(c.after), c.changed); due != c.due {
			t.Errorf("%v after, with %d tasks: due %v", c.after, c.changed, due)
		}
	}
	total := time.Duration(0)
	for _, pause := range []time.Duration{1, 2, 4, 8, 16, 30, 30} {
		p.failed(now)
		if total = p.next.Sub(now); total != pause*time.Second || p.due(now.Add(total-1), 1_000_000) || !p.due(now.Add(total), 1) {
			t.Errorf("after a failure it is left alone for %v, want %d s", total, pause)
		}
	}
	if p.wrote(now, 0); p.backOff != 0 {
		t.Error("a write that went through does not end the back-off")
	}
}
