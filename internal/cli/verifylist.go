package cli

import (
	"context"
	"errors"
	"io"

	"dogear/crawl/job"
	"dogear/state"
)

// readList adds what a start has that is read and is no task yet: by its file as it is now. Of the standard input,
// and of a file that can't be read, it is what the last run knew; one that it did not come to the end of lacks a task
// at least.
func (r *verifyReport) readList(
	ctx context.Context, s *state.Store, j *job.Job, l *job.List, m state.Mark, look *int64,
) error {
	if l.From == job.Stdin {
		r.lacks(m)
		return nil
	}
	f, err := l.Open(m.Place, m.Print)
	if err != nil {
		r.lacks(m) // the run says what is wrong with it
		return nil
	}
	defer f.Close()
	ahead := f.More
	for ; !f.End && *look > 0 && r.room(j) > 0; *look-- {
		q, err := f.Next()
		var bad *job.LineError
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &bad):
			ahead--
			continue
		case err != nil:
			return err
		}
		ahead--
		if known, err := s.Known(ctx, q); err != nil {
			return err
		} else if !known {
			r.Missing.add(q.URL, nil)
		}
	}
	if !f.End {
		r.Missing.Tasks += max(0, min(ahead, r.room(j)))
	}
	return nil
}

// lacks counts what the last run knew to be ahead.
func (r *verifyReport) lacks(m state.Mark) {
	if !m.Known {
		r.Missing.Tasks++
	} else {
		r.Missing.Tasks += max(0, m.Total-m.Cursor)
	}
}
