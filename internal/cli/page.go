package cli

import (
	"context"

	"dogear/crawl/job"
	"dogear/state"
)

// currentPage is the lowest number of the job's id or page range that is not done, or the one after the last when all
// of them are: a script that goes on from it misses nothing. A job without a range, or with several, has none: nil.
//
// It reads the tasks that are not done and looks at what lies ahead of the start's cursor, never at what is done, all
// in one moment: a task that moves between two reads would be taken for one that is done.
func currentPage(ctx context.Context, s *state.Store, j *job.Job) (*int64, error) {
	r, ok := j.Range()
	if !ok {
		return nil, nil
	}
	var lowest int64
	err := s.Snapshot(ctx, func(s *state.Store) (err error) {
		lowest, err = lowestNotDone(ctx, s, r)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &lowest, nil
}

func lowestNotDone(ctx context.Context, s *state.Store, r *job.Range) (int64, error) {
	lowest := r.After()
	err := s.EachNotDone(ctx, func(url, body string) error {
		if v, ok := r.Value(url, body); ok && v < lowest {
			lowest = v
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	cursors, err := s.Cursors(ctx)
	if err != nil {
		return 0, err
	}
	look := maxLookedAt
	for v := range r.Ahead(cursors[r.Entry()]) {
		if v >= lowest {
			break
		}
		// One that is ahead is a task already where a link, or the start as it was in an earlier job file, led to it.
		known, err := s.Known(ctx, r.Request(v))
		if err != nil {
			return 0, err
		}
		if look--; !known || look == 0 { // too low misses nothing
			lowest = v
			break
		}
	}
	return lowest, nil
}
