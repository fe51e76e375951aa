package state_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
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
		lines("attempts", "counters", "field_counts", "hosts", "job", "mirror_changes", "mirror_cursors", "page_bodies",
			"rejects", "runs", "starts", "tasks", "ticks"))
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

// A file of the first version is copied before it is changed, and comes out with the same rows and the same schema as a
// file that was made today.
func TestAnOlderFileIsBackedUpAndMigrated(t *testing.T) {
	f, made := newFile(t), newFile(t)
	old, err := os.ReadFile(filepath.Join("..", "testdata", "state", "v1.db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.path, old, 0o644); err != nil {
		t.Fatal(err)
	}
	const tasks = `SELECT id, url, page, key, state, attempts, status, finished_at FROM tasks WHERE finished_at > 0 ORDER BY id`
	want := f.ask(tasks)
	o := f.with()
	o.Text = []byte(f.ask(`SELECT text FROM job`))
	f.close(f.open(o), state.Interrupted)
	backup := f.path + ".v1-" + strconv.FormatInt(epoch.UnixMilli(), 10) + ".bak"
	copied := &file{TB: t, ctx: f.ctx, path: backup}
	copied.want(`PRAGMA user_version`, "1")
	copied.want(`PRAGMA integrity_check`, "ok")
	copied.want(tasks, want)
	copied.want(`SELECT count(*) FROM runs`, "1")
	f.want(tasks, want)
	f.want(`PRAGMA user_version`, strconv.Itoa(len(schema.Migrations())))
	f.want(`PRAGMA integrity_check`, "ok")

	made.close(made.open(made.with()), state.Finished)
	const columns = `SELECT m.name, c.name, c.type, c."notnull", c.dflt_value, c.pk, c.hidden FROM sqlite_schema m, pragma_table_xinfo(m.name) c
		WHERE m.name NOT IN ('products', 'details') AND m.name NOT LIKE 'sqlite%' AND m.type <> 'index' ORDER BY 1, c.cid`
	f.want(columns, made.ask(columns))
}

func TestAFileIsBackedUpOnlyOnce(t *testing.T) {
	f := newFile(t)
	f.close(f.open(f.with()), state.Finished)
	f.close(f.open(f.with()), state.Finished)
	if found, _ := filepath.Glob(f.path + "*.bak"); len(found) > 0 {
		t.Errorf("a file of today's version was backed up: %v", found)
	}
}
