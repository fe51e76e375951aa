package export

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"time"

	"dogear/schema"
	"dogear/state"
)

// sendStates writes crawl_tasks and crawl_breakpoint. Nothing says which tasks have changed, so all are sent each time.
func (m *MySQL) sendStates(ctx context.Context, s *state.Store) error {
	conn, err := m.db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("connect to MySQL on %s: %w", m.o.Target.config.Addr, err)
	}
	defer conn.Close()
	w := &taskWriter{MySQL: m, conn: conn, began: time.Now()}
	if err := conn.QueryRowContext(ctx, `SELECT @@max_allowed_packet`).Scan(&w.most); err != nil {
		return fmt.Errorf("ask for max_allowed_packet: %w", err)
	}
	w.most -= packetRest
	tasks, breakpoint := schema.MySQLOwnTables()
	w.before, w.behind = tasks.UpsertSQL()
	if err := s.EachTask(ctx, func(t *state.TaskRow) error { return w.add(ctx, t) }); err != nil {
		return err
	}
	if err := w.flush(ctx); err != nil {
		return err
	}
	if err := w.forget(ctx); err != nil {
		return fmt.Errorf("drop tasks that are no more: %w", err)
	}
	return w.breakpoint(ctx, &breakpoint)
}

// taskWriter sends tasks and collects the lists of the checkpoint.
type taskWriter struct {
	*MySQL
	conn           *sql.Conn
	began          time.Time
	before, behind string
	most           int
	sql, row       []byte
	rows           int
	last           int64

	finished, failed list
}

// list is a list with commas, kept as long as it may fit into a packet.
type list struct {
	text []byte
	size int64
}

func (l *list) add(url string, most int) {
	if l.size > 0 {
		l.size++
	}
	if l.size += int64(len(url)); l.size > int64(most) {
		l.text = nil
		return
	}
	if len(l.text) > 0 {
		l.text = append(l.text, ',')
	}
	l.text = append(l.text, url...)
}

func (w *taskWriter) add(ctx context.Context, t *state.TaskRow) error {
	switch t.State {
	case state.Done:
		w.finished.add(t.URL, w.most)
	case state.Failed:
		w.failed.add(t.URL, w.most)
	}
	w.row = appendTask(w.row[:0], w.o.Job, t)
	if len(w.before)+len(w.row)+len(w.behind) > w.most {
		return fmt.Errorf("task %d takes %d bytes, more than the server's max_allowed_packet (%d): raise it there",
			t.ID, len(w.row), w.most+packetRest)
	}
	if w.rows > 0 && (len(w.sql)+1+len(w.row)+len(w.behind) > min(w.most, batchBytes) || w.rows == batchRows) {
		if err := w.flush(ctx); err != nil {
			return err
		}
	}
	if w.rows == 0 {
		w.sql = append(w.sql[:0], w.before...)
	} else {
		w.sql = append(w.sql, ',')
	}
	w.sql, w.rows, w.last = append(w.sql, w.row...), w.rows+1, t.ID
	return nil
}

func (w *taskWriter) flush(ctx context.Context) error {
	if w.rows == 0 {
		return nil
	}
	w.sql = append(w.sql, w.behind...)
	if _, err := w.conn.ExecContext(ctx, string(w.sql)); err != nil {
		return fmt.Errorf("send tasks up to %d: %w", w.last, err)
	}
	w.rows = 0
	w.watch(MySQLProgress{Table: schema.MySQLTasks, Seq: w.last})
	return nil
}

// forget deletes the tasks of a state file that was there before a reset.
func (w *taskWriter) forget(ctx context.Context) error {
	for {
		result, err := w.conn.ExecContext(ctx, `DELETE FROM crawl_tasks WHERE task_name = ? AND id > ?
			ORDER BY id LIMIT 10000`, w.o.Job, w.last)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); n < 10_000 || err != nil {
			return err
		}
	}
}

// breakpoint writes the checkpoint. A list that does not fit into a packet can't be put together on the server either:
// CONCAT gives NULL beyond max_allowed_packet, and no client could read it.
func (w *taskWriter) breakpoint(ctx context.Context, t *schema.MySQLTable) error {
	before, behind := t.UpsertSQL()
	if size := w.finished.size + w.failed.size; size > int64(w.most-len(before)-len(behind)-2*len(w.o.Job)) {
		return fmt.Errorf("crawl_breakpoint was not written: its lists of URLs take %d bytes, more than the server's "+
			"max_allowed_packet (%d): raise it there; crawl_tasks has all of them", size, w.most+packetRest)
	}
	b := append([]byte(before), '(')
	b = append(appendText(b, w.o.Job), ',')
	if w.o.CurrentPage == nil {
		b = append(b, "NULL,"...)
	} else {
		b = append(strconv.AppendInt(b, *w.o.CurrentPage, 10), ',')
	}
	b = append(appendText(b, string(w.finished.text)), ',')
	b = append(appendText(b, string(w.failed.text)), ',')
	b = append(appendMoment(b, w.began.UnixMilli()), ')')
	b = append(b, behind...)
	if _, err := w.conn.ExecContext(ctx, string(b)); err != nil {
		return fmt.Errorf("write crawl_breakpoint: %w", err)
	}
	return nil
}

// appendTask appends a task as a row of crawl_tasks, in the order of its columns.
func appendTask(b []byte, job string, t *state.TaskRow) []byte {
	b = append(b, '(')
	b = append(appendText(b, job), ',')
	b = append(strconv.AppendInt(b, t.ID, 10), ',')
	for _, text := range []*string{&t.URL, &t.Page, &t.Method, &t.State} {
		b = append(orNullText(b, text), ',')
	}
	b = append(strconv.AppendInt(b, t.Attempts, 10), ',')
	b = append(orNullInt(b, t.Status), ',')
	for _, text := range []*string{t.ErrorKind, t.Error, t.FinalURL} {
		b = append(orNullText(b, text), ',')
	}
	b = append(orNullInt(b, t.Bytes), ',')
	b = orNullInt(b, t.TookMS)
	for _, at := range []*int64{t.CreatedAt, t.StartedAt, t.Finished} {
		b = append(b, ',')
		if at == nil {
			b = append(b, "NULL"...)
		} else {
			b = appendMoment(b, *at)
		}
	}
	return append(b, ')')
}

func orNullText(b []byte, s *string) []byte {
	if s == nil {
		return append(b, "NULL"...)
	}
	return appendText(b, *s)
}

func orNullInt(b []byte, n *int64) []byte {
	if n == nil {
		return append(b, "NULL"...)
	}
	return strconv.AppendInt(b, *n, 10)
}
