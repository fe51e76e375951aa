package state_test

import (
	"fmt"
	"strings"
	"testing"

	"dogear/schema"
	"dogear/state"
)

func TestTheMigrationsMakeAnEmptyFileIntoAStateFile(t *testing.T) {
	f := newFile(t)
	for i, text := range schema.Migrations() {
		raw(text)(t, f.path)
		raw(fmt.Sprintf(`PRAGMA application_id = %d; PRAGMA user_version = %d`, schema.ApplicationID, i+1))(t, f.path)
	}
	f.want(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name`,
		lines("attempts", "counters", "hosts", "job", "rejects", "runs", "starts", "tasks", "ticks"))
	f.want(`SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite%'`, "")
	f.want(`SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name`, lines("failures", "progress", "recent"))
	f.want(`SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name`,
		lines("attempts_task", "rejects_task", "tasks_failed", "tasks_in_flight", "tasks_pending"))
	f.want(`SELECT * FROM progress`, "0|0|0|0|0|0|0|0")
	f.want(`SELECT * FROM failures`, "")
	f.want(`SELECT * FROM recent`, "")

	run := f.open(f.with(productStart(2)))
	if !run.Found.New {
		t.Error("a file that no run has used yet is new")
	}
	f.commit(run, 2)
	f.close(run, state.Interrupted)
}

func TestAMadeFileHasExactlyTheSchemaOfTheMigrations(t *testing.T) {
	made, want := newFile(t), newFile(t)
	made.close(made.open(made.with()), state.Finished)
	for _, text := range schema.Migrations() {
		raw(text)(t, want.path)
	}
	const q = `SELECT type, name, sql FROM sqlite_schema ORDER BY type, name`
	made.want(q, want.ask(q))
}

// What a task may be is held by the table itself, whoever writes to it.
func TestTheTableRefusesStatesThatMeanNothing(t *testing.T) {
	f := newFile(t)
	f.close(f.open(f.with()), state.Finished)
	db := openRaw(t, f.path)
	const columns = `INSERT INTO tasks (url, page, created_at, state, run, finished_at, error_kind) `
	for _, c := range []struct {
		name, values string
		ok           bool
	}{
		{"pending", `VALUES ('u1', 'page', 0, 'pending', NULL, NULL, NULL)`, true},
		{"in-flight for a run", `VALUES ('u2', 'page', 0, 'in-flight', 1, NULL, NULL)`, true},
		{"in-flight for nobody", `VALUES ('u3', 'page', 0, 'in-flight', NULL, NULL, NULL)`, false},
		{"done without a time", `VALUES ('u4', 'page', 0, 'done', 1, NULL, NULL)`, false},
		{"failed without a reason", `VALUES ('u5', 'page', 0, 'failed', 1, 5, NULL)`, false},
		{"failed with a reason", `VALUES ('u6', 'page', 0, 'failed', 1, 5, 'network')`, true},
		{"a state that does not exist", `VALUES ('u7', 'page', 0, 'in_flight', 1, 5, 'network')`, false},
		{"a key that is there already", `VALUES ('u1', 'page', 0, 'pending', NULL, NULL, NULL)`, false},
		{"text for a number", `VALUES ('u8', 'page', 'today', 'pending', NULL, NULL, NULL)`, false},
	} {
		if _, err := db.Exec(columns + c.values); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func lines(l ...string) string { return strings.Join(l, "\n") }
