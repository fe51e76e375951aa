package schema

import (
	"math"
	"testing"
)

func TestEveryCleanedValueFitsItsStrictColumn(t *testing.T) {
	table := &Table{Name: "all"}
	var raw []Raw
	for kind, text := range map[string]string{
		"text": "x", "int": "9007199254740993", "decimal(10,2)": "7.5", "real": "1e3", "bool": "true",
		"date": "2026-02-04", "datetime": "2026-02-04T06:30:00Z", "url": "/x", "json": `[1]`,
	} {
		ty := typed(t, kind)
		table.Fields = append(table.Fields, Field{Name: kindNames[ty.Kind], Type: ty})
		raw = append(raw, found(text))
	}
	if err := table.Compile(); err != nil {
		t.Fatal(err)
	}
	row, reject := table.Clean(raw, "https://a.example/")
	if reject != nil {
		t.Fatal(reject.Reason)
	}
	db := open(t)
	create(t, db, table)
	run(t, db, table.UpsertSQL(1), append([]any{1, 1, 0, 1}, row.Values...)...)
	got := rows(t, db, `SELECT * FROM "all"`)[0][4:]
	for i := range got {
		if got[i] != row.Values[i] {
			t.Errorf("%s: %#v came back as %#v", table.Fields[i].Name, row.Values[i], got[i])
		}
	}
	run(t, db, table.UpsertSQL(1), append([]any{2, 1, 0, 1}, make([]any, len(row.Values))...)...) // all NULL
}

func TestValuesAreWrittenForPeople(t *testing.T) {
	for _, c := range []struct {
		kind Kind
		v    any
		want string
	}{
		{Text, nil, ""}, {Text, "x", "x"}, {Int, int64(-5), "-5"}, {Bool, int64(1), "true"}, {Bool, int64(0), "false"},
		{Datetime, int64(1770186600000), "2026-02-04T06:30:00.000Z"}, {Datetime, int64(-1), "1969-12-31T23:59:59.999Z"},
		{Real, 1e6, "1000000"}, {Real, 0.1, "0.1"}, {Real, 0.0, "0"}, {Real, 1e-9, "1e-09"}, {Real, -math.MaxFloat64, "-1.7976931348623157e+308"},
		{Decimal, "7999.00", "7999.00"}, {JSON, []byte(`[1]`), "[1]"}, {Int, 7, "7"},
	} {
		table := &Table{Name: "t", Fields: []Field{{Name: "v", Type: Type{Kind: c.kind}}}}
		if got := table.Text(0, c.v); got != c.want {
			t.Errorf("%v %v is %q, want %q", c.kind, c.v, got, c.want)
		}
	}
}
