package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"dogear/schema"
)

// Source is what a start that is read is read from. The goroutine of the Run uses it, and the Run closes it.
type Source interface {
	// Next returns up to n requests, n > 0, and never waits for more. An error ends the start for this run, see
	// Run.Broken; what came before it stays.
	Next(n int) (Batch, error)
	// Ready reports whether Next would give something now, be it the end.
	Ready() bool
	Close() error
}

// Batch is what a Source gave, and how far it has been read with that.
type Batch struct {
	Requests []schema.Request
	Place    int64  // bytes, from the beginning
	Print    string // of those bytes, by which a changed file is known; "": there is none
	End      bool   // there is nothing after it
}

// Mark is how far a start has come, as the file keeps it.
type Mark struct {
	Known         bool  // an earlier run had it
	Cursor, Total int64 // requests that are tasks; and all of them, as far as was known
	Place         int64 // of the last Batch
	Print         string
}

// Ended reports whether all of the start is tasks, or as much as RunOptions.MaxTasks let.
func (m Mark) Ended() bool { return m.Known && m.Total <= m.Cursor }

// Reading is a start that was opened.
type Reading struct {
	Source Source // nil: nothing is read in this run
	Cursor int64  // how many requests come before the first one of Source: 0 when it is read from the beginning again
	Total  int64  // how many there are with those of Source, at most
}

// reader is the Source of a start. It keeps the batch of a commit that failed for the next one.
type reader struct {
	source Source
	batch  *Batch
	used   bool // in the commit that goes on
	broken bool
}

func (r *reader) ready() bool {
	return r.source != nil && (r.batch != nil || !r.broken && r.source.Ready())
}

// readStarts are those starts of a run that are read, and what went wrong with reading them.
type readStarts struct {
	all    []*start
	broken error
}

// keepReader opens a start that is read, and makes its row say where that begins.
func (r *Run) keepReader(ctx context.Context, s Start) error {
	m := Mark{Known: true}
	row := r.conn.QueryRowContext(ctx,
		`SELECT cursor, total, place, coalesce(print, '') FROM starts WHERE entry = ?`, s.Entry)
	switch err := row.Scan(&m.Cursor, &m.Total, &m.Place, &m.Print); {
	case errors.Is(err, sql.ErrNoRows):
		m = Mark{}
	case err != nil:
		return fmt.Errorf("look for start %s: %w", s.Entry, err)
	}
	from, err := s.Open(m)
	if err != nil {
		return err
	}
	kept := &start{Start: s, cursor: from.Cursor, reader: &reader{source: from.Source}}
	r.starts, r.read.all = append(r.starts, kept), append(r.read.all, kept) // so that it is closed whatever comes
	kept.again = from.Source != nil && from.Cursor == 0 && m.Place > 0
	kept.Total, kept.ended = from.Total, from.Source == nil && from.Total <= from.Cursor
	if from.Source != nil && from.Cursor == 0 {
		m.Place, m.Print = 0, ""
	}
	row = r.conn.QueryRowContext(ctx, `INSERT INTO starts (entry, cursor, total, place, print) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (entry) DO UPDATE SET active = 1, cursor = excluded.cursor, total = excluded.total,
			place = excluded.place, print = excluded.print RETURNING id`,
		s.Entry, kept.cursor, kept.cursor+kept.left(), m.Place, orNull(m.Print))
	if err := row.Scan(&kept.id); err != nil {
		return fmt.Errorf("keep start %s: %w", s.Entry, err)
	}
	return nil
}

// idle is how many of the requests ahead are those of starts that have nothing to give now.
func (r *Run) idle() int64 {
	var n int64
	for _, s := range r.read.all {
		full := r.room() == 0 && s.reader.source != nil // then it is cut short, whatever it has
		if !full && !s.reader.ready() {
			n += s.left()
		}
	}
	return n
}

// addRead adds the next tasks of a start that is read, n at most, in the transaction that is open, and returns how many
// requests it took for that: one batch in a commit, which is whole in it or not at all.
func (r *Run) addRead(ctx context.Context, now time.Time, s *start, n int64) (int64, error) {
	if s.ended || s.reader.source == nil || n <= 0 {
		return 0, nil
	}
	room := r.room()
	if room == 0 {
		return 0, r.cutShort(ctx, s)
	}
	b := r.next(s, min(n, room))
	if b == nil {
		return 0, nil
	}
	added, err := r.addTasks(ctx, now, b.Requests, 0, 0)
	if err == nil && added < int64(len(b.Requests)) {
		err = r.regiven(ctx, b.Requests, 0, !s.again)
	}
	if err != nil {
		return 0, fmt.Errorf("start %s: %w", s.Entry, err)
	}
	given := int64(len(b.Requests))
	if given > room { // it was kept from a commit that failed, and then links took its place
		return given, r.cutShort(ctx, s)
	}
	before := s.left()
	s.cursor += given
	s.ended = b.End
	r.counts.Ahead -= before - s.left()
	_, err = r.conn.ExecContext(ctx, `UPDATE starts SET cursor = ?, total = ?, place = ?, print = ? WHERE id = ?`,
		s.cursor, s.cursor+s.left(), b.Place, orNull(b.Print), s.id)
	if err != nil {
		return 0, fmt.Errorf("start %s: move its cursor: %w", s.Entry, err)
	}
	return given, nil
}

// next returns the next batch of a start; nil when there is none now. An error is kept for Broken: what else the commit
// has to land does not suffer from it.
func (r *Run) next(s *start, n int64) *Batch {
	from := s.reader
	if !from.ready() {
		return nil
	}
	if from.batch == nil {
		b, err := from.source.Next(int(n))
		if err != nil {
			from.broken = true
			r.read.broken = errors.Join(r.read.broken, err)
			if len(b.Requests) == 0 {
				return nil
			}
		}
		from.batch = &b
	}
	from.used = true
	return from.batch
}

// Broken is what went wrong with reading a start, nil when nothing did. What was read of it is kept, and goes on when
// it can be read again.
func (r *Run) Broken() error { return r.read.broken }

// dropBatches forgets the batches that a commit has landed.
func (r *Run) dropBatches() {
	for _, s := range r.read.all {
		if s.reader.used {
			s.reader.batch, s.reader.used = nil, false
		}
	}
}

// keepBatches has those of a commit that failed come again.
func (r *Run) keepBatches() {
	for _, s := range r.read.all {
		s.reader.used = false
	}
}

func (r *Run) closeSources() error {
	var errs []error
	for _, s := range r.read.all {
		if s.reader.source != nil {
			errs = append(errs, s.reader.source.Close())
		}
	}
	r.read.all = nil
	return errors.Join(errs...)
}
