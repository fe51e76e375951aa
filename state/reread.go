package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Kept is a finished task and the page that was its last answer.
type Kept struct {
	Task  Task
	State string // Done or Failed
	Kind  string // of the failure
	Error string
	Body  Body

	whole   bool // Again gives it because it carries something else now: all of what it comes to is new
	counted bool // it was landed before
}

// Reread is a kept page and what it comes to by the rules of now, as if they had been those of then. Of the Outcome
// count Task, State, Kind, Error, Rows, Rejects and Links.
type Reread struct {
	Kept    Kept
	Outcome Outcome
}

// Rereader puts what kept pages come to by other rules into the place of what they came to before. It goes through them
// in the order of their tasks: Next, Land, until Next has no more; then Again, Land, and End. Each Land is one
// transaction, and after the last one the file is the same however often it was begun anew.
//
// A record with a key may stand on several pages. It belongs to the one that was answered last, of those that it
// stands on; see rereadRows.place. A page takes away only records that it brought itself, at that answer: an older one
// outlives the page that showed it, as it does in a run.
//
// A record gets a new _seq only when one of its values is another.
type Rereader struct {
	run     *Run
	tables  []*rereadTable
	dropped int64 // Run.Dropped before
	stmts   rereadStmts

	after    int64             // the last task that Next came to
	shadowed map[string]origin // by table and key: who would have a record if its owner, who is still to come, did not
	again    map[int64]bool    // those who have one now
	stale    map[int64]bool    // those who carry something else since they were read
	held     map[int64]bool    // those of them that are not landed yet
	fields   fieldCounter      // what the fields come to; not in a dry run
	changes  Changes
}

// origin is the task whose page a record is from, and when that was answered.
type origin struct{ at, task int64 }

// later reports whether o was answered after other.
func (o origin) later(other origin) bool {
	return o.at > other.at || o.at == other.at && o.task > other.task
}

type rereadStmts struct {
	next, byID, rejects, settle *sql.Stmt
}

const (
	rereadColumns = `SELECT t.id, t.url, t.page, t.method, t.body, t.carry, t.depth, t.state, t.error_kind, t.error,
		b.url, b.status, b.content_type, b.charset, b.at, b.size, b.body, t.finished_at IS b.at
		FROM page_bodies AS b CROSS JOIN tasks AS t ON t.id = b.task`
	rereadNextSQL    = rereadColumns + ` WHERE b.task > ? ORDER BY b.task`
	rereadByIDSQL    = rereadColumns + ` WHERE b.task = ?`
	rereadRejectsSQL = `SELECT id, "table", reason, raw, at FROM rejects WHERE task = ? ORDER BY id`
	rereadSettleSQL  = `UPDATE tasks SET state = ?, error_kind = ?, error = ?
		WHERE id = ? AND state = ? AND finished_at = ?`
)

// Reread begins to read the kept pages again. The run was opened with RunOptions.Reread, or by OpenDry.
func (r *Run) Reread(ctx context.Context) (*Rereader, error) {
	w := &Rereader{run: r, shadowed: map[string]origin{}, again: map[int64]bool{}, dropped: r.dropped}
	w.stale, w.held = map[int64]bool{}, map[int64]bool{}
	w.changes.Without = r.counts.Done + r.counts.Failed
	w.fields = r.fields.blank()
	if err := w.begin(ctx); err != nil {
		return nil, r.explain(errors.Join(fmt.Errorf("read the kept pages of %s: %w", r.path, err), w.Close()))
	}
	return w, nil
}

func (w *Rereader) begin(ctx context.Context) error {
	conn := w.run.conn
	// Millions of rows may have to be remembered. In a dry run it is so already, and other temporary tables are there.
	if w.run.reread.dry == nil {
		if _, err := conn.ExecContext(ctx, `PRAGMA temp_store = FILE`); err != nil {
			return err
		}
	}
	if _, err := conn.ExecContext(ctx, rereadOwnersSQL); err != nil {
		return err
	}
	for _, p := range []struct {
		stmt **sql.Stmt
		text string
	}{
		{&w.stmts.next, rereadNextSQL}, {&w.stmts.byID, rereadByIDSQL}, {&w.stmts.rejects, rereadRejectsSQL},
		{&w.stmts.settle, rereadSettleSQL},
	} {
		var err error
		if *p.stmt, err = conn.PrepareContext(ctx, p.text); err != nil {
			return fmt.Errorf("prepare %s: %w", p.text, err)
		}
	}
	w.changes.Tables = make([]TableChanges, len(w.run.tables))
	for i, t := range w.run.tables {
		c := &w.changes.Tables[i]
		c.Table, c.Fields = t, make([]FieldChanges, len(t.Fields))
		table, err := newRereadTable(ctx, conn, t, i)
		if err != nil {
			return err
		}
		w.tables = append(w.tables, table)
		if c.Before, err = w.number(ctx, `SELECT count(*) FROM `+quote(t.Name)); err != nil {
			return err
		}
	}
	var err error
	w.changes.WasRejects, err = w.number(ctx, `SELECT count(*) FROM rejects`)
	return err
}

