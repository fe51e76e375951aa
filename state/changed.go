package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
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
