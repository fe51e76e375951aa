package cli

import (
	"testing"
	"time"
)

// Written as often as it may be, a JSON mirror takes less than 2 % of the time, whatever a write costs and however
// the URLs become more, the write at the end included. Where one write costs more than that, it waits for the end.
func TestWritesOfAMirrorNeverTakeMoreThanTheirShareOfTheTime(t *testing.T) {
	for _, c := range []struct {
		urls, perSecond int64
		perURL          time.Duration
		atLeast         int // writes in six hours
	}{
		{100_000, 0, 1500, 1400}, {0, 500, 1500, 150}, {1_000_000, 50, 1500, 100}, {100_000, 500, 100, 500},
		{0, 0, 0, 4000}, {0, 20_000, 1500, 1}, {10_000_000, 0, 50 * time.Microsecond, 0},
	} {
		began := time.Unix(1_770_000_000, 0)
		p := pace{every: 5 * time.Second, share: jsonShare, began: began}
		writes, spent, last := 0, time.Duration(0), began.Add(-p.every)
		urls := func(now time.Time) int64 { return c.urls + int64(now.Sub(began).Seconds())*c.perSecond }
		for now := began; now.Before(began.Add(6 * time.Hour)); now = now.Add(mirrorLook) {
			if !p.due(now, 1, urls(now)) {
				continue
			}
			if now.Sub(last) < p.every {
				t.Fatalf("%+v: a write %v after the last", c, now.Sub(last))
			}
			n := urls(now)
			took := time.Duration(n) * c.perURL
			now = now.Add(took)
			writes, spent, last = writes+1, spent+took, now
			p.wrote(now, took, n)
			whole := spent + time.Duration(urls(now))*c.perURL
			if writes > 1 && float64(whole)/float64(now.Sub(began)) > 0.0205 { // the first was a guess
				t.Fatalf("%+v: after %d writes %v of %v", c, writes, whole, now.Sub(began))
			}
		}
		if writes < c.atLeast {
			t.Errorf("%+v: only %d writes", c, writes)
		}
	}
}

func TestARedisMirrorIsDueAfterTenTasksOrTheInterval(t *testing.T) {
	now := time.Unix(1_770_000_000, 0)
	p := pace{every: 5 * time.Second, tasks: mirrorTasks, began: now}
	if !p.due(now, 0, 0) {
		t.Error("the first time comes at once")
	}
	p.wrote(now, time.Second, 0)
	for _, c := range []struct {
		after   time.Duration
		changed int64
		due     bool
	}{{0, 9, false}, {0, 10, true}, {4 * time.Second, 1, false}, {5 * time.Second, 1, true}} {
		if due := p.due(now.Add(c.after), c.changed, 1_000_000); due != c.due {
			t.Errorf("%v after, with %d tasks: due %v", c.after, c.changed, due)
		}
	}
}

func TestAMirrorThatCannotBeReachedIsLeftAloneLongerAndLonger(t *testing.T) {
	now := time.Unix(1_770_000_000, 0)
	p := pace{every: 5 * time.Second, tasks: mirrorTasks, began: now}
	for _, pause := range []time.Duration{1, 2, 4, 8, 16, 30, 30} {
		p.failed(now, time.Second)
		got := p.next.Sub(now)
		if got != pause*time.Second || p.due(now.Add(got-1), 1_000_000, 0) || !p.due(now.Add(got), 1, 0) {
			t.Errorf("after a failure it is left alone for %v, want %d s", got, pause)
		}
	}
	if p.wrote(now, 0, 0); p.backOff != 0 {
		t.Error("a write that went through does not end the back-off")
	}
}
