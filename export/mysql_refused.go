package export

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/go-sql-driver/mysql"

	"dogear/state"
)

// refusedError is a record that the server does not take.
type refusedError struct {
	seq int64
	err error
}

func (e *refusedError) Error() string { return e.err.Error() }

func (e *refusedError) Unwrap() error { return e.err }

// errFound ends a search.
var errFound = errors.New("found")

// refused finds the row of a batch that the server does not take: they are sent one by one, in the transaction, which is
// rolled back.
func (p *pass) refused(ctx context.Context, tx *sql.Tx, b *batch, err error) error {
	var refused *mysql.MySQLError
	if !errors.As(err, &refused) || MySQLAway(err) {
		return err
	}
	for i, row := range b.parts {
		end := len(b.sql) - len(p.behind)
		if i+1 < len(b.parts) {
			end = b.parts[i+1].at - 1 // the comma
		}
		_, one := tx.ExecContext(ctx, p.before+string(b.sql[row.at:end])+p.behind)
		if one == nil {
			one = changed(ctx, tx)
		}
		if errors.As(one, &refused) && !MySQLAway(one) {
			return &refusedError{row.seq, one}
		}
		if one != nil {
			return one
		}
	}
	return err
}

// named adds which record was refused.
func (p *pass) named(ctx context.Context, s *state.Store, err error) error {
	refused, ok := errors.AsType[*refusedError](err)
	if !ok {
		return err
	}
	name := fmt.Sprintf("the record with _seq %d", refused.seq)
	found := s.Each(ctx, p.table.Table, refused.seq-1, func(r *state.Record) error {
		name = p.recordName(r)
		return errFound
	})
	if found != nil && !errors.Is(found, errFound) {
		return errors.Join(err, found)
	}
	return fmt.Errorf("table %s does not take %s: %w: change the column there (ALTER TABLE), or the field's type or max "+
		"in the job file; the transactions before it were sent", p.table.Name, name, refused.err)
}

func (p *pass) tooLarge(r *state.Record, size int) error {
	return fmt.Errorf("%s of table %s takes %d bytes, more than the server's max_allowed_packet (%d): raise it there "+
		"(SET GLOBAL max_allowed_packet = …, and in its configuration); what came before it was sent", p.recordName(r), p.table.Name, size, p.most+packetRest)
}

// recordName is how a user finds a record: by its key, or by its task.
func (p *pass) recordName(r *state.Record) string {
	if len(p.table.Key) == 0 {
		return fmt.Sprintf("record %d of task %d", r.Pos+1, r.Task)
	}
	var parts []string
	for _, name := range p.table.Key {
		i, _ := p.table.Field(name)
		text := []rune(p.table.Text(i, r.Values[i]))
		if len(text) > 200 {
			text = append(text[:200], '…')
		}
		parts = append(parts, name+" "+string(text))
	}
	return "the record with " + strings.Join(parts, ", ")
}
