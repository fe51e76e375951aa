package state

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"dogear/schema"
)

// ImportKind is the error_kind of a task that is failed because an imported checkpoint says so.
const ImportKind = "import"

const importError = "failed in the checkpoint that was imported"

// ImportSize is how many tasks one transaction of Import takes at the most, so that the WAL stays small.
const ImportSize = 4096

// Imported is a task that another program finished or gave up.
type Imported struct {
	Request schema.Request
	State   string // Done or Failed
	Sure    bool   // of a Done one: said of this very task, so that it is done though it failed here
}

// ImportCounts are what became of imported tasks. Those in none of them were what they were to become.
type ImportCounts struct {
	Done, Failed int64
	LeftOut      int64 // not added because of RunOptions.MaxTasks
	Kept         []int // the numbers, in what was given, of Failed ones that are done, and stay so
}

// Import takes over what another program did: done and failed tasks, without records, which are added where no task
// stands for the request yet. A done task stays as it is, a failed one becomes done only when that is Sure. Each
// ImportSize of tasks is a transaction: after an error, the end of the process or of ctx, importing the same again
// comes to the same.
func (r *Run) Import(ctx context.Context, now time.Time, tasks []Imported) (c ImportCounts, err error) {
	whole := context.WithoutCancel(ctx) // one that is interrupted would be rolled back
	for from := 0; from < len(tasks); from += ImportSize {
		if err := errors.Join(ctx.Err(), r.present()); err != nil {
			return c, err
		}
		part, before, total := tasks[from:min(len(tasks), from+ImportSize)], r.memory(), c
		err := r.tx(whole, func() error {
			for at := 0; at < len(part); {
				n := same(part[at:])
				if err := r.importAlike(whole, now, part[at:at+n], from+at, &total); err != nil {
					return err
				}
				at += n
			}
			return r.writeCounts(whole)
		})
		if err != nil {
			r.restore(before)
			return c, fmt.Errorf("import into %s: %w", r.path, r.explain(err))
		}
		c = total
		r.keepWAL(whole, now)
	}
	return c, nil
}

// same is how many of the first tasks are to become the same.
func same(tasks []Imported) int {
	n := 1
	for n < len(tasks) && tasks[n].State == tasks[0].State && tasks[n].Sure == tasks[0].Sure {
		n++
	}
	return n
}

const (
	importDoneSQL = `UPDATE tasks
		SET state = 'done', not_before = 0, error_kind = NULL, error = NULL, finished_at = ?, spare = NULL
		WHERE key IN (SELECT value FROM json_each(?)) AND state = ?`
	importFailedSQL = `UPDATE tasks
		SET state = 'failed', not_before = 0, error_kind = ?, error = ?, finished_at = ?, spare = NULL
		WHERE key IN (SELECT value FROM json_each(?)) AND state = 'pending'`
	importKeptSQL = `SELECT k.key FROM json_each(?) k CROSS JOIN tasks t ON t.key = k.value WHERE t.state = 'done'`
	importedSQL   = `SELECT count(*) FROM json_each(?) k CROSS JOIN tasks t ON t.key = k.value`
)

// importAlike adds tasks that are to become the same, as pending ones, and then finishes what is pending of them. first
// is the number of the first.
func (r *Run) importAlike(ctx context.Context, now time.Time, tasks []Imported, first int, c *ImportCounts) error {
	requests, keys := make([]schema.Request, len(tasks)), make([]string, len(tasks))
	for i := range tasks {
		requests[i], keys[i] = tasks[i].Request, tasks[i].Request.Key()
	}
	list, err := json.Marshal(keys)
	if err != nil {
		return err
	}
	dropped := r.dropped
	if _, err := r.addTasks(ctx, now, requests, 0, 0); err != nil {
		return err
	}
	if r.dropped > dropped {
		r.dropped = dropped // it counts what the run itself leaves out
		if err := r.leftOut(ctx, string(list), len(tasks), c); err != nil {
			return err
		}
	}
	if tasks[0].State == Failed {
		return r.importFailed(ctx, now, string(list), first, c)
	}
	return r.importDone(ctx, now, string(list), tasks[0].Sure, c)
}

func (r *Run) leftOut(ctx context.Context, keys string, given int, c *ImportCounts) error {
	var known int64
	if err := r.conn.QueryRowContext(ctx, importedSQL, keys).Scan(&known); err != nil {
		return fmt.Errorf("look for tasks: %w", err)
	}
	c.LeftOut += int64(given) - known
	return nil
}

func (r *Run) importDone(ctx context.Context, now time.Time, keys string, sure bool, c *ImportCounts) error {
	n, err := r.imported(ctx, &r.counts.Pending, &r.counts.Done, importDoneSQL, now.UnixMilli(), keys, Pending)
	c.Done += n
	if err != nil || !sure {
		return err
	}
	n, err = r.imported(ctx, &r.counts.Failed, &r.counts.Done, importDoneSQL, now.UnixMilli(), keys, Failed)
	c.Done += n
	return err
}

func (r *Run) importFailed(ctx context.Context, now time.Time, keys string, first int, c *ImportCounts) error {
	n, err := r.imported(ctx, &r.counts.Pending, &r.counts.Failed, importFailedSQL, ImportKind, importError,
		now.UnixMilli(), keys)
	c.Failed += n
	if err != nil {
		return err
	}
	rows, err := r.conn.QueryContext(ctx, importKeptSQL, keys)
	if err != nil {
		return fmt.Errorf("look for done tasks: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var at int
		if err := rows.Scan(&at); err != nil {
			return fmt.Errorf("look for done tasks: %w", err)
		}
		c.Kept = append(c.Kept, first+at)
	}
	return rows.Err()
}

// imported runs a statement that finishes tasks and moves their number from one counter to another.
func (r *Run) imported(ctx context.Context, from, to *int64, query string, args ...any) (int64, error) {
	result, err := r.conn.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, fmt.Errorf("finish imported tasks: %w", err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		return 0, err
	}
	if n > *from {
		return n, r.recount(ctx)
	}
	*from -= n
	*to += n
	return n, nil
}

// advanced is up to how many values of starts become tasks after an import, all of them.
const advanced = 1_000_000

// Advance adds the tasks of the starts, passing over what was imported: all of them where they are no more than a
// million, so that the counts are exact, else as far ahead as a run would. What is imported beyond is counted twice
// until then.
func (r *Run) Advance(ctx context.Context, now time.Time) error {
	if r.counts.Ahead <= advanced {
		r.lifted = r.counts.Pending + r.counts.Ahead
		defer func() { r.lifted, r.full = 0, r.counts.Pending >= MaxPending }()
	}
	for r.Addable() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := r.Commit(ctx, now, nil, 0); err != nil {
			return err
		}
	}
	return r.read.broken
}
