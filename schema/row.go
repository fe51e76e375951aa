package schema

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// Raw is what a page said for one field, before cleaning.
type Raw struct {
	// Text is the text as found: for a JSON source a number's literal digits, a string unquoted, "true", "false", or
	// an object or array as JSON text. For a field of type json it is the JSON document itself: a string stays quoted.
	Text  string
	Found bool // false: the source matched nothing, or a JSON null
	JSON  bool // "." is surely its decimal sign: a JSON number, or a JSON string in a field that declares no sign
}

// Row is one cleaned record. Values stand in the order of Table.Fields; each is nil, int64, float64 or string:
//
//	text, url         string
//	int               int64
//	decimal           string with exactly Scale digits after the point, "7999.00"
//	real              float64, finite
//	bool              int64, 0 or 1
//	date              string, "2006-01-02"
//	datetime          int64, Unix milliseconds UTC
//	json              string, a compact JSON document
type Row struct {
	Table  *Table
	Values []any
	// Defaulted are the places of the fields that have their default, since the page said nothing usable: in order, nil
	// when there are none.
	Defaulted []int
}

// Reject is a record that failed validation. Table and Field are names, Reason is for people, Raw is a JSON object
// from field name to raw text (null when the source matched nothing): nothing that the page said is lost.
type Reject struct {
	Table, Field, Reason, Raw string
}

// Text writes a value of field i as people read it, in CSV for example: a datetime in RFC 3339 with milliseconds
// ("2026-02-04T06:30:00.000Z"), a bool as true or false, NULL as nothing. v is as in Row.Values or as read from SQLite.
func (t *Table) Text(i int, v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case int64:
		return t.Fields[i].Type.intText(v)
	case float64:
		return realText(v)
	case []byte:
		return string(v)
	}
	return fmt.Sprint(v)
}

func (t Type) intText(n int64) string {
	switch t.Kind {
	case Bool:
		return strconv.FormatBool(n != 0)
	case Datetime:
		return time.UnixMilli(n).UTC().Format("2006-01-02T15:04:05.000Z07:00")
	}
	return strconv.FormatInt(n, 10)
}

// realText uses an exponent only where JavaScript does: people and spreadsheets read 1000000 better than 1e+06.
func realText(x float64) string {
	format := byte('f')
	if size := math.Abs(x); size != 0 && size < 1e-6 || size >= 1e21 {
		format = 'e'
	}
	return strconv.FormatFloat(x, format, -1, 64)
}
