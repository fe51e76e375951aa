package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"dogear/schema"
)

const (
	knownTaskSQL = `SELECT id, state, run, parent, carry FROM tasks WHERE key = ?`
	recarrySQL   = `UPDATE tasks SET carry = ? WHERE id = ?`
	onceMore     = `UPDATE tasks SET state = 'pending', attempts = 0, not_before = 0, status = NULL
		WHERE id = ? AND state = 'done'`
	staleSQL = `SELECT carry IS NOT ? FROM tasks WHERE id = ?`
)

// carrier knows in which tasks what they carry is of now, because where they come from was read again in this run.
type carrier struct {
	now   map[int64]bool
	stale bool             // some are in flight with what they carried before
	fresh map[int64]string // what those carry now, of the last commit

	imported bool // there are tasks of a checkpoint, which knows nothing of what they carry
}

// knownTask is a task that a link leads to, as it is.
type knownTask struct {
	id, run, parent int64
	state, carry    string
}

// given finds the tasks of requests whose source was read again (a page, or a list that changed; parent is its task, 0
// for a list), and has them carry what it says now. The source of a task is the one that it was found in first; of two
// requests in it the first counts. Another one, to which it may have moved, has its say once, and before its own has:
// a task on ever so many pages must not change with each of them. again is called with each task that carries something
// else than before.
//
// fresh: the source is read for the first time, and has its say only where nobody had: a task that was imported.
func (r *Run) given(
	ctx context.Context, links []schema.Request, parent int64, fresh bool, again func(*knownTask) error,
) error {
	if r.carrier.now == nil {
		r.carrier.now, r.carrier.fresh = map[int64]bool{}, map[int64]string{}
	}
	seen := map[int64]bool{}
	for i := range links {
		q := &links[i]
		if q.Carry == "" && (parent == 0 || fresh) {
			continue
		}
		t, err := r.known(ctx, q.Key())
		if err != nil {
			return err
		}
		own := t != nil && t.parent == parent
		unsaid := t != nil && t.parent == 0 && t.carry == "" && (own || t.run == 0 || r.carrier.imported)
		switch {
		case t == nil, seen[t.id], own && parent == 0 && r.carrier.now[t.id]:
			continue
		case fresh && !unsaid:
			continue
		case !own && !unsaid && (q.Carry == "" || parent == 0 || t.parent == 0 || r.carrier.now[t.id]):
			continue
		}
		seen[t.id] = true
		if q.Carry == "" && t.carry == "" {
			continue
		}
		if r.carrier.now[t.id] = true; t.carry == q.Carry {
			continue
		}
		if _, err := r.stmts.recarry.ExecContext(ctx, orNull(q.Carry), t.id); err != nil {
			return fmt.Errorf("carry: %w", err)
		}
		t.carry = q.Carry
		if err := again(t); err != nil {
			return err
		}
	}
	return nil
}

// known is the task with a key; nil when there is none.
func (r *Run) known(ctx context.Context, key string) (*knownTask, error) {
	var t knownTask
	var run, parent sql.NullInt64
	var carry sql.NullString
	err := r.stmts.known.QueryRowContext(ctx, key).Scan(&t.id, &t.state, &run, &parent, &carry)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("look for a known task: %w", err)
	}
	t.run, t.parent, t.carry = run.Int64, parent.Int64, carry.String
	return &t, nil
}

// regiven is given in a run that fetches. What this run already fetched with what it carried before is fetched once
// more; what an earlier one did, when it is put back the next time.
func (r *Run) regiven(ctx context.Context, links []schema.Request, parent int64, fresh bool) error {
	return r.given(ctx, links, parent, fresh, func(t *knownTask) error {
		switch {
		case t.state == InFlight:
			r.carrier.stale = true
			r.carrier.fresh[t.id] = t.carry
		case t.state == Done && t.run == r.ID:
			if _, err := r.conn.ExecContext(ctx, onceMore, t.id); err != nil {
				return fmt.Errorf("fetch with what it carries now: %w", err)
			}
			r.counts.Done--
			r.counts.Pending++
		}
		return nil
	})
}

// Recarried is what tasks carry now that were claimed before the last commit, by their ids. An outcome of what such a
// task carried before does not land: it is put back.
func (r *Run) Recarried() map[int64]string { return r.carrier.fresh }

// outdated reports whether a task carries something else since it was claimed: then its outcome is of no use.
func (r *Run) outdated(ctx context.Context, t *Task) (old bool, err error) {
	if !r.carrier.stale {
		return false, nil
	}
	err = r.conn.QueryRowContext(ctx, staleSQL, orNull(t.Carry), t.ID).Scan(&old)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return old, err
}
