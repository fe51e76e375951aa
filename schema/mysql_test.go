package schema

import (
	"bytes"
	"crypto/sha256"
	"strings"
	"testing"
)

func compiled(t *testing.T, table *Table) *Table {
	t.Helper()
	if err := table.Compile(); err != nil {
		t.Fatal(err)
	}
	return table
}

func TestEveryTypeHasItsColumnInMySQL(t *testing.T) {
	table := compiled(t, &Table{Name: "t", Key: []string{"a", "link"}, Fields: []Field{
		{Name: "a", Max: ptr("191")}, {Name: "long", Max: ptr("16384")}, {Name: "text"}, {Name: "int", Type: typed(t, "int")},
		{Name: "dec", Type: typed(t, "decimal(10,2)")}, {Name: "real", Type: typed(t, "real")}, {Name: "bool", Type: typed(t, "bool")},
		{Name: "date", Type: typed(t, "date")}, {Name: "at", Type: typed(t, "datetime")}, {Name: "link", Type: typed(t, "url")},
		{Name: "json", Type: typed(t, "json")},
	}})
	m := table.MySQL()
	for _, want := range []string{
		"`a` VARCHAR(191) NOT NULL,", "`long` LONGTEXT NULL,", "`text` LONGTEXT NULL,", "`int` BIGINT NULL,", "`dec` DECIMAL(10,2) NULL,",
		"`real` DOUBLE NULL,", "`bool` BOOLEAN NULL,", "`date` DATE NULL,", "`at` DATETIME(3) NULL,", "`link` TEXT NOT NULL,", "`json` JSON NULL,",
		"`_task` BIGINT NULL,", "`_key` BINARY(32) NOT NULL,", "`_fetched_at` DATETIME(3) NULL,", "PRIMARY KEY (`_key`),",
		"INDEX `_by_key` (`a`, `link`(191))", "ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4",
	} {
		if !strings.Contains(m.CreateSQL(), want) {
			t.Errorf("%s is missing in\n%s", want, m.CreateSQL())
		}
	}
}

func TestTheUniqueKeyInMySQLIsTheDeclaredOneUnlessItHasText(t *testing.T) {
	number, text := Field{Name: "n", Type: typed(t, "int")}, Field{Name: "s"}
	for name, c := range map[string]struct {
		key  []string
		want string
	}{
		"a number":          {[]string{"n"}, "PRIMARY KEY (`n`)\n"},
		"a text":            {[]string{"s"}, "PRIMARY KEY (`_key`)"},
		"a number and text": {[]string{"n", "s"}, "PRIMARY KEY (`_key`)"},
		"none":              {nil, "PRIMARY KEY (`_task`, `_pos`)\n"},
	} {
		m := compiled(t, &Table{Name: "t", Key: c.key, Fields: []Field{number, text}}).MySQL()
		if !strings.Contains(m.CreateSQL(), c.want) {
			t.Errorf("%s: %s is missing in\n%s", name, c.want, m.CreateSQL())
		}
		if _, behind := m.UpsertSQL(); strings.Contains(behind, "`"+m.Key[0]+"`=") {
			t.Errorf("%s: its key is updated: %s", name, behind)
		}
	}
}

func TestNoTwoKeysHaveOneHash(t *testing.T) {
	one := compiled(t, &Table{Name: "t", Key: []string{"b"}, Fields: []Field{{Name: "a"}, {Name: "b"}}})
	if sum := sha256.Sum256([]byte("url")); !bytes.Equal(one.MySQLKey(nil, []any{"x", "url"}), sum[:]) {
		t.Error("the hash of one value is not that of its text")
	}
	two := compiled(t, &Table{Name: "t", Key: []string{"a", "b"}, Fields: []Field{{Name: "a"}, {Name: "b"}}})
	seen := map[string][]any{}
	for _, values := range [][]any{{"a", "bc"}, {"ab", "c"}, {"", "abc"}, {"abc", ""}, {"1:a,", "b"}, {"1:a,1:b", ""}, {"a,1:b", ""}, {"a", "1:b,"}} {
		hash := string(two.MySQLKey(nil, values))
		if other, ok := seen[hash]; ok {
			t.Errorf("%q and %q have one hash", values, other)
		}
		seen[hash] = values
	}
}

func TestAColumnInMySQLFitsWhenItKeepsOrRefusesEveryValue(t *testing.T) {
	for _, c := range []struct {
		want string
		have MySQLFound
		fits bool
	}{
		{"int", MySQLFound{DataType: "bigint"}, true}, {"int", MySQLFound{DataType: "smallint"}, true}, {"int", MySQLFound{DataType: "decimal"}, true},
		{"int", MySQLFound{DataType: "double"}, false}, {"int", MySQLFound{DataType: "varchar", Charset: "utf8mb4"}, false},
		{"decimal(10,2)", MySQLFound{DataType: "decimal", Scale: 2}, true}, {"decimal(10,2)", MySQLFound{DataType: "decimal", Scale: 4}, true},
		{"decimal(10,2)", MySQLFound{DataType: "decimal", Scale: 1}, false}, {"decimal(10,2)", MySQLFound{DataType: "double"}, false},
		{"decimal(10,2)", MySQLFound{DataType: "int"}, false}, {"decimal(10,0)", MySQLFound{DataType: "int"}, true},
		{"real", MySQLFound{DataType: "double"}, true}, {"real", MySQLFound{DataType: "float"}, false},
		{"bool", MySQLFound{DataType: "tinyint"}, true}, {"bool", MySQLFound{DataType: "bit"}, false},
		{"date", MySQLFound{DataType: "date"}, true}, {"date", MySQLFound{DataType: "datetime", Fraction: 3}, false},
		{"datetime", MySQLFound{DataType: "datetime", Fraction: 3}, true}, {"datetime", MySQLFound{DataType: "timestamp", Fraction: 6}, true},
		{"datetime", MySQLFound{DataType: "datetime"}, false}, {"datetime", MySQLFound{DataType: "date"}, false},
		{"text", MySQLFound{DataType: "varchar", Charset: "utf8mb4"}, true}, {"text", MySQLFound{DataType: "text", Charset: "utf8mb3"}, false},
		{"text", MySQLFound{DataType: "char", Charset: "utf8mb4"}, false}, {"url", MySQLFound{DataType: "blob"}, false},
		{"json", MySQLFound{DataType: "json"}, true}, {"json", MySQLFound{DataType: "longtext", Charset: "utf8mb4"}, true},
		{"text", MySQLFound{DataType: "json"}, false}, {"text", MySQLFound{DataType: "enum", Charset: "utf8mb4"}, false},
	} {
		m := compiled(t, &Table{Name: "t", Fields: []Field{{Name: "f", Type: typed(t, c.want)}}}).MySQL()
		if m.Columns[0].Fits(c.have) != c.fits {
			t.Errorf("%s in %+v: fits is %v", c.want, c.have, !c.fits)
		}
	}
}
