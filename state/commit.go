package state

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// GroupSize is the most outcomes that one commit lands.
const GroupSize = 512

// recentShown is how many finished tasks the view recent remembers.
const recentShown = 20

// Commit lands a group of outcomes and claims up to want due tasks, all in one transaction: when it returns without an
// error, that is on the disk. It also adds the next tasks of the starts. An outcome whose task is not this run's any more
// is dropped whole. On an error nothing has changed, in the file or in r: ErrBusy may be tried again, *FullError when there
// is room, ErrGone never.
func (r *Run) Commit(ctx context.Context, now time.Time, group []Outcome, want int) ([]Task, error) {
	// A write that a cancelled context interrupts would roll the whole transaction back.
	ctx = context.WithoutCancel(ctx)
	if err := r.present(); err != nil {
		return nil, err
	}
	before := r.memory()
	var claimed []Task
	r.mirrors.fresh = r.mirrors.fresh[:0]
	clear(r.carrier.fresh)
	settled := func() {}
	err := r.tx(ctx, func() (err error) {
		if err := r.followClock(ctx, now); err != nil {
			return err
		}
		for i := range group {
			if err := r.land(ctx, now, &group[i]); err != nil {
				return fmt.Errorf("task %d: %w", group[i].Task.ID, err)
			}
		}
		if err := r.stmts.records.flush(ctx); err != nil {
			return err
		}
		if err := r.countFields(ctx); err != nil {
			return err
		}
		if settled, err = r.keepChanges(ctx); err != nil {
			return err
		}
		if err := r.writeHosts(ctx, now); err != nil {
			return err
		}
		if err := r.topUp(ctx, now, want); err != nil {
			return err
		}
		if claimed, err = r.claim(ctx, now, want); err != nil {
			return err
		}
		return r.count(ctx, now, &before)
	})
	if err != nil {
		r.restore(before)
		return nil, fmt.Errorf("commit to %s: %w", r.path, err)
	}
	settled()
	r.fields.settle()
	r.dropBatches()
	clear(r.hosts)
	clear(r.cookies)
	r.beat(now)
	r.clock = now.UnixMilli()
	r.keepWAL(ctx, now)
	return claimed, nil
}

// land writes one outcome.
func (r *Run) land(ctx context.Context, now time.Time, o *Outcome) error {
	if err := r.giveUp(ctx, o); err != nil {
		return err
	}
	if old, err := r.outdated(ctx, &o.Task); err != nil {
		return err
	} else if old {
		_, err := r.putOff(ctx, &Outcome{Task: o.Task})
		return err
	}
	mine, err := r.settle(ctx, o)
	if err != nil || !mine {
		return err
	}
	if o.Task.Again && o.State == Done {
		if err := r.forget(ctx, o); err != nil {
			return err
		}
	}
	for i := range o.Failures {
		a := &o.Failures[i]
		if _, err := r.stmts.attempt.ExecContext(ctx, o.Task.ID, a.Number, a.At.UnixMilli(), orNull(a.Status), a.Kind, a.Error, a.Took.Milliseconds()); err != nil {
			return fmt.Errorf("keep attempt: %w", err)
		}
	}
	if err := r.keepRejects(ctx, o); err != nil {
		return err
	}
	if err := r.keepRows(ctx, o); err != nil {
		return err
	}
	if err := r.keepPage(ctx, o); err != nil {
		return err
	}
	links, err := r.addTasks(ctx, now, o.Links, o.Task.Depth+1, o.Task.ID)
	read := o.Task.Again || o.Task.Attempts > 0
	if err == nil && links < int64(len(o.Links)) && (read || r.carrier.imported) {
		err = r.regiven(ctx, o.Links, o.Task.ID, !read)
	}
	r.tally.Links += links
	r.tally.Retried += int64(len(o.Failures))
	if o.State == Failed && len(o.Failures) > 0 {
		r.tally.Retried-- // the last one was final
	}
	return err
}

// settle moves the task's row to its new state; false when the row is not this run's any more.
func (r *Run) settle(ctx context.Context, o *Outcome) (bool, error) {
	if o.State == Pending {
		return r.putOff(ctx, o)
	}
	result, err := r.finish(ctx, o)
	if err != nil {
		return false, fmt.Errorf("finish: %w", err)
	}
	if n, err := result.RowsAffected(); n != 1 || err != nil {
		r.doubt = true
		return false, err
	}
	r.counts.InFlight--
	r.tally.Bytes += o.Bytes
	if o.State == Done {
		r.counts.Done++
		r.tally.Done++
	} else {
		r.counts.Failed++
		r.tally.Failed++
	}
	r.recent.add(o.Task.ID)
	r.changed(&o.Task)
	return true, nil
}

