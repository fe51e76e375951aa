package state

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	// walLook is how often a run looks at the size of its WAL.
	walLook = time.Second
	// walEnough is the size in bytes from which a run helps: SQLite alone keeps a WAL that nobody reads well below it.
	walEnough = walLimit / 4 * 3

	// How long a commit at most waits for readers to end. More from try to try, while they come and go without a gap.
	leastPatience, mostPatience = 50 * time.Millisecond, 500 * time.Millisecond
	// patienceShare is which part of the time is spent with such waits at the most: one in so many.
	patienceShare = 10
	// stayPause is how long to leave it at that when one reader was there all the time: no patience would be enough.
	stayPause = 10 * time.Second
)

// walKeeper is what a run remembers of its WAL. Its zero value is ready.
type walKeeper struct {
	last     WAL           // as it was when looked at
	looked   time.Time     // when that was
	tried    time.Time     // when it was last to be cut back
	pause    time.Duration // from then to the next try
	patience time.Duration
	moved    int64 // pages that were in the file itself after that, all others being held by a reader
}

// WAL returns the WAL as it was seen after a commit, a second ago at the most. It is over its limit only while readers
// keep it from being cut back.
func (r *Run) WAL() WAL { return r.wal.last }

// keepWAL cuts the WAL back where SQLite does not by itself. Its checkpoints don't wait for anybody, so readers that
// overlap keep the WAL growing though each of them is short. This one waits a moment, and holds the write lock
// meanwhile: who comes now reads what is the newest already, and is not in the way. No reader waits for it. See
// SQLITE_CHECKPOINT_TRUNCATE in https://www.sqlite.org/c3ref/wal_checkpoint_v2.html.
func (r *Run) keepWAL(ctx context.Context, now time.Time) {
	k := &r.wal
	if now.Sub(k.looked).Abs() < walLook {
		return
	}
	k.looked = now
	size, err := walSize(r.path)
	if err != nil {
		return // a commit will say it better
	}
	passed := size > walLimit && !k.last.Over()
	if size > walEnough && (passed || now.Sub(k.tried).Abs() >= k.pause) {
		k.tried = now
		if r.cutBack(ctx) {
			size = 0
		}
	}
	if k.last = (WAL{Bytes: size}); k.last.Over() {
		if w, err := lookAtWAL(r.path, 0); err == nil {
			k.last = w
		}
	}
}

// cutBack empties the WAL, unless readers keep it from that for longer than the patience of now. An error is left to
// the next commit: here nothing is lost by it.
func (r *Run) cutBack(ctx context.Context) bool {
	k, began := &r.wal, time.Now()
	k.patience = max(k.patience, leastPatience)
	busy, moved, err := r.truncate(ctx, k.patience)
	k.pause = patienceShare * time.Since(began)
	switch {
	case err != nil:
		return false
	case !busy:
		return true
	case moved == k.moved:
		k.patience, k.pause = leastPatience, stayPause
	default:
		k.patience = min(4*k.patience, mostPatience)
	}
	k.moved = moved
	return false
}

// truncate is a checkpoint that empties the WAL. busy says that it could not, moved how many pages it brought home.
func (r *Run) truncate(ctx context.Context, patience time.Duration) (busy bool, moved int64, err error) {
	wait := func(d time.Duration) error {
		_, err := r.conn.ExecContext(ctx, fmt.Sprintf(`PRAGMA busy_timeout = %d`, d.Milliseconds()))
		return err
	}
	if err := wait(patience); err != nil {
		return false, 0, err
	}
	var pages int64
	err = r.conn.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &pages, &moved)
	return busy, moved, errors.Join(err, wait(busyTimeout))
}
