package schema

import (
	"errors"
	"regexp"
	"strings"
	"testing"
)

func productTable(t testing.TB) *Table {
	t.Helper()
	table := &Table{Name: "products", Key: []string{"product_id"}, Fields: []Field{
		{Name: "product_id", Type: typed(t, "int"), Required: true},
		{Name: "name", Max: ptr("255"), Remove: regexp.MustCompile("[<>]"), Required: true},
		{Name: "price", Type: typed(t, "decimal(10,2)"), Default: ptr("0")},
		{Name: "stock", Type: typed(t, "int"), Default: ptr("0")},
		{Name: "category", Max: ptr("100")},
		{Name: "rating", Type: typed(t, "decimal(3,2)"), Min: ptr("0"), Max: ptr("5"), Clamp: true, Default: ptr("0")},
		{Name: "update_time", Type: typed(t, "datetime")},
	}}
	if err := table.Compile(); err != nil {
		t.Fatal(err)
	}
	return table
}

func TestATableThatCannotWorkIsRefusedWithItsPlace(t *testing.T) {
	number, field := typed(t, "decimal(3,1)"), func(f Field) Table {
		f.Name = "f"
		return Table{Name: "t", Fields: []Field{f}}
	}
	names := func(names ...string) (fields []Field) {
		for _, name := range names {
			fields = append(fields, Field{Name: name})
		}
		return fields
	}
	for name, c := range map[string]struct {
		table       Table
		field, what string
	}{
		"a table without fields":           {Table{Name: "t"}, "", "fields"},
		"a table without a name":           {Table{Fields: names("a")}, "", "table"},
		"a table named with a quote":       {Table{Name: `a"b`, Fields: names("a")}, "", "table"},
		"a table of SQLite":                {Table{Name: "SQLite_x", Fields: names("a")}, "", "table"},
		"a table of the state":             {Table{Name: "Tasks", Fields: names("a")}, "", "table"},
		"a table named like a key index":   {Table{Name: "a__KEY", Fields: names("a")}, "", "table"},
		"a table name of 64 letters":       {Table{Name: strings.Repeat("x", 64), Fields: names("a")}, "", "table"},
		"a column of the state":            {Table{Name: "t", Fields: names("_seq")}, "_seq", "name"},
		"a column starting with a digit":   {Table{Name: "t", Fields: names("1a")}, "1a", "name"},
		"two columns that differ by case":  {Table{Name: "t", Fields: names("a", "B", "b")}, "b", "name"},
		"a key that is no field":           {Table{Name: "t", Key: []string{"A"}, Fields: names("a")}, "", "key"},
		"a key named twice":                {Table{Name: "t", Key: []string{"a", "a"}, Fields: names("a")}, "a", "key"},
		"a type that does not exist":       {field(Field{Type: Type{Kind: 99}}), "f", "type"},
		"a decimal without digits":         {field(Field{Type: Type{Kind: Decimal}}), "f", "type"},
		"a decimal sign that is none":      {field(Field{Type: number, Decimal: ";"}), "f", "decimal"},
		"a default of another type":        {field(Field{Type: number, Default: ptr("none")}), "f", "default"},
		"an empty default for a number":    {field(Field{Type: number, Default: ptr("")}), "f", "default"},
		"a default out of bounds":          {field(Field{Type: number, Min: ptr("1"), Default: ptr("0")}), "f", "default"},
		"a default that in does not allow": {field(Field{In: []string{"a"}, Default: ptr("b")}), "f", "default"},
		"a bound of another type":          {field(Field{Type: number, Max: ptr("x")}), "f", "max"},
		"a bound that the type can't hold": {field(Field{Type: number, Max: ptr("100")}), "f", "max"},
		"a negative length":                {field(Field{Max: ptr("-1")}), "f", "max"},
		"bounds for a bool":                {field(Field{Type: Type{Kind: Bool}, Min: ptr("0")}), "f", "min"},
		"min over max":                     {field(Field{Type: number, Min: ptr("10"), Max: ptr("9.9")}), "f", "min"},
		"a value of in of another type":    {field(Field{Type: number, In: []string{"1", "x"}}), "f", "in"},
	} {
		var wrong *FieldError
		if err := c.table.Compile(); !errors.As(err, &wrong) {
			t.Errorf("%s: got %v", name, err)
		} else if wrong.Field != c.field || wrong.What != c.what || wrong.Table != c.table.Name || wrong.Error() == "" {
			t.Errorf("%s: at %q %q: %v", name, wrong.Field, wrong.What, err)
		}
	}
}

