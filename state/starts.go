package state

import (
	"context"
	"fmt"
	"math"
	"time"

	"dogear/schema"
)

// MaxPending is how far the tasks of starts are added ahead: a small job is all there at once, a range of a billion
// never is.
const MaxPending = 100_000

const (
	// topUpSize is how many tasks a commit adds. The keys of a shuffled range fall all over their index: a thousand at a
	// time write nearly as many pages of it as eight thousand do.
	topUpSize = 8192
	// firstTopUp is the same while workers wait for their first tasks.
	firstTopUp = 1024
)

// Addable reports whether the next commit adds tasks from the starts: until MaxPending wait, and again when there is room
// for a whole batch. A start whose Source has nothing to give now does not count.
func (r *Run) Addable() bool {
	room := r.mostPending() - r.counts.Pending
	return room > 0 && (!r.full || room >= topUpSize) && r.counts.Ahead > r.idle()
}

// mostPending is how many tasks the starts may have waiting now.
func (r *Run) mostPending() int64 { return max(MaxPending, r.lifted) }

// Start yields the requests 0..Total-1. Entry is its identity: what it yields, in canonical words.
type Start struct {
	Entry   string
	Total   int64
	Request func(i int64) schema.Request

	// Open makes it a start that is read, in the place of Total and Request: called with how far it has been read,
	// while the file is opened for a run. Its errors are those of OpenRun.
	Open func(Mark) (Reading, error)
}

// start is a Start with its row in starts.
type start struct {
	Start
	id     int64
	cursor int64
	reader *reader // nil: its requests are computed
	ended  bool    // of one that is read: it has no more for this run
	again  bool    // of one that is read: an earlier run had some of it
}

// left is how many requests of the start are not tasks yet. One that is read has at least one more until it has ended.
func (s *start) left() int64 {
	switch {
	case s.reader == nil:
		return max(0, s.Total-s.cursor)
	case s.ended:
		return 0
	}
	return max(1, s.Total-s.cursor)
}

const keepStartSQL = `INSERT INTO starts (entry, total) VALUES (?, ?)
	ON CONFLICT (entry) DO UPDATE SET active = 1, total = excluded.total RETURNING id, cursor`

// keepStarts makes a row for each start that is new, finds the cursor of each that is known, and sets those aside that
// the job no longer has: their tasks stay, no more are added.
func (r *Run) keepStarts(ctx context.Context, starts []Start) error {
	if r.reread.on {
		return nil // the next run begins with them
	}
	if _, err := r.conn.ExecContext(ctx, `UPDATE starts SET active = 0`); err != nil {
		return fmt.Errorf("keep starts: %w", err)
	}
	keep, err := r.conn.PrepareContext(ctx, keepStartSQL) // a list of URLs is as many starts
	if err != nil {
		return fmt.Errorf("keep starts: %w", err)
	}
	defer keep.Close()
	seen := make(map[string]bool, len(starts))
	for _, s := range starts {
		if seen[s.Entry] {
			continue // two cursors of one row would disagree
		}
		seen[s.Entry] = true
		if s.Open != nil {
			if err := r.keepReader(ctx, s); err != nil {
				return err
			}
			continue
		}
		kept := &start{Start: s}
		if err := keep.QueryRowContext(ctx, s.Entry, s.Total).Scan(&kept.id, &kept.cursor); err != nil {
			return fmt.Errorf("keep start %s: %w", s.Entry, err)
		}
		r.starts = append(r.starts, kept)
	}
	return nil
}

// ahead is how many values of the starts are not tasks yet.
func (r *Run) ahead() int64 {
	var n int64
	for _, s := range r.starts {
		n += s.left()
	}
	return n
}

