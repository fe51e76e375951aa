package state_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"dogear/schema"
	"dogear/state"
)

func TestWhatAnOutcomeSaysStandsInTheRow(t *testing.T) {
	const columns = `SELECT state, attempts, status, error_kind, error, final_url, bytes, took_ms, started_at, finished_at, not_before, run FROM tasks WHERE id = 1`
	at := epoch.Add(1500 * time.Millisecond)
	for _, c := range []struct {
		name string
		o    state.Outcome
		want string
	}{
		{"done", state.Outcome{State: state.Done, Attempts: 2, Status: 200, FinalURL: "https://x/y", Bytes: 9, Took: 7 * time.Millisecond, At: at},
			fmt.Sprintf("done|2|200|NULL|NULL|https://x/y|9|7|%d|%d|0|1", epoch.UnixMilli(), at.UnixMilli())},
		{"done without a redirect", state.Outcome{State: state.Done, Attempts: 1, Status: 404, At: at},
			fmt.Sprintf("done|1|404|NULL|NULL|NULL|0|0|%d|%d|0|1", epoch.UnixMilli(), at.UnixMilli())},
		{"failed without an answer", state.Outcome{State: state.Failed, Attempts: 4, Kind: "network", Error: "connection refused", At: at},
			fmt.Sprintf("failed|4|NULL|network|connection refused|NULL|0|0|%d|%d|0|1", epoch.UnixMilli(), at.UnixMilli())},
		{"put off until a time", state.Outcome{State: state.Pending, Attempts: 1, NotBefore: at},
			fmt.Sprintf("pending|1|NULL|NULL|NULL|NULL|NULL|NULL|%d|NULL|%d|1", epoch.UnixMilli(), at.UnixMilli())},
		{"put back at once", state.Outcome{State: state.Pending},
			fmt.Sprintf("pending|0|NULL|NULL|NULL|NULL|NULL|NULL|%d|NULL|0|1", epoch.UnixMilli())},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFile(t)
			run := f.open(f.with(productStart(1)))
			c.o.Task = f.commit(run, 1)[0]
			f.commit(run, 0, c.o)
			f.want(columns, c.want)
		})
	}
}

func TestAClaimedTaskCarriesAllThatItsRowSays(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(starting("s", schema.Request{URL: "HTTPS://Shop.Example/A?b", Page: "search", Method: "POST", Body: `{"q":"茶"}`})))
	got := f.commit(run, 5)
	want := []state.Task{{ID: 1, URL: "HTTPS://Shop.Example/A?b", Page: "search", Method: "POST", Body: `{"q":"茶"}`}}
	if !slices.Equal(got, want) {
		t.Errorf("claimed %+v, want %+v", got, want)
	}
	f.want(`SELECT state, run, started_at FROM tasks`, fmt.Sprintf("in-flight|1|%d", epoch.UnixMilli()))
}

// The attempts of a lease add to those of earlier ones, in whatever lease and run they were made.
func TestAttemptsAddUpOverLeasesAndRuns(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(productStart(1)))
	task := f.commit(run, 1)[0]
	f.commit(run, 1, state.Outcome{Task: task, State: state.Pending, Attempts: 2}) // claimed again, and given back by the close
	f.close(run, state.Interrupted)
	run = f.open(f.with(productStart(1)))
	if task = f.commit(run, 1)[0]; task.Attempts != 2 {
		t.Errorf("claimed with %d attempts, want 2", task.Attempts)
	}
	f.commit(run, 0, state.Outcome{Task: task, State: state.Failed, Attempts: 2, Kind: "server", Status: 500, At: epoch})
	f.want(`SELECT attempts FROM tasks`, "4")
}

