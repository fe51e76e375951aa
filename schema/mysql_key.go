package schema

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
)

const (
	// mysqlIndex is the bytes of an index entry (InnoDB, DYNAMIC rows):
	// https://dev.mysql.com/doc/refman/8.0/en/innodb-limits.html
	mysqlIndex = 3072
	// mysqlParts is how many columns an index has at most, in MySQL.
	mysqlParts = 16
	// mysqlPrefix is how many characters of a text are indexed at most: enough to tell nearly all apart, and what older
	// row formats take (767 bytes).
	mysqlPrefix = 191
)

// hashedKey reports whether the key has text in it, or more columns than an index.
func (t *Table) hashedKey() bool {
	for _, name := range t.Key {
		i, _ := t.Field(name)
		switch t.Fields[i].Type.Kind {
		case Text, URL, JSON:
			return true
		}
	}
	return len(t.Key) > mysqlParts
}

// MySQLKey appends the value of _key to b: the SHA-256 of the key's value as text, in SQL UNHEX(SHA2(url, 256)). Of several
// values each is written as LENGTH(value), ':', value, ',' (https://cr.yp.to/proto/netstrings.txt), so that no two keys
// have one text. values are in the order of Fields.
func (t *Table) MySQLKey(b []byte, values []any) []byte {
	var text []byte
	for _, name := range t.Key {
		i, _ := t.Field(name)
		part := t.Text(i, values[i])
		if len(t.Key) == 1 {
			text = append(text, part...)
			continue
		}
		text = strconv.AppendInt(text, int64(len(part)), 10)
		text = append(append(append(text, ':'), part...), ',')
	}
	sum := sha256.Sum256(text)
	return append(b, sum[:]...)
}

// mysqlKeyIndex is the index on the columns of a hashed key. JSON can't be indexed.
func (t *Table) mysqlKeyIndex(types []string) string {
	var parts []string
	prefix := min(mysqlPrefix, mysqlIndex/mysqlChar/min(len(t.Key), mysqlParts))
	for _, name := range t.Key {
		i, _ := t.Field(name)
		part := MySQLQuote(name)
		switch f := &t.Fields[i]; f.Type.Kind {
		case JSON:
			continue
		case Text, URL:
			characters, limited := f.max.(int64)
			if !limited || characters > int64(prefix) || !strings.HasPrefix(types[i], "VARCHAR") {
				part += fmt.Sprintf("(%d)", prefix)
			}
		}
		if parts = append(parts, part); len(parts) == mysqlParts {
			break
		}
	}
	if len(parts) == 0 {
		return ""
	}
	// Its name starts with a name that may have 63 characters, of 64.
	return "INDEX " + MySQLQuote("_by_key") + " (" + strings.Join(parts, ", ") + ")"
}
