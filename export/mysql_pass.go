package export

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"dogear/state"
)

const (
	// batchBytes and batchRows are the size of a statement, if the server takes that much. Between 1,000 and 20,000 rows
	// the server's CPU time per row hardly differs (BenchmarkMySQL); a far server wants few round trips, a kill loses
	// little when they are small.
	batchBytes = 1 << 20
	batchRows  = 5000
	// packetRest is left free in a packet: its header, and what a proxy may add.
	packetRest = 1024
)

// pass is one way through a table: what is above the watermark, read and written at the same time.
type pass struct {
	*MySQL
	table          *mysqlTable
	conn           *sql.Conn
	from           watermark
	last           int64 // the last _seq of the snapshot
	limit          int   // bytes of a statement, rows and all
	most           int   // that the server takes
	before, behind string

	full chan *batch // from the reader to the writer; the reader closes it
	free chan *batch // and back
	// gotOn: something is committed. Of the writer.
	gotOn bool
}

// pass sends what a snapshot has above the watermark. whole: and deletes what it has no more.
func (m *MySQL) pass(ctx context.Context, s *state.Store, t *mysqlTable, whole bool) (gotOn bool, err error) {
	conn, err := m.db.Conn(ctx)
	if err != nil {
		return false, fmt.Errorf("connect to MySQL on %s: %w", m.o.Target.config.Addr, err)
	}
	defer conn.Close()
	p := &pass{MySQL: m, table: t, conn: conn, full: make(chan *batch, 1), free: make(chan *batch, 3)}
	err = s.Snapshot(ctx, func(s *state.Store) error {
		if err := p.begin(ctx, s); err != nil {
			return err
		}
		if err := p.send(ctx, s); err != nil {
			return err
		}
		if whole && len(t.Key) == 0 {
			return p.sweep(ctx, s)
		}
		return nil
	})
	return p.gotOn || errors.Is(err, errOvertaken), err
}

func (p *pass) begin(ctx context.Context, s *state.Store) (err error) {
	if p.from, err = p.MySQL.begin(ctx, p.conn, s, p.table); err != nil {
		return err
	}
	if p.last, err = s.LastSeq(ctx); err != nil {
		return err
	}
	if err := p.conn.QueryRowContext(ctx, `SELECT @@max_allowed_packet`).Scan(&p.most); err != nil {
		return fmt.Errorf("ask for max_allowed_packet: %w", err)
	}
	p.before, p.behind = p.table.there.UpsertSQL()
	p.most -= packetRest
	p.limit = min(p.most, batchBytes)
	for range cap(p.free) {
		p.free <- &batch{}
	}
	return nil
}

// send reads and writes at the same time. What was read before an error is written first.
func (p *pass) send(ctx context.Context, s *state.Store) error {
	group, within := errgroup.WithContext(ctx)
	group.Go(func() error { return p.write(within) })
	readErr := p.read(within, s)
	close(p.full)
	if err := group.Wait(); err != nil {
		if MySQLAway(err) || errors.Is(err, context.Canceled) {
			return err
		}
		return p.named(ctx, s, err)
	}
	return readErr
}

func (p *pass) read(ctx context.Context, s *state.Store) error {
	var b *batch
	var row []byte
	err := s.Each(ctx, p.table.Table, p.from.seq, func(r *state.Record) error {
		row = p.table.appendRecord(row[:0], r)
		if len(p.before)+len(row)+len(p.behind) > p.most {
			err := p.flush(ctx, b)
			b = nil
			return errors.Join(err, p.tooLarge(r, len(row)))
		}
		if b != nil && (len(b.sql)+1+len(row)+len(p.behind) > p.limit || len(b.parts) == batchRows) {
			if err := p.flush(ctx, b); err != nil {
				return err
			}
			b = nil
		}
		if b == nil {
			select {
			case b = <-p.free:
				b.reset()
				b.sql = append(b.sql, p.before...)
			case <-ctx.Done():
				return ctx.Err()
			}
		} else {
			b.sql = append(b.sql, ',')
		}
		b.parts, b.last = append(b.parts, part{len(b.sql), r.Seq}), r.Seq
		b.sql = append(b.sql, row...)
		return nil
	})
	if err != nil {
		return err
	}
	return p.flush(ctx, b)
}

func (p *pass) flush(ctx context.Context, b *batch) error {
	if b == nil {
		return nil
	}
	b.sql = append(b.sql, p.behind...)
	select {
	case p.full <- b:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *pass) write(ctx context.Context) error {
	var rows int64
	for b := range p.full {
		if err := p.land(ctx, b); err != nil {
			return err
		}
		p.gotOn = true
		p.sent.Rows += int64(len(b.parts))
		rows += int64(len(b.parts))
		p.watch(MySQLProgress{Table: p.table.Name, Rows: rows, Seq: b.last, Last: p.last})
		p.free <- b
	}
	return ctx.Err()
}

// land commits a batch with the watermark.
func (p *pass) land(ctx context.Context, b *batch) error {
	sent := false
	err := transaction(ctx, p.conn, func(tx *sql.Tx) error {
		if err := p.move(ctx, tx, p.table, p.from, b.last); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, string(b.sql)); err != nil {
			return p.refused(ctx, tx, b, err)
		}
		if err := changed(ctx, tx); err != nil {
			return p.refused(ctx, tx, b, err)
		}
		sent = true
		return nil
	})
	if err != nil {
		if sent {
			p.table.unsure, p.table.unsureRows = watermark{p.from.state, b.last}, int64(len(b.parts))
		}
		return fmt.Errorf("send records of %s: %w", p.table.Name, err)
	}
	p.from.seq = b.last
	return nil
}
