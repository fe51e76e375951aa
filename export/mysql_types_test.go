package export_test

import (
	"math"
	"strings"
	"testing"

	"dogear/internal/testenv"
	"dogear/schema"
)

// openagent #1473: error 1366 at the first emoji. Every digit, every character, every bit, whatever the server's own mode
// and time zone are.
func TestEveryValueComesOutAsItWent(t *testing.T) {
	for name, settings := range map[string][2]string{
		"the server's defaults":       {"", "SYSTEM"},
		"no backslash escapes":        {"NO_BACKSLASH_ESCAPES,ANSI_QUOTES", "+09:00"},
		"a server that is not strict": {"ALLOW_INVALID_DATES,PAD_CHAR_TO_FULL_LENGTH", "-11:30"},
	} {
		t.Run(name, func(t *testing.T) {
			admin := testenv.MySQL(t).Open(t)
			defer admin.Close()
			var mode, zone string
			if err := admin.QueryRow(`SELECT @@GLOBAL.sql_mode, @@GLOBAL.time_zone`).Scan(&mode, &zone); err != nil {
				t.Fatal(err)
			}
			set := func(mode, zone string) {
				if _, err := admin.Exec(`SET GLOBAL sql_mode = ?, GLOBAL time_zone = ?`, mode, zone); err != nil {
					t.Fatal(err)
				}
			}
			if settings[0] != "" {
				set(settings[0], settings[1])
				defer set(mode, zone)
			}
			b := newBook(t, everyType())
			for _, values := range everyValue() {
				b.page(values)
			}
			b.wantSent(int64(len(everyValue())))
			b.wantSent(0)
		})
	}
}

func everyType() *schema.Table {
	short := "3000"
	return &schema.Table{Name: "商品", Key: []string{"id"}, Fields: []schema.Field{
		{Name: "id", Type: kind(schema.Int)}, {Name: "select", Max: &short}, {Name: "长文"},
		{Name: "price", Type: schema.Type{Kind: schema.Decimal, Precision: 65, Scale: 30}}, {Name: "x", Type: kind(schema.Real)},
		{Name: "new", Type: kind(schema.Bool)}, {Name: "day", Type: kind(schema.Date)}, {Name: "at", Type: kind(schema.Datetime)},
		{Name: "link", Type: kind(schema.URL)}, {Name: "raw", Type: kind(schema.JSON)},
	}}
}

func everyValue() [][]any {
	emoji := "狗耳🐶𠮷 👩‍👩‍👧 é"
	odd := "'\"\\ \\' '' \\n \n\r\t\x00\x1a % _ -- ; /* */ ` ? $1"
	row := func(id int64, text any, price any, x any, flag any, day any, at any, link any, raw any) []any {
		return []any{id, text, text, price, x, flag, day, at, link, raw}
	}
	big := strings.Repeat("9", 35) + "." + strings.Repeat("9", 30)
	zeros := strings.Repeat("0", 29)
	return [][]any{
		row(1, emoji, "1.5"+zeros, 0.1, int64(1), "2026-02-04", int64(1_770_186_600_123), "https://a.example/鱼?q='", `{"n":1.50,"s":"🐶\"\\"}`),
		row(2, odd, big, math.MaxFloat64, int64(0), "0001-01-01", int64(-62135596800000), odd, `[1,"\u0000"]`),
		row(3, "", "-"+big, math.SmallestNonzeroFloat64, nil, "9999-12-31", int64(253402300799999), "", `null`),
		row(math.MaxInt64, strings.Repeat("🐶", 3000), "0."+zeros+"1", 5e-320, nil, "1600-02-29", int64(-1), strings.Repeat("é", 8000), `"x"`),
		row(math.MinInt64, strings.Repeat("\\", 3000), "-0."+zeros+"1", -2.2250738585072014e-308, nil, nil, int64(0), nil, nil),
		row(9007199254740993, nil, nil, nil, nil, nil, nil, nil, nil),
		row(7, " spaces \t at both ends \n ", nil, 1e23, nil, nil, int64(1_774_747_800_001), nil, strings.Repeat("[", 30)+strings.Repeat("]", 30)),
		row(8, "İıſß\u0301\ufeff\u2028\uffff", nil, 123456789012345680.0, nil, nil, nil, nil, nil),
		row(9, "x", nil, 1.0, nil, nil, nil, nil, nil),
		row(10, "x", nil, math.Nextafter(1, 2), nil, nil, nil, nil, nil),
	}
}

// What SQLite tells apart are two rows on the server too, whatever its collations take for one.
func TestKeysThatDifferInAByteStayTwo(t *testing.T) {
	long := "https://a.example/" + strings.Repeat("長", 5000)
	keys := []string{"a", "A", "a ", "a\x00", "á", "ａ", "ß", "ss", "🐶", "🐱", "", " ", long, long + "/", long + "/2", "1", "01", "1.0"}
	url, limited, short := schema.Field{Name: "link", Type: kind(schema.URL)}, "255", "40"
	for name, fields := range map[string][]schema.Field{
		"a url":         {url},
		"text":          {{Name: "link"}},
		"text with max": {{Name: "link", Max: &limited}},
		"two columns":   {{Name: "link"}, {Name: "n", Max: &short}},
	} {
		t.Run(name, func(t *testing.T) {
			table := &schema.Table{Name: "pages", Fields: append(fields, schema.Field{Name: "title"})}
			for _, f := range fields {
				table.Key = append(table.Key, f.Name)
			}
			b := newBook(t, table)
			var n int64
			for _, k := range keys {
				if fields[0].Max != nil && len(k) > 255 {
					continue
				}
				row := []any{k, k}
				if len(fields) == 2 {
					row = []any{k, k + "3", k}
					if len(k) > 36 {
						row[1] = "1:"
					}
				}
				b.page(row)
				n++
			}
			b.wantSent(n)
			b.again()
			b.pages(int(n), func(task int64) [][]any {
				if len(fields) == 2 {
					return [][]any{{"a", "A", "again"}}
				}
				return [][]any{{"a", "again"}}
			})
			b.wantSent(1)
		})
	}
}

// The key of one column can be found by SQL alone.
func TestTheHashOfAKeyIsWhatSQLMakesOfIt(t *testing.T) {
	b := newBook(t, &schema.Table{Name: "pages", Key: []string{"link"}, Fields: []schema.Field{{Name: "link", Type: kind(schema.URL)}}})
	b.page([]any{"https://a.example/鱼"})
	b.wantSent(1)
	if got := b.query1(`SELECT COUNT(*) FROM pages WHERE _key = UNHEX(SHA2(link, 256))`); got != "1" {
		t.Errorf("%s rows have it", got)
	}
}