func TestTasksAreClaimedWhenDueThoseWaitingLongestFirstThenById(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(productStart(7)))
	tasks := f.commit(run, 5)
	at := func(s int) time.Time { return epoch.Add(time.Duration(s) * time.Second) }
	f.commit(run, 0, putOff(tasks[0], at(30)), putOff(tasks[1], at(10)), putOff(tasks[2], at(20)), putOff(tasks[3], at(10)), putOff(tasks[4], time.Time{}))

	for _, step := range []struct {
		second, want int
		ids          []int64
		next         time.Time
	}{
		{0, 1, []int64{5}, time.UnixMilli(0)}, // put back without a time: due at once, and it has the lowest id of those
		{9, 9, []int64{6, 7}, at(10)},
		{9, 9, nil, at(10)},
		{10, 1, []int64{2}, at(10)},
		{20, 9, []int64{4, 3}, at(30)},
		{30, 9, []int64{1}, time.Time{}},
	} {
		got, err := run.Commit(f.ctx, at(step.second), nil, step.want)
		if err != nil {
			t.Fatal(err)
		}
		var ids []int64
		for _, task := range got {
			ids = append(ids, task.ID)
		}
		next, err := run.NextDue(f.ctx)
		if !slices.Equal(ids, step.ids) || !next.Equal(step.next) || err != nil {
			t.Errorf("after %d s, up to %d: claimed %v, next due %v, %v; want %v, %v", step.second, step.want, ids, next, err, step.ids, step.next)
		}
		f.agree(run)
	}
}

// A wait outlives the process that was told to wait: only what was in flight is due at once.
func TestWhatWasPutOffStaysPutOffOverRuns(t *testing.T) {
	for _, ended := range []string{state.Interrupted, ""} {
		t.Run("ended as "+ended, func(t *testing.T) {
			f := newFile(t)
			run := f.open(f.with(productStart(2)))
			tasks := f.commit(run, 2)
			f.commit(run, 0, putOff(tasks[0], epoch.Add(time.Hour)))
			f.close(run, ended)
			run = f.open(f.with(productStart(2)))
			if got := f.commit(run, 9); len(got) != 1 || got[0].ID != 2 {
				t.Errorf("claimed %+v, want only task 2", got)
			}
			if next, err := run.NextDue(f.ctx); !next.Equal(epoch.Add(time.Hour)) || err != nil {
				t.Errorf("next due %v, %v", next, err)
			}
		})
	}
}

func TestEveryFailedAttemptIsARow(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(productStart(3)))
	tasks := f.commit(run, 3)
	at := func(ms int) time.Time { return epoch.Add(time.Duration(ms) * time.Millisecond) }
	recovered := done(tasks[0])
	recovered.Failures = []state.Attempt{
		{Number: 1, At: at(1), Kind: "network", Error: "connection reset", Took: 3 * time.Millisecond},
		{Number: 2, At: at(2), Status: 503, Kind: "server", Error: "503 Service Unavailable", Took: 4 * time.Millisecond},
	}
	waiting := putOff(tasks[1], at(9000))
	waiting.Failures = []state.Attempt{{Number: 1, At: at(3), Status: 429, Kind: "throttled", Error: "429"}}
	f.commit(run, 0, recovered, waiting, failed(tasks[2], "client", 404))
	ms := epoch.UnixMilli()
	f.want(`SELECT task, attempt, at - `+fmt.Sprint(ms)+`, status, kind, error, took_ms FROM attempts ORDER BY id`, lines(
		"1|1|1|NULL|network|connection reset|3", "1|2|2|503|server|503 Service Unavailable|4",
		"2|1|3|429|throttled|429|0", "3|1|0|404|client|it was client|1"))
	// The last attempt of a task that is given up was not followed by another.
	if got, want := run.Tally(), (state.Tally{Done: 1, Failed: 1, Retried: 3, PutOff: 1, Bytes: 300}); got != want {
		t.Errorf("tally is %+v, want %+v", got, want)
	}
	f.want(`SELECT done, failed, retried, put_off, records, rejects, links, bytes FROM runs`, "1|1|3|1|0|0|0|300")
}
