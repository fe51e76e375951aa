package cli_test

import (
	"slices"
	"testing"

	"dogear/internal/testenv"
)

// killPoint is where a command is killed: before the n-th call, for every n in when, that one of its threads makes on a
// file. What a command does in one go it does on one thread, as a rule; holds says for sure where the kill came.
type killPoint struct {
	name  string
	bulk  bool                     // the records are large
	from  func(*testing.T, string) // puts a state file beside the job file; nil: there is none
	args  []string                 // the command, without the job; nil: run
	call  string                   // before which the command is killed
	file  calledOn
	when  []int
	holds string // a query on what the kill left, which must say 1; "": there may be no tables yet
}

// calledOn is a file by what follows the state file's name in its own; "any" is no file in particular.
type calledOn string

const (
	anyFile calledOn = "any"
	data    calledOn = ""
	log     calledOn = "-wal"
	journal calledOn = "-journal"
	shared  calledOn = "-shm"
)

func (f calledOn) of(jobPath string) string {
	if f == anyFile {
		return ""
	}
	return stateOf(jobPath) + string(f)
}

// after makes the state file by a command that is not disturbed.
func after(code int, args ...string) func(*testing.T, string) {
	return func(t *testing.T, jobPath string) { dogearRun(t, code, append(args, jobPath)...) }
}

// died makes the state file by a run that is killed before its first request.
func died(t *testing.T, jobPath string) {
	tool := testenv.Tool(t, "strace", "strace")
	if c := traced(t, tool, "", "connect:signal=SIGKILL:when=1", "run", jobPath); c.exit() != -1 {
		t.Fatalf("it was not killed; it said:\n%s", c.said())
	}
}

// begun makes the state file by a run that is killed before it adds tasks.
func begun(t *testing.T, jobPath string) {
	tool := testenv.Tool(t, "strace", "strace")
	for range threadPatience {
		traced(t, tool, log.of(jobPath), "fsync:signal=SIGKILL:when=3", "run", jobPath).exit()
		if slices.Equal(rows(t, copied(t, stateOf(jobPath)), unseeded), []string{"1"}) {
			return
		}
		dogearRun(t, 0, "reset", jobPath, "--yes")
	}
	t.Fatalf("in %d runs none was killed before it added tasks", threadPatience)
}

// What holds of a state file.
const (
	lastEnded = `(SELECT ended FROM runs ORDER BY id DESC LIMIT 1)`
	unseeded  = `SELECT pending + in_flight + done + failed = 0 FROM counters`
	claimed   = `SELECT in_flight > 0 AND done + failed = 0 FROM counters`
	midway    = `SELECT pending + in_flight > 0 AND done > 0 AND ` + lastEnded + ` IS NULL FROM counters`
	allDone   = `SELECT pending + in_flight = 0 AND ` + lastEnded + ` IS NULL FROM counters`
	refreshed = `SELECT done = 0 AND in_flight > 0 AND failed > 0 FROM counters`
	stopped   = `SELECT ` + lastEnded + ` = 'stopped'`
	finished  = `SELECT ` + lastEnded + ` = 'finished'`
)

var (
	half    = after(3, "run", "--limit", "60")
	whole   = after(3, "run")
	retry   = []string{"retry"}
	refresh = []string{"refresh", "--older-than", "0s"}
)

var killPoints = []killPoint{
	{name: "the file is made", call: "pwrite64", file: data, when: []int{1}},
	{name: "its first journal is written", call: "pwrite64", file: journal, when: []int{1, 2}},
	{name: "its first journal is synced", call: "fsync", file: journal, when: []int{1, 2}},
	{name: "its first journal goes", call: "unlink", file: journal, when: []int{1}},
	{name: "its shared memory is made", call: "pwrite64", file: shared, when: []int{1, 4}},
	{name: "the schema is written", call: "pwrite64", file: log, when: []int{1, 2, 20, 40}},
	{name: "the schema is synced", call: "fsync", file: log, when: []int{1, 2}},
	{name: "the run begins", from: begun, call: "pwrite64", file: log, when: []int{1, 4, 7}, holds: unseeded},
	{name: "tasks are seeded", from: begun, call: "pwrite64", file: log, when: []int{12, 18, 26}, holds: unseeded},
	{name: "the seeded tasks are synced", from: begun, call: "fsync", file: log, when: []int{2}, holds: claimed},
	{name: "between claim and fetch", call: "connect", file: anyFile, when: []int{1, 2}, holds: claimed},
	{name: "a run carries on", from: half, call: "pwrite64", file: log, when: []int{1, 2, 5}, holds: stopped},
	{name: "tasks are claimed", from: half, call: "pwrite64", file: log, when: []int{6, 7, 13, 21}, holds: midway},
	{name: "within a commit", from: half, call: "pwrite64", file: log, when: []int{25, 32, 43}, holds: midway},
	{name: "a commit is synced", from: half, call: "fsync", file: log, when: []int{3, 4}, holds: midway},
	{name: "the closing checkpoint", from: half,
		call: "pwrite64", file: data, when: []int{1, 2, 9, 20}, holds: finished},
	{name: "the closing checkpoint is synced", from: half,
		call: "fsync", file: data, when: []int{1}, holds: finished},
	{name: "the log goes", from: half, call: "unlink", file: log, when: []int{1}, holds: finished},
	{name: "a checkpoint midway", bulk: true, from: half,
		call: "pwrite64", file: data, when: []int{1, 50, 3000}, holds: midway},
	{name: "a checkpoint midway is synced", bulk: true, from: half,
		call: "fsync", file: data, when: []int{1}, holds: midway},
	{name: "a reader's checkpoint", from: died, args: []string{"status"},
		call: "pwrite64", file: data, when: []int{1, 9}, holds: claimed},
	{name: "failed tasks are put back", from: whole, args: retry,
		call: "pwrite64", file: log, when: []int{7, 15}, holds: allDone},
	{name: "failed tasks were put back", from: whole, args: retry,
		call: "connect", file: anyFile, when: []int{1}, holds: midway},
	{name: "done tasks are put back", from: whole, args: refresh,
		call: "pwrite64", file: log, when: []int{7, 15}, holds: allDone},
	{name: "done tasks were put back", from: whole, args: refresh,
		call: "connect", file: anyFile, when: []int{1}, holds: refreshed},
}
