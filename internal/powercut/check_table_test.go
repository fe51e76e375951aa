package powercut

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// small is a state file of the job's shape, made by hand, that has a commit's worth of everything.
const small = `
CREATE TABLE tasks (id INTEGER PRIMARY KEY, url TEXT, page TEXT, state TEXT, parent INTEGER, attempts INTEGER);
CREATE TABLE attempts (id INTEGER PRIMARY KEY, task INTEGER);
CREATE TABLE counters (pending INTEGER, in_flight INTEGER, done INTEGER, failed INTEGER);
CREATE TABLE products (_seq INTEGER PRIMARY KEY, _task INTEGER, product_id INTEGER, name TEXT);
CREATE TABLE details (_seq INTEGER PRIMARY KEY, _task INTEGER, url TEXT);
INSERT INTO tasks VALUES (1, 'p1', 'product', 'done', NULL, 1), (2, 'p2', 'product', 'failed', NULL, 2),
 (3, 'l', 'listing', 'done', NULL, 1), (4, 'p3', 'product', 'in-flight', NULL, 0);
WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 19)
INSERT INTO tasks SELECT i, 'd' || i, 'detail', iif(i = 10, 'done', 'pending'), 3, 0 FROM n;
INSERT INTO attempts (task) VALUES (2), (2);
INSERT INTO products VALUES (1, 1, 1, 'one');
INSERT INTO details VALUES (1, 10, 'd10');
INSERT INTO counters VALUES (9, 1, 3, 1);`

// nothingDone takes the file back to where tasks are claimed and none has an outcome.
const nothingDone = `DELETE FROM tasks WHERE id <> 4; DELETE FROM attempts; DELETE FROM products; DELETE FROM details;
UPDATE counters SET pending = 0, done = 0, failed = 0;`

// The check must be able to fail: each harm is done to a file that is good without it.
func TestTheCheckSeesEachHarm(t *testing.T) {
	for _, c := range []struct {
		name, harm string
		want       error
	}{
		{"no harm", ``, nil},
		{"nothing done yet", nothingDone, nil},
		{"a task done is pending", `UPDATE tasks SET state = 'pending' WHERE id = 1`, errTorn},
		{"counters of another moment", `UPDATE counters SET done = done - 1`, errTorn},
		{"a product without its record", `DELETE FROM products`, errTorn},
		{"a detail without its record", `DELETE FROM details`, errTorn},
		{"a record without its task done", `INSERT INTO products VALUES (2, 4, 3, 'three')`, errTorn},
		{"a record twice", `INSERT INTO products VALUES (2, 1, 1, 'one')`, errTorn},
		{"a listing without one of its links", `DELETE FROM tasks WHERE id = 19; UPDATE counters SET pending = 8`, errTorn},
		{"links of a listing that is not done",
			`UPDATE tasks SET state = 'in-flight' WHERE id = 3; UPDATE counters SET in_flight = 2, done = 2`, errTorn},
		{"a failed task without an attempt", `DELETE FROM attempts WHERE id = 1`, errTorn},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := madeBy(t, small+c.harm)
			state, err := readState(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := check(path, only(state.rows)); !errors.Is(err, c.want) || (c.want == nil) != (err == nil) {
				t.Errorf("by itself: %v, want %v", err, c.want)
			}
			good, err := readState(madeBy(t, small))
			if err != nil {
				t.Fatal(err)
			}
			if err := check(path, only(good.rows)); c.harm != "" && !errors.Is(err, errLost) {
				t.Errorf("against the floor: %v", err)
			}
		})
	}
}

func TestTheCheckTakesTheFloorOrACommitAfterIt(t *testing.T) {
	read := func(path string) snapshot {
		s, err := readState(path)
		if err != nil {
			t.Fatal(err)
		}
		return s.rows
	}
	later := small + `UPDATE tasks SET state = 'pending' WHERE id = 4; UPDATE counters SET pending = 10, in_flight = 0`
	before, after := read(madeBy(t, small)), read(madeBy(t, later))
	if err := check(madeBy(t, later), only(before, after)); err != nil {
		t.Errorf("the commit after the floor: %v", err)
	}
	if err := check(madeBy(t, small), only(after)); !errors.Is(err, errLost) {
		t.Errorf("the commit before the floor: %v", err)
	}
	none := filepath.Join(t.TempDir(), "none.db")
	if err := check(none, only(nil)); err != nil {
		t.Errorf("no file, where none is owed: %v", err)
	}
	if err := check(none, only(after)); !errors.Is(err, errLost) {
		t.Errorf("no file: %v", err)
	}
}

func TestTheCheckSeesADamagedPage(t *testing.T) {
	path := madeBy(t, small+`CREATE INDEX by_url ON tasks (url)`)
	good, err := readState(path)
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copy(content[len(content)-3:], "zzz") // the index's first entry: no row is changed by it
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := check(path, only(good.rows)); !errors.Is(err, errDamaged) {
		t.Errorf("a damaged index: %v", err)
	}
}

// only allows these states.
func only(states ...snapshot) allowed {
	return func(i int) (snapshot, bool, error) {
		if i >= len(states) {
			return nil, false, nil
		}
		return states[i], true, nil
	}
}

func madeBy(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "small.db")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	db, err := openExisting(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(script); err != nil {
		t.Fatal(err)
	}
	return path
}
