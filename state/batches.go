package state

import (
	"context"
	"fmt"
)

// putBackSize is how many finished tasks one transaction puts back to pending, each of which may stand on a page of its own:
// millions in one would need a WAL of gigabytes.
const putBackSize = 8192

// inBatches calls put, which puts up to putBackSize tasks back, each time in a transaction of its own, until it finds fewer,
// and returns how many tasks that were. from is the counter that they leave.
func (r *Run) inBatches(ctx context.Context, from *int64, put func() (int64, error)) (total int64, err error) {
	for n := int64(putBackSize); n == putBackSize; total += n {
		before := r.counts
		err := r.tx(ctx, func() (err error) {
			if n, err = put(); err != nil {
				return err
			}
			if n > 0 {
				if err := r.forgetMirrors(ctx); err != nil {
					return err
				}
			}
			if n > *from {
				return r.recount(ctx)
			}
			r.counts.Pending += n
			*from -= n
			return r.writeCounts(ctx)
		})
		if err != nil {
			r.counts = before
			return total, r.explain(err)
		}
	}
	return total, nil
}

func (r *Run) writeCounts(ctx context.Context) error {
	c := &r.counts
	_, err := r.conn.ExecContext(ctx, `UPDATE counters SET pending = ?, in_flight = ?, done = ?, failed = ?`, c.Pending, c.InFlight, c.Done, c.Failed)
	if err != nil {
		return fmt.Errorf("write counters: %w", err)
	}
	return nil
}
