package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Next reads up to so many kept pages, and one more than fits into so many bytes; none when there are no more.
func (w *Rereader) Next(ctx context.Context, pages int, bytes int64) ([]Kept, error) {
	rows, err := w.stmts.next.QueryContext(ctx, w.after)
	if err != nil {
		return nil, w.run.explain(w.run.notice(fmt.Errorf("read kept pages: %w", err)))
	}
	defer rows.Close()
	var all []Kept
	for len(all) < pages && bytes > 0 && rows.Next() {
		k, last, err := scanKept(rows)
		if err != nil {
			return nil, err
		}
		w.after = k.Task.ID
		finished := k.State == Done || k.State == Failed
		switch {
		case finished && last:
			bytes -= max(0, k.Body.Size) + int64(len(k.Body.Packed))
			all = append(all, k)
		case finished:
			w.changes.Stale++
			w.changes.Without--
		}
	}
	if err := rows.Err(); err != nil {
		return nil, w.run.explain(w.run.notice(fmt.Errorf("read kept pages: %w", err)))
	}
	return all, nil
}

// Again reads the pages of which something is left to be done when Next has come to the end, all of them known to it.
// Land them, and ask again.
func (w *Rereader) Again(ctx context.Context, pages int) (all []Kept, err error) {
	left := maps.Clone(w.again)
	maps.Copy(left, w.stale)
	for _, id := range slices.Sorted(maps.Keys(left)) {
		if len(all) == pages {
			break
		}
		k, last, err := scanKept(w.stmts.byID.QueryRowContext(ctx, id))
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, w.run.explain(w.run.notice(err))
		}
		k.whole, k.counted = w.stale[id], !w.held[id]
		delete(w.again, id)
		delete(w.stale, id)
		if err != nil || !last || k.State != Done && k.State != Failed {
			continue // it has no page of its last answer: what it came to stays as it is
		}
		all = append(all, k)
	}
	return all, nil
}

func scanKept(row interface{ Scan(...any) error }) (k Kept, last bool, err error) {
	var body, carry, kind, text sql.NullString
	var at int64
	err = row.Scan(&k.Task.ID, &k.Task.URL, &k.Task.Page, &k.Task.Method, &body, &carry, &k.Task.Depth, &k.State,
		&kind, &text, &k.Body.URL, &k.Body.Status,
		&k.Body.ContentType, &k.Body.Charset, &at, &k.Body.Size, &k.Body.Packed, &last)
	if err != nil {
		return k, false, fmt.Errorf("read a kept page: %w", err)
	}
	k.Task.Body, k.Task.Carry, k.Kind, k.Error = body.String, carry.String, kind.String, text.String
	k.Body.At = time.UnixMilli(at)
	return k, last, nil
}
