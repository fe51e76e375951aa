package export

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"

	"github.com/go-sql-driver/mysql"
)

// errOvertaken says that another export of the same job has moved the watermark meanwhile.
var errOvertaken = errors.New("another export of this job is at work")

// passing are the errors of a server that the same statement may not meet again: no room for a connection (1040, 1203), a
// server that stops or starts (1053, 1077, 1079, 1047), a connection that was cut (1152, 1158 to 1161, 1184, 1927, 4031), a
// lock (1205, 1213, 1020), a query or a commit that somebody stopped (1180, 1317, 1969), a replica that is about to be the
// master (1290, 1792, 1836).
var passing = []uint16{1020, 1040, 1047, 1053, 1077, 1079, 1152, 1158, 1159, 1160, 1161, 1180, 1184, 1203, 1205, 1213, 1290, 1317,
	1792, 1836, 1927, 1969, 4031}

// MySQLAway reports whether an error is about a server that does not answer now, or not well: later it may.
func MySQLAway(err error) bool {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	if e, ok := errors.AsType[*mysql.MySQLError](err); ok {
		return slices.Contains(passing, e.Number)
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	for _, broken := range []error{driver.ErrBadConn, sql.ErrConnDone, mysql.ErrInvalidConn, mysql.ErrPktSync, mysql.ErrMalformPkt,
		io.EOF, io.ErrUnexpectedEOF, errOvertaken} {
		if errors.Is(err, broken) {
			return true
		}
	}
	return false
}

func numbered(err error, number uint16) bool {
	e, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && e.Number == number
}

// advice is what to do about a connection that failed.
func advice(err error) string {
	switch {
	case numbered(err, 1045), numbered(err, 1698):
		return ": check MYSQL_USER and MYSQL_PASSWORD (in the environment or in .env beside the job file), or --dsn"
	case numbered(err, 1044):
		return ": the user needs the right to create it, or somebody who has it creates it once"
	case MySQLAway(err):
		return ": is it running, and are MYSQL_HOST and MYSQL_PORT (or --dsn) right?"
	}
	return ""
}

// silent are the codes of warnings by which a server tells in strict mode that it has changed a value: cut (1265, 1406),
// out of range (1264), not of the type (1366, 1292).
var silent = []int{1264, 1265, 1292, 1366, 1406}

// changed returns an error when the last statement on the connection kept a value otherwise than it was sent, such as a
// text without the spaces at its end, which is no error even in strict mode.
func changed(ctx context.Context, q querier) error {
	rows, err := q.QueryContext(ctx, `SHOW WARNINGS`)
	if err != nil {
		return fmt.Errorf("look for warnings: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var level, text string
		var code int
		if err := rows.Scan(&level, &code, &text); err != nil {
			return fmt.Errorf("look for warnings: %w", err)
		}
		if slices.Contains(silent, code) {
			return &mysql.MySQLError{Number: uint16(code), Message: text}
		}
	}
	return rows.Err()
}

// querier is a connection or a transaction.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}
