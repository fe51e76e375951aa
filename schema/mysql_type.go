package schema

import "fmt"

// Types that more than one column has. MySQL keeps a DATETIME as it is written, whatever the time zone: ours are UTC.
const (
	mysqlMoment = "DATETIME(3)"
	mysqlHash   = "BINARY(32)"
	mysqlName   = "VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"
)

// mysqlRow is how many bytes the columns of a row may take together, those of TEXT and BLOB counted by their pointers alone:
// https://dev.mysql.com/doc/refman/8.0/en/column-count-limit.html, https://mariadb.com/kb/en/innodb-limitations/.
const mysqlRow = 65_535

// mysqlText is what a TEXT holds, in bytes.
const mysqlText = 65_535

// mysqlChar is the most that a character of utf8mb4 takes, in bytes; the row is reckoned with that for every character.
const mysqlChar = 4

// mysqlTypes returns the types of the columns of the fields. Text with max is VARCHAR(max) as long as the row has room for
// all that come before it in the job file (one of up to 16,383 characters alone); beyond that TEXT, or LONGTEXT where TEXT
// is too short or max is not known.
func (t *Table) mysqlTypes() []string {
	room := mysqlRow - 64 - len(t.Fields)/8 // our own columns, and the bits that say which are NULL
	for i := range t.Fields {
		room -= t.Fields[i].Type.mysqlSize()
	}
	types := make([]string, len(t.Fields))
	for i := range t.Fields {
		f := &t.Fields[i]
		characters, limited := f.max.(int64)
		size := mysqlChar*characters + 2
		switch {
		case f.Type.Kind != Text:
			types[i] = f.Type.mysql()
		case !limited:
			types[i] = "LONGTEXT"
		case size <= int64(room):
			types[i] = fmt.Sprintf("VARCHAR(%d)", characters)
			room -= int(size)
		case mysqlChar*characters <= mysqlText:
			types[i] = "TEXT"
		default:
			types[i] = "LONGTEXT"
		}
	}
	return types
}

// mysql returns the type of a column for all but text. A URL is at most 16 KiB as a page writes it, so TEXT is enough.
func (t Type) mysql() string {
	switch t.Kind {
	case Int:
		return "BIGINT"
	case Decimal:
		return fmt.Sprintf("DECIMAL(%d,%d)", t.Precision, t.Scale)
	case Real:
		return "DOUBLE"
	case Bool:
		return "BOOLEAN"
	case Date:
		return "DATE"
	case Datetime:
		return mysqlMoment
	case JSON:
		return "JSON"
	}
	return "TEXT"
}

// mysqlSize is the most bytes that a column takes in the row itself, of a TEXT or JSON its pointer.
func (t Type) mysqlSize() int {
	if t.Kind == Decimal {
		return 32 // 65 digits, 4 bytes for 9 of them
	}
	return 12
}