func (r *Run) finish(ctx context.Context, o *Outcome) (sql.Result, error) {
	args := []any{o.Task.Attempts + o.Attempts, orNull(o.Status), orNull(o.FinalURL), o.Bytes, o.Took.Milliseconds(), o.At.UnixMilli(), o.Task.ID, r.ID}
	switch o.State {
	case Done:
		return r.stmts.done.ExecContext(ctx, args...)
	case Failed:
		return r.stmts.fail.ExecContext(ctx, append([]any{orNull(o.Kind), orNull(o.Error)}, args...)...)
	}
	return nil, fmt.Errorf("there is no state %q", o.State)
}

func (r *Run) putOff(ctx context.Context, o *Outcome) (bool, error) {
	due := int64(0)
	if !o.NotBefore.IsZero() {
		due = o.NotBefore.UnixMilli()
	}
	result, err := r.stmts.putOff.ExecContext(ctx, o.Task.Attempts+o.Attempts, due, o.Task.ID, r.ID)
	if err != nil {
		return false, fmt.Errorf("put off: %w", err)
	}
	if n, err := result.RowsAffected(); n != 1 || err != nil {
		r.doubt = true
		return false, err
	}
	r.counts.InFlight--
	r.counts.Pending++
	r.tally.PutOff++
	return true, nil
}

// forget removes the records that an earlier answer of a task left and the new one does not replace by itself.
func (r *Run) forget(ctx context.Context, o *Outcome) error {
	for _, t := range r.tables {
		if len(t.Key) > 0 {
			continue // a keyed record outlives the page that showed it
		}
		kept := 0
		for i := range o.Rows {
			if o.Rows[i].Table.Name == t.Name {
				kept++
			}
		}
		q := fmt.Sprintf(`DELETE FROM %s WHERE _task = ? AND _pos >= ?`, quote(t.Name))
		if _, err := r.conn.ExecContext(ctx, q, o.Task.ID, kept); err != nil {
			return fmt.Errorf("drop old records of %s: %w", t.Name, err)
		}
	}
	return nil
}

// keepRejects puts the rejects of this answer in the place of those that earlier ones left: a task that is put off or tried
// again brings the same ones each time.
func (r *Run) keepRejects(ctx context.Context, o *Outcome) error {
	if len(o.Rejects) > 0 || o.Task.Again && o.State == Done {
		if _, err := r.stmts.dropRejects.ExecContext(ctx, o.Task.ID); err != nil {
			return fmt.Errorf("drop old rejects: %w", err)
		}
	}
	for i := range o.Rejects {
		j := &o.Rejects[i]
		if _, err := r.stmts.reject.ExecContext(ctx, o.Task.ID, j.Table, j.Field+": "+j.Reason, j.Raw, o.At.UnixMilli()); err != nil {
			return fmt.Errorf("keep reject: %w", err)
		}
		r.fields.reject(j, o.Task.ID)
	}
	r.tally.Rejects += int64(len(o.Rejects))
	return nil
}

// keepRows adds the outcome's records, numbered by their position among those of the same table.
func (r *Run) keepRows(ctx context.Context, o *Outcome) error {
	for i := range o.Rows {
		r.seq++
		if err := r.stmts.records.add(ctx, &o.Rows[i], r.seq, o.Task.ID, o.At.UnixMilli()); err != nil {
			return err
		}
		r.fields.row(&o.Rows[i], o.Task.ID)
	}
	r.tally.Records += int64(len(o.Rows))
	return nil
}

// count writes the counters, the tick and the run's own numbers: once a commit, whatever its size.
func (r *Run) count(ctx context.Context, now time.Time, before *memory) error {
	if r.doubt {
		if err := r.recount(ctx); err != nil {
			return err
		}
		r.doubt = false
	}
	c, t, ms := r.counts, r.tally, now.UnixMilli()
	if _, err := r.stmts.counters.ExecContext(ctx, c.Pending, c.InFlight, c.Done, c.Failed, r.seq, r.recent.text()); err != nil {
		return fmt.Errorf("write counters: %w", err)
	}
	if n := t.Done + t.Failed - before.tally.Done - before.tally.Failed; n > 0 {
		if _, err := r.stmts.tick.ExecContext(ctx, ms-ms%1000, n); err != nil {
			return fmt.Errorf("write tick: %w", err)
		}
		if _, err := r.stmts.oldTicks.ExecContext(ctx, ms-5*60_000); err != nil {
			return fmt.Errorf("drop old ticks: %w", err)
		}
	}
	if _, err := r.stmts.beat.ExecContext(ctx, ms, t.Done, t.Failed, t.Retried, t.PutOff, t.Records, t.Rejects, t.Links, t.Bytes, r.ID); err != nil {
		return fmt.Errorf("write heartbeat: %w", err)
	}
	return nil
}

// orNull stores the zero value as NULL.
func orNull[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}
