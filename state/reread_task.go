package state

import (
	"context"
	"encoding/json"
	"fmt"
)

// settle makes the task what the new rules say. How it was fetched stays as it is.
func (w *Rereader) settle(ctx context.Context, p *Reread) error {
	k, o := &p.Kept, &p.Outcome
	if k.State == o.State && k.Kind == o.Kind && k.Error == o.Error {
		return nil
	}
	result, err := w.stmts.settle.ExecContext(ctx, o.State, orNull(o.Kind), orNull(o.Error),
		k.Task.ID, k.State, k.Body.At.UnixMilli())
	if err != nil {
		return fmt.Errorf("settle: %w", err)
	}
	if n, err := result.RowsAffected(); n != 1 || err != nil {
		w.run.doubt = true // somebody changed it by hand
		return err
	}
	c := &w.run.counts
	switch {
	case k.State == Done && o.State == Failed:
		c.Done, c.Failed = c.Done-1, c.Failed+1
		w.changes.NowFailed++
	case k.State == Failed && o.State == Done:
		c.Done, c.Failed = c.Done+1, c.Failed-1
		w.changes.NowDone++
	default:
		w.changes.Reasons++
	}
	return nil
}

// replaceRejects leaves those that are the same as they are, and those of an earlier answer that this one does not
// replace.
func (w *Rereader) replaceRejects(ctx context.Context, p *Reread) error {
	at := p.Kept.Body.At.UnixMilli()
	same, old, err := w.sameRejects(ctx, p, at)
	if err != nil || same {
		return err
	}
	list, err := json.Marshal(old)
	if err != nil {
		return err
	}
	if len(old) > 0 {
		const drop = `DELETE FROM rejects WHERE id IN (SELECT value FROM json_each(?))`
		if _, err := w.run.conn.ExecContext(ctx, drop, string(list)); err != nil {
			return fmt.Errorf("drop old rejects: %w", err)
		}
	}
	for i := range p.Outcome.Rejects {
		j := &p.Outcome.Rejects[i]
		_, err := w.run.stmts.reject.ExecContext(ctx, p.Kept.Task.ID, j.Table, j.Field+": "+j.Reason, j.Raw, at)
		if err != nil {
			return fmt.Errorf("keep reject: %w", err)
		}
	}
	if len(old) > 0 && len(p.Outcome.Rejects) > 0 && p.Outcome.State == p.Kept.State && p.Outcome.Error == p.Kept.Error {
		w.changes.Reasons++ // else it is counted by its state
	}
	w.run.tally.Rejects += int64(len(p.Outcome.Rejects))
	return nil
}

// sameRejects reports whether the rejects that there are, are those of now, and which ones are in their place.
func (w *Rereader) sameRejects(ctx context.Context, p *Reread, at int64) (same bool, old []int64, err error) {
	rows, err := w.stmts.rejects.QueryContext(ctx, p.Kept.Task.ID)
	if err != nil {
		return false, nil, fmt.Errorf("read rejects: %w", err)
	}
	defer rows.Close()
	same = true
	for rows.Next() {
		var id, when int64
		var table, reason, raw string
		if err := rows.Scan(&id, &table, &reason, &raw, &when); err != nil {
			return false, nil, fmt.Errorf("read rejects: %w", err)
		}
		if when != at && p.Outcome.State != Done {
			continue
		}
		if n := len(old); n < len(p.Outcome.Rejects) {
			j := &p.Outcome.Rejects[n]
			same = same && table == j.Table && reason == j.Field+": "+j.Reason && raw == j.Raw
		}
		old = append(old, id)
	}
	return same && len(old) == len(p.Outcome.Rejects), old, rows.Err()
}
