package export

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"strings"

	"dogear/state"
)

const (
	sweepTasks  = 10_000 // in one transaction
	sweepClause = 500    // in one statement
)

// surplus is a task that has more rows on the server than in the snapshot: those behind keep, -1 for none.
type surplus struct{ task, keep int64 }

// sweep deletes the rows of a table without a key that the state file has no more: a task that was fetched again may have
// brought fewer records, or none. All that the file has is on the server when it is called, so the two are the same when
// they count the same.
func (p *pass) sweep(ctx context.Context, s *state.Store) error {
	want, err := s.CountRecords(ctx, p.table.Table)
	if err != nil {
		return err
	}
	var have int64
	if err := p.conn.QueryRowContext(ctx, `SELECT COUNT(*) FROM `+mysqlQuote(p.table.Name)).Scan(&have); err != nil {
		return fmt.Errorf("count rows of %s: %w", p.table.Name, err)
	}
	after, more := int64(-1), have != want
	for more {
		var gone []surplus
		if gone, more, err = p.surplus(ctx, s, after); err != nil {
			return fmt.Errorf("compare tasks of %s: %w", p.table.Name, err)
		}
		if len(gone) == 0 {
			return nil
		}
		if err := p.drop(ctx, gone); err != nil {
			return fmt.Errorf("drop old records of %s: %w", p.table.Name, err)
		}
		p.gotOn = true
		after = gone[len(gone)-1].task
	}
	return nil
}

// surplus merges the tasks of both sides, each in the order of its index, and returns the first that have too much.
func (p *pass) surplus(ctx context.Context, s *state.Store, after int64) (gone []surplus, more bool, err error) {
	var readErr error
	next, stop := iter.Pull2(func(yield func(int64, int64) bool) {
		readErr = s.EachLastPos(ctx, p.table.Table, after, func(task, pos int64) error {
			if !yield(task, pos) {
				return errFound
			}
			return nil
		})
	})
	defer stop()
	rows, err := p.conn.QueryContext(ctx, `SELECT _task, MAX(_pos) FROM `+mysqlQuote(p.table.Name)+`
		WHERE _task > ? GROUP BY _task ORDER BY _task`, after)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	task, pos, ok := next()
	for rows.Next() {
		if readErr != nil {
			return nil, false, readErr
		}
		there := surplus{}
		var last int64
		if err := rows.Scan(&there.task, &last); err != nil {
			return nil, false, err
		}
		for ok && task < there.task {
			task, pos, ok = next()
		}
		if there.keep = -1; ok && task == there.task {
			there.keep = pos
		}
		if last <= there.keep {
			continue
		}
		if gone = append(gone, there); len(gone) == sweepTasks {
			return gone, true, nil
		}
	}
	if readErr != nil {
		return nil, false, readErr
	}
	return gone, false, rows.Err()
}

// drop deletes in one transaction, if no other export has moved the watermark: it may have sent rows that this snapshot does
// not know.
func (p *pass) drop(ctx context.Context, gone []surplus) error {
	return transaction(ctx, p.conn, func(tx *sql.Tx) error {
		is, err := p.locked(ctx, tx, p.table)
		if err != nil {
			return err
		}
		if is != p.from {
			return errOvertaken
		}
		for len(gone) > 0 {
			n := min(len(gone), sweepClause)
			var terms []string
			for _, g := range gone[:n] {
				terms = append(terms, fmt.Sprintf("(_task = %d AND _pos > %d)", g.task, g.keep))
			}
			query := `DELETE FROM ` + mysqlQuote(p.table.Name) + ` WHERE ` + strings.Join(terms, " OR ")
			if _, err := tx.ExecContext(ctx, query); err != nil {
				return err
			}
			gone = gone[n:]
		}
		return nil
	})
}
