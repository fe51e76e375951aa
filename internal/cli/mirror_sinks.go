package cli

import (
	"context"
	"io"
	"time"

	"dogear/crawl/job"
	"dogear/export"
	"dogear/state"
)

// sink is a mirror's far end.
type sink interface {
	// sync brings it closer to what the state file says, the last time of a run all the way; more says that it is not
	// there yet.
	sync(ctx context.Context, last bool) (more bool, err error)
	close() error
}

// jsonSink writes the whole checkpoint each time. It does not read from one moment, which would keep the WAL from
// being cut back: what finishes while it reads may be in the lists, and current_page, which was read before, misses
// nothing.
type jsonSink struct {
	*export.Checkpoint
	store *state.Store
	path  string
}

func (s *jsonSink) sync(ctx context.Context, _ bool) (bool, error) {
	return false, export.ToFileInTurn(ctx, s.path, func(w io.Writer) error {
		return s.JSON(ctx, s.store, nil, time.Now(), w)
	})
}

func (s *jsonSink) close() error { return nil }

// redisSink sends what changed.
type redisSink struct {
	*export.RedisMirror
	page   *pacedPage
	cursor *state.Mirror
}

func (s *redisSink) sync(ctx context.Context, last bool) (bool, error) {
	s.page.always = last
	at, more, err := s.Sync(ctx)
	if err == nil && at >= 0 {
		s.cursor.Reached(at)
	}
	return more, err
}

func (s *redisSink) close() error { return s.RedisMirror.Close() }

// pacedPage is currentPage for somebody who asks several times a second. To find it, all tasks that wait have to be
// looked at; while that would take more than 2 % of the time the answer is the last one, which is too low and so
// misses nothing.
type pacedPage struct {
	job    *job.Job
	always bool
	page   *int64
	due    time.Time
}

func (p *pacedPage) current(ctx context.Context, s *state.Store) (*int64, error) {
	began := time.Now()
	if !p.always && began.Before(p.due) {
		return p.page, nil
	}
	page, err := currentPage(ctx, s, p.job)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	p.page, p.due = page, now.Add(jsonShare*now.Sub(began))
	return page, nil
}