func TestWhatStandsInTheJobFileIsReadAsYAMLWritesIt(t *testing.T) {
	number := typed(t, "decimal(7,3)")
	for written, want := range map[string]any{"1.234": "1.234", "0": "0.000", "1,5": "1.500", "1.234,5": "1234.500", "-1e2": "-100.000"} {
		if got := outcome(t, Field{Type: number, Decimal: ",", Default: &written}, Raw{}); got != want {
			t.Errorf("default %s is %v, want %v", written, got, want)
		}
	}
}

func TestCompileCanBeRepeated(t *testing.T) {
	table := productTable(t)
	table.Fields[5].Max, table.Key = nil, nil
	if err := table.Compile(); err != nil {
		t.Fatal(err)
	}
	row, reject := table.Clean([]Raw{{}, found("cup"), {}, {}, {}, found("9.5")}, "")
	if reject == nil || reject.Field != "product_id" {
		t.Errorf("product_id is required whether it is a key or not: %v", row)
	}
	row, _ = table.Clean([]Raw{found("1"), found("cup"), {}, {}, {}, found("9.5")}, "")
	if row == nil || row.Values[5] != "9.50" {
		t.Errorf("the bound that was taken out still holds: %v", row)
	}
}

// The names in the state file and those that a record table may not have are written down twice; this holds them together.
func TestEveryNameOfTheStateFileIsReserved(t *testing.T) {
	db := open(t)
	for _, migration := range Migrations() {
		run(t, db, migration)
	}
	names := rows(t, db, `SELECT name FROM sqlite_master`)
	if len(names) == 0 {
		t.Fatal("the state file has no tables")
	}
	for _, line := range names {
		if checkTableName(line[0].(string)) == nil {
			t.Errorf("a record table may be called %s, which is taken", line[0])
		}
	}
}

func TestTypesAreReadAndWrittenAsInTheJobFile(t *testing.T) {
	for text, want := range map[string]struct{ name, column string }{
		"": {"text", "TEXT"}, "text": {"text", "TEXT"}, "int": {"int", "INTEGER"}, "real": {"real", "REAL"}, "bool": {"bool", "INTEGER"},
		"date": {"date", "TEXT"}, "datetime": {"datetime", "INTEGER"}, "url": {"url", "TEXT"}, "json": {"json", "TEXT"},
		"decimal(10,2)": {"decimal(10,2)", "TEXT"}, " decimal ( 10 , 2 ) ": {"decimal(10,2)", "TEXT"}, "decimal(5)": {"decimal(5,0)", "TEXT"},
	} {
		ty, err := ParseType(text)
		if err != nil || ty.String() != want.name || ty.Column() != want.column {
			t.Errorf("%q is %s in a column of type %s, %v", text, ty, ty.Column(), err)
		}
	}
	for _, text := range []string{"string", "Int", "decimal", "decimal(2,3)", "decimal(66,2)", "decimal(40,31)", "decimal(10,2",
		"decimal(x)", "decimal(3,1)x", "int(3)", "decimal(0)", "decimal(3,-1)", "(1,2)"} {
		if ty, err := ParseType(text); err == nil {
			t.Errorf("%q is taken for %s", text, ty)
		}
	}
}
