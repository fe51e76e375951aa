package schema

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func ptr(s string) *string { return &s }

// one compiles a table of a single field.
func one(t testing.TB, f Field) *Table {
	t.Helper()
	if f.Name == "" {
		f.Name = "v"
	}
	table := &Table{Name: "t", Fields: []Field{f}}
	if err := table.Compile(); err != nil {
		t.Fatal(err)
	}
	return table
}

// outcome cleans one text and returns the value, or "reject" when it was rejected.
func outcome(t testing.TB, f Field, raw Raw) any {
	t.Helper()
	row, reject := one(t, f).Clean([]Raw{raw}, "https://shop.example/list/")
	if (row == nil) == (reject == nil) {
		t.Fatal("want exactly one of row and reject")
	}
	if reject != nil {
		return "reject"
	}
	return row.Values[0]
}

func found(s string) Raw { return Raw{Text: s, Found: true} }

func typed(t testing.TB, s string) Type {
	t.Helper()
	ty, err := ParseType(s)
	if err != nil {
		t.Fatal(err)
	}
	return ty
}

func TestFieldsAreCleanedInTheOrderOfTheContract(t *testing.T) {
	decimal, text, integer := typed(t, "decimal(3,2)"), Type{}, typed(t, "int")
	for _, c := range []struct {
		name  string
		field Field
		raw   Raw
		want  any
	}{
		{"match keeps group 1", Field{Match: regexp.MustCompile(`no\. (\d+)`), Type: integer}, found("item no. 42, red"), int64(42)},
		{"match without a group keeps the match", Field{Match: regexp.MustCompile(`\d+`), Type: integer}, found("item 42"), int64(42)},
		{"no match is no value", Field{Match: regexp.MustCompile(`x(\d+)`)}, found("item 42"), nil},
		{"a group that took no part is no value", Field{Match: regexp.MustCompile(`item(x)?`)}, found("item 42"), nil},
		{"remove comes after match", Field{Match: regexp.MustCompile(`<(.*)>`), Remove: regexp.MustCompile(`[ab]`)}, found("<abc>"), "c"},
		{"trimmed after remove", Field{Remove: regexp.MustCompile(`[<>]`)}, found("< x >"), "x"},
		{"what remove leaves nothing of is empty", Field{Remove: regexp.MustCompile(`.`), Default: ptr("d")}, found("xyz"), "d"},
		{"default for what was not found", Field{Default: ptr("0"), Type: decimal}, Raw{}, "0.00"},
		{"default for what is unreadable", Field{Default: ptr("0"), Type: integer}, found("many"), int64(0)},
		{"no default is NULL", Field{Type: integer}, found("many"), nil},
		{"required rejects what is empty", Field{Required: true}, found("  "), "reject"},
		{"required rejects what is unreadable", Field{Required: true, Type: integer}, found("many"), "reject"},
		{"required is content with a default", Field{Required: true, Default: ptr("x")}, Raw{}, "x"},
		{"an empty default is an empty text", Field{Required: true, Default: ptr("")}, Raw{}, ""},
		{"out of bounds is rejected, even with a default", Field{Type: decimal, Max: ptr("5"), Default: ptr("0")}, found("5.01"), "reject"},
		{"bounds are included", Field{Type: decimal, Min: ptr("0"), Max: ptr("5")}, found("5.00"), "5.00"},
		{"clamp moves to the bound", Field{Type: decimal, Min: ptr("0"), Max: ptr("5"), Clamp: true}, found("5.01"), "5.00"},
		{"clamp moves up to min", Field{Type: decimal, Min: ptr("0"), Clamp: true}, found("-0.01"), "0.00"},
		{"clamp reaches what the type can't hold", Field{Type: decimal, Max: ptr("5"), Clamp: true, Default: ptr("0")}, found("12"), "5.00"},
		{"clamp reaches what 64 bits can't hold", Field{Type: integer, Max: ptr("9"), Clamp: true}, found("99999999999999999999"), int64(9)},
		{"too large without a bound is unreadable", Field{Type: decimal, Default: ptr("1")}, found("12"), "1.00"},
		{"max cuts a text at characters", Field{Type: text, Max: ptr("3")}, found("价格表单"), "价格表"},
		{"max leaves a shorter text", Field{Type: text, Max: ptr("4")}, found("价格表单"), "价格表单"},
		{"max 0 leaves an empty text", Field{Type: text, Max: ptr("0")}, found("x"), ""},
		{"min rejects a shorter text", Field{Type: text, Min: ptr("3")}, found("价格"), "reject"},
		{"in allows", Field{In: []string{"new", "used"}}, found("used"), "used"},
		{"in rejects", Field{In: []string{"new", "used"}}, found("old"), "reject"},
		{"in compares values, not spellings", Field{Type: decimal, In: []string{"1.5"}}, found("1,50"), "1.50"},
		{"invalid UTF-8 and NUL do not reach the table", Field{}, found("a\x00b\xffc"), "ab�c"},
		{"only a NUL is empty", Field{}, found("\x00"), nil},
		{"int bounds", Field{Type: integer, Min: ptr("10"), Clamp: true}, found("9"), int64(10)},
		{"real bounds", Field{Type: typed(t, "real"), Max: ptr("1e3")}, found("1000.5"), "reject"},
		{"datetime bounds", Field{Type: typed(t, "datetime"), Min: ptr("2026-01-01")}, found("2025-12-31T23:59:59Z"), "reject"},
		{"in knows capitals from small letters", Field{In: []string{"a"}}, found("A"), "reject"},
		{"date bounds", Field{Type: typed(t, "date"), Min: ptr("2026-01-01")}, found("2025-12-31"), "reject"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, outcome(t, c.field, c.raw)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestARowSaysWhichOfItsFieldsHaveTheirDefault(t *testing.T) {
	raw := func(price, stock, category, rating Raw) []Raw {
		return []Raw{found("1"), found("Kettle"), price, stock, category, rating}
	}
	for _, c := range []struct {
		name string
		raw  []Raw
		want []int
	}{
		{"none when the page says all", raw(found("7999.5"), found("120"), found("kitchen"), found("4.65")), nil},
		{"what is not on the page", raw(found("7999.5"), Raw{}, found("kitchen"), found("4.65")), []int{3}},
		{"what can't be read", raw(found("7999.5"), found("many"), found("kitchen"), found("4.65")), []int{3}},
		{"in the order of the fields", raw(Raw{}, found(""), found("kitchen"), Raw{}), []int{2, 3, 5}},
		{"not what the page says as well", raw(found("0"), found("0"), found("kitchen"), found("0.00")), nil},
		{"not what is moved to a bound", raw(found("1"), found("1"), found("kitchen"), found("-1")), nil},
		{"not what is NULL", raw(found("1"), found("1"), Raw{}, found("5")), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			row, reject := productTable(t).Clean(c.raw, "")
			if reject != nil {
				t.Fatal(reject.Reason)
			}
			if diff := cmp.Diff(c.want, row.Defaulted); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOtherTypesAreRead(t *testing.T) {
	for _, c := range []struct {
		kind, text string
		want       any
	}{
		{"bool", "TRUE", int64(1)}, {"bool", "no", int64(0)}, {"bool", "0", int64(0)}, {"bool", "是", int64(1)}, {"bool", "maybe", nil},
		{"real", "1.5e3", 1500.0}, {"real", "-0", 0.0}, {"real", "1e999", nil}, {"real", "NaN", nil}, {"real", "€ 1,5", 1.5},
		{"url", "../a b?q=ü#top", "https://shop.example/a%20b?q=%C3%BC"}, {"url", "javascript:alert(1)", nil},
		{"url", `\\cdn.example\x`, "https://cdn.example/x"}, {"url", "", nil},
		{"json", ` {"id": 9007199254740993, "p": 1.10} `, `{"id":9007199254740993,"p":1.10}`},
		{"json", `"quoted <b>"`, `"quoted <b>"`}, {"json", `{"a":`, nil}, {"json", "null", nil}, {"json", `[1] [2]`, nil},
	} {
		got := outcome(t, Field{Type: typed(t, c.kind)}, found(c.text))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s %q: %s", c.kind, c.text, diff)
		}
	}
}

func TestKeyFieldsAreRequired(t *testing.T) {
	table := &Table{Name: "t", Key: []string{"id"}, Fields: []Field{{Name: "id"}, {Name: "x"}}}
	if err := table.Compile(); err != nil {
		t.Fatal(err)
	}
	if row, reject := table.Clean([]Raw{{}, found("x")}, ""); row != nil || reject.Field != "id" {
		t.Errorf("got %v, %v; a NULL key would slip past the unique index", row, reject)
	}
}

func TestARejectKeepsTheRawTextsAndSaysWhy(t *testing.T) {
	table := &Table{Name: "shop", Fields: []Field{{Name: "名"}, {Name: "price", Type: typed(t, "decimal(10,2)")}, {Name: "gone"}}}
	if err := table.Compile(); err != nil {
		t.Fatal(err)
	}
	_, got := table.Clean([]Raw{found("a <b> \"c\" \xff\n"), found("$1,234")}, "")
	want := &Reject{
		Table: "shop", Field: "price",
		Reason: `"$1,234" can be read as more than one number; say decimal: "." or decimal: ","`,
		Raw:    `{"名":"a <b> \"c\" \ufffd\n","price":"$1,234","gone":null}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var back map[string]*string
	if err := json.Unmarshal([]byte(got.Raw), &back); err != nil || *back["price"] != "$1,234" || back["gone"] != nil {
		t.Errorf("raw is not what the page said: %v, %v", back, err)
	}
}

func TestAReasonIsShortWhateverThePageSaid(t *testing.T) {
	_, reject := one(t, Field{Required: true, Type: typed(t, "int")}).Clean([]Raw{found(strings.Repeat("字", 5000))}, "")
	if n := len([]rune(reject.Reason)); n > 200 {
		t.Errorf("the reason has %d characters", n)
	}
}