// topUp adds a batch of tasks from the starts, in their order.
func (r *Run) topUp(ctx context.Context, now time.Time, want int) error {
	if !r.Addable() {
		return nil
	}
	budget := int64(topUpSize)
	if r.counts.Pending < int64(want) {
		budget = int64(want) + firstTopUp
	}
	for _, s := range r.starts {
		if s.reader != nil {
			n, err := r.addRead(ctx, now, s, min(budget, r.mostPending()-r.counts.Pending))
			if err != nil {
				return err
			}
			budget -= n
			continue
		}
		for s.cursor < s.Total && budget > 0 && r.counts.Pending < r.mostPending() {
			room := r.room()
			if room == 0 {
				if err := r.cutShort(ctx, s); err != nil {
					return err
				}
				break
			}
			n := min(budget, s.Total-s.cursor, r.mostPending()-r.counts.Pending, room)
			if err := r.addFrom(ctx, now, s, n); err != nil {
				return err
			}
			budget -= n
		}
	}
	r.full = r.counts.Pending >= r.mostPending()
	return nil
}

// addFrom adds the next n tasks of a start and moves its cursor, in the transaction that is open.
func (r *Run) addFrom(ctx context.Context, now time.Time, s *start, n int64) error {
	requests := make([]schema.Request, n)
	for i := range requests {
		requests[i] = s.Request(s.cursor + int64(i))
	}
	if _, err := r.addTasks(ctx, now, requests, 0, 0); err != nil {
		return fmt.Errorf("start %s: %w", s.Entry, err)
	}
	s.cursor += n
	r.counts.Ahead -= n
	if _, err := r.conn.ExecContext(ctx, `UPDATE starts SET cursor = ? WHERE id = ?`, s.cursor, s.id); err != nil {
		return fmt.Errorf("start %s: move its cursor: %w", s.Entry, err)
	}
	return nil
}

// room is how many tasks may still be added.
func (r *Run) room() int64 {
	if r.max == 0 {
		return math.MaxInt64
	}
	return max(0, r.max-(r.counts.Total()-r.counts.Ahead))
}

// cutShort ends a start where it is, because of RunOptions.MaxTasks. The next run gives it its length back.
func (r *Run) cutShort(ctx context.Context, s *start) error {
	left := s.left()
	if _, err := r.conn.ExecContext(ctx, `UPDATE starts SET total = cursor WHERE id = ?`, s.id); err != nil {
		return fmt.Errorf("start %s: cut it short: %w", s.Entry, err)
	}
	s.Total, s.ended = s.cursor, true
	r.dropped += left
	r.counts.Ahead -= left
	return nil
}

// addTasks adds those requests that no task stands for yet and returns how many. Whether one is known is decided here, by
// the unique key, in the same transaction: nothing is marked as seen before it is a row.
func (r *Run) addTasks(ctx context.Context, now time.Time, requests []schema.Request, depth int, parent int64) (int64, error) {
	var added int64
	for len(requests) > 0 {
		n := min(int64(alike(requests)), r.room())
		if n == 0 {
			r.dropped += int64(len(requests))
			break
		}
		k, err := r.addAlike(ctx, now, requests[:n], depth, parent)
		if err != nil {
			return added, fmt.Errorf("add tasks: %w", err)
		}
		added += k
		r.counts.Pending += k
		requests = requests[n:]
	}
	return added, nil
}

// alike returns how many of the first requests can be added by one statement: those that differ in nothing but the
// URL and what they carry.
func alike(requests []schema.Request) int {
	if !plain(&requests[0]) {
		return 1
	}
	n := 1
	for n < min(len(requests), taskRows) && plain(&requests[n]) && requests[n].Page == requests[0].Page {
		n++
	}
	return n
}

// plain reports whether the key is what the column makes of method and url by itself.
func plain(q *schema.Request) bool {
	return (q.Method == "" || q.Method == "GET") && q.Body == "" && schema.KeyURL(q.URL) == q.URL
}

func (r *Run) addAlike(ctx context.Context, now time.Time, requests []schema.Request, depth int, parent int64) (int64, error) {
	first := &requests[0]
	var method, body, key any = "GET", orNull(first.Body), nil
	if !plain(first) {
		key = first.Key()
	}
	if first.Method != "" {
		method = first.Method
	}
	args := append(make([]any, 0, taskShared+2*len(requests)), first.Page, method, body, key, depth, orNull(parent), now.UnixMilli())
	for i := range requests {
		args = append(args, requests[i].URL, orNull(requests[i].Carry))
	}
	add, err := r.stmts.adder(ctx, r.conn, len(requests))
	if err != nil {
		return 0, err
	}
	result, err := add.ExecContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}
