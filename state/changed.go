package state

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"time"
)

// checkJob asks RunOptions.Changed about a job whose text is not the one that the file was made for. It is part of the first
// transaction, so nobody can change the file in between, and a refusal leaves everything as it was.
func (r *Run) checkJob(ctx context.Context, o RunOptions) error {
	if o.Changed == nil {
		return nil
	}
	var name, text string
	err := r.conn.QueryRowContext(ctx, `SELECT name, text FROM job`).Scan(&name, &text)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return fmt.Errorf("read the job: %w", err)
	case text == string(o.Text):
		return nil
	}
	return o.Changed(name, []byte(text))
}

// keepJob reports whether the file was made for another text of the job.
func (r *Run) keepJob(ctx context.Context, o RunOptions, now time.Time) (changed bool, err error) {
	result, err := r.conn.ExecContext(ctx, `INSERT INTO job (id, name, text, hash, created_at) VALUES (1, ?1, ?2, ?3, ?4)
		ON CONFLICT DO NOTHING`, o.Name, string(o.Text), hashOf(o.Text), now.UnixMilli())
	if err != nil {
		return false, fmt.Errorf("keep the job: %w", err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		return false, err
	}
	r.Found.New = n == 1
	switch {
	case r.Found.New:
	case o.Reread: // its text takes the other's place when all pages were read
		changed, err = r.otherText(ctx, o)
	default:
		changed, err = r.adopt(ctx, o)
	}
	if err != nil {
		return false, err
	}
	row := r.conn.QueryRowContext(ctx, `SELECT name, created_at FROM job`)
	if err := row.Scan(&r.job.name, &r.job.created); err != nil {
		return false, fmt.Errorf("read the job: %w", err)
	}
	return changed, nil
}

// adopt makes the job's text that of the file, and reports whether it was another.
func (r *Run) adopt(ctx context.Context, o RunOptions) (changed bool, err error) {
	result, err := r.conn.ExecContext(ctx, `UPDATE job SET name = ?1, text = ?2, hash = ?3 WHERE hash <> ?3`,
		o.Name, string(o.Text), hashOf(o.Text))
	if err != nil {
		return false, fmt.Errorf("keep the job: %w", err)
	}
	n, err := result.RowsAffected()
	return n == 1, err
}

// otherText reports whether the file was made for another text of the job.
func (r *Run) otherText(ctx context.Context, o RunOptions) (other bool, err error) {
	if err = r.conn.QueryRowContext(ctx, `SELECT hash <> ? FROM job`, hashOf(o.Text)).Scan(&other); err != nil {
		err = fmt.Errorf("read the job: %w", err)
	}
	return other, err
}

func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
