package export

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"

	"dogear/schema"
	"dogear/state"
)

// MySQLOptions say what is sent where.
type MySQLOptions struct {
	Target      *MySQLTarget
	Job         string // its name: task_name on the server
	Tables      []*schema.Table
	SinceStart  bool   // all records, whatever was sent before
	States      bool   // also crawl_tasks and crawl_breakpoint
	CurrentPage *int64 // for crawl_breakpoint: the lowest value of the job's range that is not done; nil: there is none
	// Patience is how long a server that is away is tried again without getting on; 0: not at all.
	Patience time.Duration
	Patient  bool                // with the first connection too
	Watch    func(MySQLProgress) // called after every transaction; may be nil
	Warn     func(text string)   // what is waited for; may be nil
}

// MySQLProgress is how far a table is.
type MySQLProgress struct {
	Table     string
	Rows      int64 // sent so far
	Seq, Last int64 // the _seq that is sent, of the last that will be; for crawl_tasks the ids
}

// MySQLSent is what was sent.
type MySQLSent struct {
	Rows, Tables int64
}

// MySQL sends records to a server. One goroutine uses it; Close it.
type MySQL struct {
	o       MySQLOptions
	db      *sql.DB // nil until the server has answered once
	tables  []*mysqlTable
	exports schema.MySQLTable
	sent    MySQLSent
}

// mysqlTable is a record table and what was found on the server.
type mysqlTable struct {
	*schema.Table
	there      schema.MySQLTable
	sinceStart bool
	followed   int64     // the watermark when Follow had sent all
	unsure     watermark // what was committed last without an answer
	unsureRows int64
}

// NewMySQL returns an export that has not connected yet.
func NewMySQL(o MySQLOptions) *MySQL {
	m := &MySQL{o: o, exports: schema.MySQLExportsTable()}
	for _, t := range o.Tables {
		m.tables = append(m.tables, &mysqlTable{Table: t, there: t.MySQL(), sinceStart: o.SinceStart})
	}
	return m
}

// Close ends the connections.
func (m *MySQL) Close() error {
	if m.db == nil {
		return nil
	}
	return m.db.Close()
}

// Prepare connects, makes the database and the tables that are absent, adds columns that are missing, and returns an
// error before anything is sent when what is there does not fit (*schema.MySQLMisfit). It does nothing the second time.
func (m *MySQL) Prepare(ctx context.Context) error {
	if m.db != nil {
		return nil
	}
	db, err := m.o.Target.open(ctx)
	if err != nil {
		return err
	}
	if err := m.prepare(ctx, db); err != nil {
		return errors.Join(err, db.Close())
	}
	m.db = db
	return nil
}

// Send brings the server up to date with a snapshot of the state file for each table. Whatever ends it, the next one
// carries on: what a transaction covered is there once, together with the watermark that says so.
func (m *MySQL) Send(ctx context.Context, s *state.Store) (MySQLSent, error) {
	m.sent = MySQLSent{}
	prepare := m.Prepare
	if m.o.Patient {
		prepare = func(ctx context.Context) error {
			return m.patiently(ctx, func() (bool, error) { return false, m.Prepare(ctx) })
		}
	}
	if err := prepare(ctx); err != nil {
		return m.sent, err
	}
	for _, t := range m.tables {
		if err := m.patiently(ctx, func() (bool, error) { return m.pass(ctx, s, t, true) }); err != nil {
			return m.sent, err
		}
		m.sent.Tables++
	}
	if m.o.States {
		return m.sent, m.patiently(ctx, func() (bool, error) { return false, m.sendStates(ctx, s) })
	}
	return m.sent, nil
}

// Follow sends the records that are new, for a run that goes on. It leaves to Send at the end what takes a look at all:
// records that are no more.
func (m *MySQL) Follow(ctx context.Context, s *state.Store) error {
	if err := m.Prepare(ctx); err != nil {
		return err
	}
	last, err := s.LastSeq(ctx)
	if err != nil {
		return err
	}
	for _, t := range m.tables {
		if t.followed == last {
			continue
		}
		if _, err := m.pass(ctx, s, t, false); err != nil {
			return err
		}
		t.followed = last
	}
	return nil
}

// patiently does what a server that is away may spoil, until it is done or Patience is over. f tells whether it got on
// before it failed: then there is as much time as in the beginning.
func (m *MySQL) patiently(ctx context.Context, f func() (gotOn bool, err error)) error {
	policy := retrypolicy.NewBuilder[bool]().
		HandleIf(func(_ bool, err error) bool { return MySQLAway(err) }).
		WithBackoff(200*time.Millisecond, 5*time.Second).WithJitterFactor(0.2).
		WithMaxRetries(-1).WithMaxDuration(max(m.o.Patience, 1)).ReturnLastFailure().
		OnRetryScheduled(func(e failsafe.ExecutionScheduledEvent[bool]) {
			if err := e.LastError(); e.Retries() == 0 && !errors.Is(err, errOvertaken) {
				m.warn(fmt.Sprintf("%s does not take the records now: %v; trying again for %v",
					m.o.Target, err, m.o.Patience))
			}
		}).Build()
	for {
		again, err := failsafe.With(policy).WithContext(ctx).Get(func() (bool, error) {
			gotOn, err := f()
			if gotOn && MySQLAway(err) && ctx.Err() == nil && m.o.Patience > 0 {
				return true, nil
			}
			return false, err
		})
		if err != nil || !again {
			return err
		}
	}
}

func (m *MySQL) warn(text string) {
	if m.o.Warn != nil {
		m.o.Warn(text)
	}
}

func (m *MySQL) watch(p MySQLProgress) {
	if m.o.Watch != nil {
		m.o.Watch(p)
	}
}
