package schema

import (
	"fmt"
	"strings"
)

// MySQLFound is a column as information_schema.columns describes it on a server.
type MySQLFound struct {
	Name       string
	DataType   string // "decimal"
	ColumnType string // "decimal(10,2) unsigned"
	Scale      int    // digits after the point
	Fraction   int    // digits of a second
	Charset    string
	Collation  string
}

// String is the type in the words of DDL, with the character set of a text.
func (f MySQLFound) String() string {
	text := strings.ToUpper(f.ColumnType)
	if f.Charset != "" && f.Charset != "utf8mb4" {
		text += " CHARACTER SET " + f.Charset
	}
	return text
}

// Fits reports whether what is there holds every value of the column as it is, or refuses it with an error in strict mode:
// a narrower INT, VARCHAR or DECIMAL does. What would round, as FLOAT, fewer decimals or fewer digits of a second do, or
// lose characters, does not fit.
func (c *MySQLColumn) Fits(f MySQLFound) bool {
	if c.Field == MySQLKeyHash {
		return strings.EqualFold(f.ColumnType, mysqlHash)
	}
	switch f.DataType {
	case "tinyint", "smallint", "mediumint", "int", "bigint":
		return c.holds.Kind == Int || c.holds.Kind == Bool || c.holds.Kind == Decimal && c.holds.Scale == 0
	case "decimal":
		return c.holds.Kind == Int || c.holds.Kind == Decimal && f.Scale >= c.holds.Scale
	case "double":
		return c.holds.Kind == Real
	case "date":
		return c.holds.Kind == Date
	case "datetime", "timestamp":
		// A checkpoint that a script made may have whole seconds.
		return c.holds.Kind == Datetime && (f.Fraction >= 3 || c.Field == mysqlOther)
	case "json":
		return c.holds.Kind == JSON
	case "varchar", "tinytext", "text", "mediumtext", "longtext":
		return (c.holds.Kind == Text || c.holds.Kind == URL || c.holds.Kind == JSON) && f.Charset == "utf8mb4"
	}
	return false
}

// NoPadBinary reports whether a collation compares bytes and does not ignore spaces at the end, as SQLite does.
func NoPadBinary(collation string) bool {
	return collation == "utf8mb4_nopad_bin" || collation == "utf8mb4_0900_bin" // MariaDB's, MySQL 8's
}

// MySQLMisfit says that a table is there, but can't take the records as they are.
type MySQLMisfit struct {
	Table, What string
	Is, Want    string
}

func (e *MySQLMisfit) Error() string {
	return fmt.Sprintf("table %s: %s is %s there and should be %s: change it (ALTER TABLE), "+
		"or give the table another name in the job file; nothing was sent",
		e.Table, e.What, e.Is, e.Want)
}
