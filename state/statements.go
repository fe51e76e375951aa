package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"dogear/schema"
)

const (
	// Guarded by id + run + state: an outcome lands only on a row that this run still owns.
	doneSQL = `UPDATE tasks SET state = 'done', error_kind = NULL, error = NULL, attempts = ?, status = ?, final_url = ?, bytes = ?,
		took_ms = ?, finished_at = ?, spare = NULL WHERE id = ? AND run = ? AND state = 'in-flight'`
	failSQL = `UPDATE tasks SET state = 'failed', error_kind = ?, error = ?, attempts = ?, status = ?, final_url = ?, bytes = ?,
		took_ms = ?, finished_at = ?, spare = NULL WHERE id = ? AND run = ? AND state = 'in-flight'`
	putOffSQL = `UPDATE tasks SET state = 'pending', attempts = ?, not_before = ? WHERE id = ? AND run = ? AND state = 'in-flight'`

	attemptSQL     = `INSERT INTO attempts (task, attempt, at, status, kind, error, took_ms) VALUES (?, ?, ?, ?, ?, ?, ?)`
	rejectSQL      = `INSERT INTO rejects (task, "table", reason, raw, at) VALUES (?, ?, ?, ?, ?)`
	dropRejectsSQL = `DELETE FROM rejects WHERE task = ?`

	countersSQL = `UPDATE counters SET pending = ?, in_flight = ?, done = ?, failed = ?, seq = ?, recent = ?`
	tickSQL     = `INSERT INTO ticks (at, finished) VALUES (?, ?) ON CONFLICT (at) DO UPDATE SET finished = finished + excluded.finished`
	oldTicksSQL = `DELETE FROM ticks WHERE at < ?`
	beatSQL     = `UPDATE runs SET heartbeat_at = ?, done = ?, failed = ?, retried = ?, put_off = ?, records = ?, rejects = ?,
		links = ?, bytes = ? WHERE id = ?`

	taskShared = 7  // parameters that the tasks of one statement have in common
	taskRows   = 64 // tasks added by one statement at the most
)

// addSQL adds n tasks that differ only in their URL and what they carry, passing over those whose key is known.
func addSQL(n int) string {
	return `INSERT OR ROLLBACK INTO tasks (page, method, body, key_given, depth, parent, created_at, url, carry) VALUES ` +
		strings.TrimSuffix(strings.Repeat("(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?, ?),", n), ",") + ` ON CONFLICT (key) DO NOTHING`
}

// statements are those of the write connection, prepared once.
type statements struct {
	done, fail, putOff, attempt, reject, dropRejects, counters, tick, oldTicks, beat, claim, field *sql.Stmt

	known, recarry *sql.Stmt

	change, cursor, trim *sql.Stmt // for mirrors
	keepBody, dropBody   *sql.Stmt

	add     map[int]*sql.Stmt // by number of rows, prepared on first use
	records recordWriter
}

func (s *statements) prepare(ctx context.Context, conn *sql.Conn, tables []*schema.Table) error {
	for _, p := range []struct {
		stmt **sql.Stmt
		text string
	}{
		{&s.done, doneSQL}, {&s.fail, failSQL}, {&s.putOff, putOffSQL}, {&s.attempt, attemptSQL}, {&s.reject, rejectSQL},
		{&s.dropRejects, dropRejectsSQL}, {&s.counters, countersSQL}, {&s.tick, tickSQL}, {&s.oldTicks, oldTicksSQL},
		{&s.beat, beatSQL}, {&s.claim, claimSQL}, {&s.change, changeSQL}, {&s.cursor, cursorSQL}, {&s.trim, trimSQL},
		{&s.field, fieldSQL}, {&s.known, knownTaskSQL}, {&s.recarry, recarrySQL},
		{&s.keepBody, keepBodySQL}, {&s.dropBody, dropBodySQL},
	} {
		var err error
		if *p.stmt, err = conn.PrepareContext(ctx, p.text); err != nil {
			return fmt.Errorf("prepare %s: %w", p.text, err)
		}
	}
	s.add = map[int]*sql.Stmt{}
	return s.records.prepare(ctx, conn, tables)
}

// adder returns the statement that adds n tasks.
func (s *statements) adder(ctx context.Context, conn *sql.Conn, n int) (*sql.Stmt, error) {
	if stmt := s.add[n]; stmt != nil {
		return stmt, nil
	}
	stmt, err := conn.PrepareContext(ctx, addSQL(n))
	if err != nil {
		return nil, fmt.Errorf("prepare: %w", err)
	}
	s.add[n] = stmt
	return stmt, nil
}

func (s *statements) close() error {
	all := []*sql.Stmt{
		s.done, s.fail, s.putOff, s.attempt, s.reject, s.dropRejects, s.counters, s.tick, s.oldTicks, s.beat,
		s.claim, s.change, s.cursor, s.trim, s.field, s.keepBody, s.dropBody, s.known, s.recarry,
	}
	for _, stmt := range s.add {
		all = append(all, stmt)
	}
	var errs []error
	for _, stmt := range append(all, s.records.stmts()...) {
		if stmt != nil {
			errs = append(errs, stmt.Close())
		}
	}
	return errors.Join(errs...)
}
