package export

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"dogear/state"
)

// watermark is a row of dogear_exports: which state file was sent last, and how far.
type watermark struct{ state, seq int64 }

// begin returns from where a snapshot is to be sent: the watermark, or the beginning when it tells of another state file (one
// that was reset, started over or put back from a copy) or of rows that are not there any more.
func (m *MySQL) begin(ctx context.Context, conn *sql.Conn, s *state.Store, t *mysqlTable) (watermark, error) {
	job, err := s.Job(ctx)
	if err != nil {
		return watermark{}, err
	}
	last, err := s.LastSeq(ctx)
	if err != nil {
		return watermark{}, err
	}
	var is watermark
	err = transaction(ctx, conn, func(tx *sql.Tx) error {
		// Its row is made here, and locked: two exports that begin at once do it one after the other.
		if _, err := tx.ExecContext(ctx, `INSERT INTO dogear_exports (task_name, table_name, state, seq, updated_at)
			VALUES (?, ?, ?, 0, UTC_TIMESTAMP(3))
			ON DUPLICATE KEY UPDATE task_name = VALUES(task_name)`, m.o.Job, t.Name, job.CreatedAt.UnixMilli()); err != nil {
			return err
		}
		var err error
		if is, err = m.locked(ctx, tx, t); err != nil {
			return err
		}
		if err := m.alone(ctx, tx, t); err != nil {
			return err
		}
		filled, err := hasRows(ctx, tx, t)
		if err != nil {
			return err
		}
		if is.state == job.CreatedAt.UnixMilli() && is.seq <= last && filled && !t.sinceStart {
			return nil
		}
		is = watermark{state: job.CreatedAt.UnixMilli()}
		_, err = tx.ExecContext(ctx, `UPDATE dogear_exports SET state = ?, seq = 0, updated_at = UTC_TIMESTAMP(3)
			WHERE task_name = ? AND table_name = ?`, is.state, m.o.Job, t.Name)
		return err
	})
	if err != nil {
		return watermark{}, fmt.Errorf("read how far table %s is: %w", t.Name, err)
	}
	t.sinceStart = false
	if t.unsure == is { // the commit whose answer did not come was made
		m.sent.Rows += t.unsureRows
	}
	t.unsure, t.unsureRows = watermark{}, 0
	return is, nil
}

// locked reads the watermark and keeps others from moving it until the transaction ends.
func (m *MySQL) locked(ctx context.Context, tx *sql.Tx, t *mysqlTable) (is watermark, err error) {
	err = tx.QueryRowContext(ctx, `SELECT state, seq FROM dogear_exports WHERE task_name = ? AND table_name = ? FOR UPDATE`,
		m.o.Job, t.Name).Scan(&is.state, &is.seq)
	return is, err
}

// alone refuses a table without a key that another job fills: its rows are told apart by the numbers of tasks alone.
func (m *MySQL) alone(ctx context.Context, tx *sql.Tx, t *mysqlTable) error {
	if len(t.Key) > 0 {
		return nil
	}
	var other string
	err := tx.QueryRowContext(ctx, `SELECT task_name FROM dogear_exports WHERE table_name = ? AND task_name <> ? LIMIT 1`,
		t.Name, m.o.Job).Scan(&other)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err == nil {
		err = fmt.Errorf("job %q fills it too, and without a key their records can't be told apart: give the table another "+
			"name or a key in the job file, or forget the other one (DELETE FROM dogear_exports WHERE task_name = '…' "+
			"AND table_name = '%s')", other, t.Name)
	}
	return err
}

func hasRows(ctx context.Context, tx *sql.Tx, t *mysqlTable) (bool, error) {
	var one int
	err := tx.QueryRowContext(ctx, `SELECT 1 FROM `+mysqlQuote(t.Name)+` LIMIT 1`).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// move moves the watermark within the transaction that holds the rows, if it still is where this export left it.
func (m *MySQL) move(ctx context.Context, tx *sql.Tx, t *mysqlTable, from watermark, seq int64) error {
	result, err := tx.ExecContext(ctx, `UPDATE dogear_exports SET seq = ?, updated_at = UTC_TIMESTAMP(3)
		WHERE task_name = ? AND table_name = ? AND state = ? AND seq = ?`, seq, m.o.Job, t.Name, from.state, from.seq)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); n != 1 || err != nil {
		return errors.Join(errOvertaken, err)
	}
	return nil
}

// transaction commits what f did, or nothing.
func transaction(ctx context.Context, conn *sql.Conn, f func(*sql.Tx) error) error {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after a commit it does nothing
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}
