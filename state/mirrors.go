package state

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync/atomic"
)

// Mirror is a live copy of the progress elsewhere that is told what changes. Who keeps it up to date says how far it
// is, from any goroutine; the next commit writes that into the file and drops the changes that all mirrors have.
type Mirror struct {
	Target string // where it is, without a password

	at atomic.Int64 // cursor + 1; 0: it has none
}

// Reached says that the mirror has the changes up to seq.
func (m *Mirror) Reached(seq int64) { m.at.Store(seq + 1) }

// trimSize is how many changes one commit drops at the most: a mirror may have been away for millions.
const trimSize = 1 << 16

// mirrorKeeper is what a run knows of its mirrors. Without any, nothing is written for them.
type mirrorKeeper struct {
	mirrors []*Mirror
	written []int64 // by mirror: its cursor as it stands in the file, -1 when it has none
	trimmed int64   // changes up to this one are gone
	fresh   []int64 // tasks that finish in this commit; negative: they had finished before
}

const (
	cursorSQL = `INSERT INTO mirror_cursors (target, seq) VALUES (?, ?)
		ON CONFLICT (target) DO UPDATE SET seq = excluded.seq`
	changeSQL  = `INSERT INTO mirror_changes (task) SELECT value FROM json_each(?)`
	trimSQL    = `DELETE FROM mirror_changes WHERE seq <= ?`
	othersSQL  = `DELETE FROM mirror_cursors WHERE target NOT IN (SELECT value FROM json_each(?))`
	cursorsSQL = `SELECT target, seq FROM mirror_cursors`
)

// keepMirrors is part of the first transaction: it drops the cursors of targets that this run does not have, and the
// changes that nobody needs any more.
func (r *Run) keepMirrors(ctx context.Context, mirrors []*Mirror) error {
	k := &r.mirrors
	k.mirrors, k.written = mirrors, make([]int64, len(mirrors))
	targets := make([]string, len(mirrors))
	for i, m := range mirrors {
		targets[i], k.written[i] = m.Target, -1
	}
	if r.missing > 0 {
		return r.forgetMirrors(ctx) // they may have changes that the file lost
	}
	text, err := json.Marshal(targets)
	if err != nil {
		return err
	}
	if _, err := r.conn.ExecContext(ctx, othersSQL, string(text)); err != nil {
		return fmt.Errorf("drop cursors of mirrors: %w", err)
	}
	cursors, err := mirrorCursors(ctx, r.conn)
	if err != nil {
		return err
	}
	if len(cursors) == 0 {
		return r.forgetChanges(ctx)
	}
	for i, m := range mirrors {
		if seq, ok := cursors[m.Target]; ok {
			k.written[i] = seq
			m.Reached(seq)
		}
	}
	row := r.conn.QueryRowContext(ctx, `SELECT coalesce(min(seq), 1) - 1 FROM mirror_changes`)
	if err := row.Scan(&k.trimmed); err != nil {
		return fmt.Errorf("look for changes: %w", err)
	}
	return nil
}

func mirrorCursors(ctx context.Context, q querier) (map[string]int64, error) {
	rows, err := q.QueryContext(ctx, cursorsSQL)
	if err != nil {
		return nil, fmt.Errorf("read cursors of mirrors: %w", err)
	}
	defer rows.Close()
	cursors := map[string]int64{}
	for rows.Next() {
		var target string
		var seq int64
		if err := rows.Scan(&target, &seq); err != nil {
			return nil, fmt.Errorf("read cursors of mirrors: %w", err)
		}
		cursors[target] = seq
	}
	return cursors, rows.Err()
}

// forgetMirrors takes every mirror its cursor, since finished tasks were put back: no change says so, and all of them
// are made from the beginning. It is part of the transaction that puts them back.
func (r *Run) forgetMirrors(ctx context.Context) error {
	// Without WHERE it would write a page even when there is none.
	if _, err := r.conn.ExecContext(ctx, `DELETE FROM mirror_cursors WHERE true`); err != nil {
		return fmt.Errorf("drop cursors of mirrors: %w", err)
	}
	for i, m := range r.mirrors.mirrors {
		m.at.Store(0)
		r.mirrors.written[i] = -1
	}
	return r.forgetChanges(ctx)
}

func (r *Run) forgetChanges(ctx context.Context) error {
	var any bool
	row := r.conn.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM mirror_changes)`)
	if err := row.Scan(&any); err != nil {
		return fmt.Errorf("look for changes: %w", err)
	}
	if !any {
		return nil // dropping nothing would write a page too
	}
	if _, err := r.conn.ExecContext(ctx, `DELETE FROM mirror_changes`); err != nil { // without WHERE it reads no row
		return fmt.Errorf("drop changes: %w", err)
	}
	return nil
}

// changed notes for the mirrors that a task finishes.
func (r *Run) changed(t *Task) {
	if len(r.mirrors.mirrors) == 0 {
		return
	}
	id := t.ID
	if t.Again {
		id = -id
	}
	r.mirrors.fresh = append(r.mirrors.fresh, id)
}

// keepChanges writes what changed in this commit and how far the mirrors are, and drops what all of them have.
// settled is to be called when the transaction is through.
func (r *Run) keepChanges(ctx context.Context) (settled func(), err error) {
	k := &r.mirrors
	if len(k.mirrors) == 0 {
		return func() {}, nil
	}
	if len(k.fresh) > 0 {
		if _, err := r.stmts.change.ExecContext(ctx, idList(k.fresh)); err != nil {
			return nil, fmt.Errorf("keep changes for mirrors: %w", err)
		}
	}
	now, lowest := make([]int64, len(k.mirrors)), int64(-1)
	for i, m := range k.mirrors {
		now[i] = m.at.Load() - 1
		if now[i] != k.written[i] {
			if _, err := r.stmts.cursor.ExecContext(ctx, m.Target, now[i]); err != nil {
				return nil, fmt.Errorf("keep cursor of mirror: %w", err)
			}
		}
		if i == 0 || now[i] < lowest {
			lowest = now[i]
		}
	}
	if lowest = min(lowest, k.trimmed+trimSize); lowest > k.trimmed {
		if _, err := r.stmts.trim.ExecContext(ctx, lowest); err != nil {
			return nil, fmt.Errorf("drop changes: %w", err)
		}
	}
	return func() { k.written, k.trimmed = now, max(k.trimmed, lowest) }, nil
}

// idList is numbers as a JSON array.
func idList(ids []int64) string {
	b := []byte{'['}
	for i, id := range ids {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, id, 10)
	}
	return string(append(b, ']'))
}
