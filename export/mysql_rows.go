package export

import (
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"dogear/schema"
	"dogear/state"
)

// batch is one statement with many rows.
type batch struct {
	sql   []byte
	last  int64 // the _seq of its last row, or the id of its last task
	parts []part
}

// part is where a row stands in the statement.
type part struct {
	at  int
	seq int64
}

func (b *batch) reset() { b.sql, b.parts, b.last = b.sql[:0], b.parts[:0], 0 }

// appendRecord appends a record as SQL: "(1,'tea',…)", in the order of the columns.
func (t *mysqlTable) appendRecord(b []byte, r *state.Record) []byte {
	b = append(b, '(')
	for i := range t.there.Columns {
		if i > 0 {
			b = append(b, ',')
		}
		switch field := t.there.Columns[i].Field; field {
		case schema.MySQLTask:
			b = strconv.AppendInt(b, r.Task, 10)
		case schema.MySQLPos:
			b = strconv.AppendInt(b, r.Pos, 10)
		case schema.MySQLFetchedAt:
			b = appendMoment(b, r.FetchedAt)
		case schema.MySQLKeyHash:
			b = append(b, "x'"...)
			b = hex.AppendEncode(b, t.MySQLKey(nil, r.Values))
			b = append(b, '\'')
		default:
			b = appendValue(b, t.Fields[field].Type.Kind, r.Values[field])
		}
	}
	return append(b, ')')
}

// appendValue appends a value as it was read from SQLite. A real number has an exponent: without one MySQL takes a literal
// for a DECIMAL.
func appendValue(b []byte, kind schema.Kind, v any) []byte {
	switch v := v.(type) {
	case int64:
		if kind == schema.Datetime {
			return appendMoment(b, v)
		}
		return strconv.AppendInt(b, v, 10)
	case float64:
		return strconv.AppendFloat(b, v, 'e', -1, 64)
	case string:
		return appendText(b, v)
	case []byte:
		return appendText(b, string(v))
	}
	return append(b, "NULL"...)
}

// appendMoment appends Unix ms as a DATETIME in UTC.
func appendMoment(b []byte, ms int64) []byte {
	b = append(b, '\'')
	b = time.UnixMilli(ms).UTC().AppendFormat(b, "2006-01-02 15:04:05.000")
	return append(b, '\'')
}

// appendText appends a string literal for a session without NO_BACKSLASH_ESCAPES, which settle sees to.
func appendText(b []byte, s string) []byte {
	b = append(b, '\'')
	for {
		i := strings.IndexAny(s, "'\\\x00")
		if i < 0 {
			return append(append(b, s...), '\'')
		}
		b = append(append(b, s[:i]...), '\\', s[i])
		if s[i] == 0 {
			b[len(b)-1] = '0'
		}
		s = s[i+1:]
	}
}

func mysqlQuote(name string) string { return schema.MySQLQuote(name) }