func (w *Rereader) number(ctx context.Context, query string) (n int64, err error) {
	if err = w.run.conn.QueryRowContext(ctx, query).Scan(&n); err != nil {
		err = fmt.Errorf("%s: %w", query, err)
	}
	return n, err
}

// Land writes what a group of pages came to, in one transaction. After an error nothing has changed, in the file or in
// w; ErrBusy may be tried again.
func (w *Rereader) Land(ctx context.Context, now time.Time, group []Reread, again bool) error {
	ctx = context.WithoutCancel(ctx)
	r := w.run
	if err := r.present(); err != nil {
		return err
	}
	before, changes := r.memory(), w.changes.clone()
	err := r.tx(ctx, func() error {
		for i := range group {
			if err := w.land(ctx, now, &group[i], again); err != nil {
				return fmt.Errorf("task %d: %w", group[i].Kept.Task.ID, err)
			}
		}
		return w.count(ctx, now)
	})
	if err != nil {
		r.restore(before)
		w.fields.discard()
		w.changes = changes
		return fmt.Errorf("commit to %s: %w", r.path, err)
	}
	w.fields.settle()
	if r.reread.dry == nil {
		r.beat(now)
		r.clock = now.UnixMilli()
		r.keepWAL(ctx, now)
	}
	return nil
}

func (w *Rereader) land(ctx context.Context, now time.Time, p *Reread, again bool) error {
	id := p.Kept.Task.ID
	if !again && w.stale[id] {
		w.held[id] = true // it is taken apart again, with what it carries now
		return nil
	}
	again = again && !p.Kept.whole
	for i := range w.tables {
		if err := w.rows(ctx, i, p, again); err != nil {
			return fmt.Errorf("records of %s: %w", w.tables[i].Name, err)
		}
	}
	if again {
		return nil
	}
	w.countFields(p)
	if !p.Kept.counted {
		w.changes.Pages++
		w.changes.Without--
	}
	if err := w.replaceRejects(ctx, p); err != nil {
		return err
	}
	if err := w.settle(ctx, p); err != nil {
		return err
	}
	links, err := w.run.addTasks(ctx, now, p.Outcome.Links, p.Kept.Task.Depth+1, id)
	if err == nil && links < int64(len(p.Outcome.Links)) {
		err = w.run.given(ctx, p.Outcome.Links, id, false, w.regiven)
	}
	w.run.tally.Links += links
	w.changes.Links += links
	return err
}

// regiven has a page that was read already read again, for what it carries now.
func (w *Rereader) regiven(t *knownTask) error {
	if t.id <= w.after {
		w.stale[t.id] = true
	}
	return nil
}

// count writes the counters, and the run's own numbers.
func (w *Rereader) count(ctx context.Context, now time.Time) error {
	r := w.run
	if r.doubt {
		if err := r.recount(ctx); err != nil {
			return err
		}
		r.doubt = false
	}
	c, t := r.counts, r.tally
	_, err := r.stmts.counters.ExecContext(ctx, c.Pending, c.InFlight, c.Done, c.Failed, r.seq, r.recent.text())
	if err != nil {
		return fmt.Errorf("write counters: %w", err)
	}
	_, err = r.stmts.beat.ExecContext(ctx, now.UnixMilli(), 0, 0, 0, 0, t.Records, t.Rejects, t.Links, 0, r.ID)
	if err != nil {
		return fmt.Errorf("write heartbeat: %w", err)
	}
	return nil
}

// End makes the job's text that of the file, now that all of it is by its rules, and returns what changed.
func (w *Rereader) End(ctx context.Context, o RunOptions) (*Changes, error) {
	r := w.run
	err := r.tx(context.WithoutCancel(ctx), func() error {
		if _, err := r.adopt(ctx, o); err != nil || r.reread.dry != nil {
			return err
		}
		return w.keepFields(ctx)
	})
	if err != nil {
		return nil, err
	}
	c := w.changes.clone()
	for i := range c.Tables {
		t := &c.Tables[i]
		t.After = t.Before + t.Added - t.Removed
	}
	c.LeftOut = r.dropped - w.dropped
	if c.Rejects, err = w.number(ctx, `SELECT count(*) FROM rejects`); err != nil {
		return nil, r.explain(err)
	}
	return &c, nil
}

// Close ends the reading. The run goes on until its own Close.
func (w *Rereader) Close() error {
	var errs []error
	all := []*sql.Stmt{w.stmts.next, w.stmts.byID, w.stmts.rejects, w.stmts.settle}
	for _, t := range w.tables {
		all = append(all, t.stmts()...)
	}
	for _, stmt := range all {
		if stmt != nil {
			errs = append(errs, stmt.Close())
		}
	}
	return errors.Join(errs...)
}
