package powercut

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
)

// What a power cut must not do to a state file.
var (
	errLost    = errors.New("the file is not any commit from the floor on")
	errDamaged = errors.New("integrity_check is not ok")
	errTorn    = errors.New("a commit is there in part")
)

// allowed are the states that a power cut may leave: the floor, then each commit written after it, oldest first. They
// are read when they are needed: most of the time it is the floor.
type allowed func(i int) (state snapshot, more bool, err error)

// check holds a rebuilt state file against the states that it may have, and itself.
func check(path string, states allowed) error {
	db, err := open(path)
	if err != nil {
		return err
	}
	if db != nil {
		defer db.Close()
	}
	got, err := read(db)
	if err != nil {
		return errors.Join(errDamaged, err)
	}
	if err := compare(got, states); err != nil || got == nil {
		return err
	}
	return errors.Join(whole(db), consistent(db))
}

func compare(got snapshot, states allowed) error {
	var floor snapshot
	for i := 0; ; i++ {
		state, more, err := states(i)
		switch {
		case err != nil:
			return err
		case !more:
			return fmt.Errorf("%w: of the floor's %d rows it lacks %s\nand of its own %d the floor has not %s",
				errLost, len(floor), brief(missing(floor, got)), len(got), brief(missing(got, floor)))
		case slices.Equal(got, state):
			return nil
		case i == 0:
			floor = state
		}
	}
}

func whole(db *sql.DB) error {
	said, err := column(db, `PRAGMA integrity_check`)
	if err != nil || len(said) != 1 || said[0] != "ok" {
		return errors.Join(fmt.Errorf("%w: %s", errDamaged, brief(said)), err)
	}
	return nil
}

// contradictions are queries that find what one transaction can't have left.
var contradictions = []struct{ name, query string }{
	{"counters that are not the rows'", `
SELECT 'counters' FROM counters WHERE pending <> (SELECT count(*) FROM tasks WHERE state = 'pending')
 OR in_flight <> (SELECT count(*) FROM tasks WHERE state = 'in-flight')
 OR done <> (SELECT count(*) FROM tasks WHERE state = 'done')
 OR failed <> (SELECT count(*) FROM tasks WHERE state = 'failed')`},
	{"products done without their record", `
SELECT url FROM tasks WHERE page = 'product' AND state = 'done' AND id NOT IN (SELECT _task FROM products)`},
	{"details done without their record", `
SELECT url FROM tasks WHERE page = 'detail' AND state = 'done' AND id NOT IN (SELECT _task FROM details)`},
	{"records of tasks that are not done", `
SELECT name FROM products WHERE _task NOT IN (SELECT id FROM tasks WHERE state = 'done')
UNION ALL SELECT url FROM details WHERE _task NOT IN (SELECT id FROM tasks WHERE state = 'done')`},
	{"records that are there twice", `SELECT name FROM products GROUP BY product_id HAVING count(*) > 1
UNION ALL SELECT url FROM details GROUP BY url HAVING count(*) > 1`},
	{"listings done without the ten links on them", `
SELECT url FROM tasks AS t WHERE page = 'listing' AND state = 'done'
 AND (SELECT count(*) FROM tasks WHERE parent = t.id AND page = 'detail') <> 10`},
	{"links of a listing that is not done", `
SELECT url FROM tasks WHERE parent IS NOT NULL AND parent NOT IN (SELECT id FROM tasks WHERE state = 'done')`},
	{"failed tasks without their attempts", `
SELECT url FROM tasks AS t WHERE state = 'failed' AND (SELECT count(*) FROM attempts WHERE task = t.id) <> attempts`},
}

// consistent looks for commits that are there in part.
func consistent(db *sql.DB) error {
	tables, err := column(db, `SELECT name FROM sqlite_schema WHERE name = 'products'`)
	if err != nil || len(tables) == 0 {
		return err // the first commit makes the state file, the second one the job's tables
	}
	var errs []error
	for _, c := range contradictions {
		found, err := column(db, c.query)
		if err != nil {
			return err
		}
		if len(found) > 0 {
			errs = append(errs, fmt.Errorf("%w: %s: %s", errTorn, c.name, brief(found)))
		}
	}
	return errors.Join(errs...)
}
