package schema

import (
	"math/big"
	"strconv"
	"strings"
	"testing"
)

var numbers = []string{
	"1,234,567.890", "3.350", ",89", "￥ 4,234.35", "1.2万元", "-$5", "12,34,567", "1e5", "9007199254740993", "N/A", "1 234,50", "−0.5", "1.234", "00", "Rs.500", "１，２３４", "- 5", "亿", "USD 1'234.00", "１２３．５", "3亿", "1\u202f234,50", "-",
	"9223372036854775808", "12345678901234567.89", "0.10", "1.234.567", "01,234", "99999999999999999999999999999999999.5万",
}

// onlyDigits keeps what tells one number from another, without the zeros that only say where the point stands.
func onlyDigits(s string) string {
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, narrow(s))
	return strings.Trim(digits, "0")
}

func FuzzNumbersKeepTheirDigits(f *testing.F) {
	for _, s := range numbers {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, sign := range []string{"", ".", ","} {
			field := Field{Type: Type{Kind: Decimal, Precision: maxPrecision, Scale: maxScale}, Decimal: sign}
			v, found := field.parse(trim(s), false, "") // rounded when there are more digits than the scale has
			if found == good && len(s) <= maxScale && onlyDigits(v.(string)) != onlyDigits(s) {
				t.Errorf("%q with decimal %q is %v", s, sign, v)
			}
			whole := Field{Type: Type{Kind: Int}, Decimal: sign}
			n, found := whole.parse(trim(s), false, "")
			if found != good {
				continue
			}
			if text := strconv.FormatInt(n.(int64), 10); onlyDigits(text) != onlyDigits(s) {
				t.Errorf("%q with decimal %q is %s", s, sign, text)
			}
			if exact, ok := new(big.Int).SetString(trim(s), 10); ok && exact.Cmp(big.NewInt(n.(int64))) != 0 {
				t.Errorf("%q is %v", s, n)
			}
		}
	})
}

func FuzzAmbiguousNumbersAreRejectedWithTheirText(f *testing.F) {
	for _, s := range numbers {
		f.Add(s)
	}
	var tables []*Table
	for _, kind := range []string{"int", "real", "decimal(65,30)"} {
		tables = append(tables, one(f, Field{Type: typed(f, kind), Default: ptr("0"), Max: ptr("9"), Clamp: true}))
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, table := range tables {
			row, reject := table.Clean([]Raw{{Text: s, Found: true}}, "")
			switch _, found := table.Fields[0].parse(trim(s), false, ""); {
			case found != ambiguous:
			case row != nil:
				t.Errorf("%q is ambiguous, but %v as %s", s, row.Values[0], table.Fields[0].Type)
			case reject.Raw != table.rawJSON([]Raw{{Text: s, Found: true}}):
				t.Errorf("of %q is kept %s", s, reject.Raw)
			}
		}
	})
}

// styles are ways of writing numbers: between groups, before the fraction, in front, behind.
var styles = [][4]string{
	{"", ".", "", ""}, {",", ".", "¥", ""}, {",", ".", "US$ ", ""}, {",", ".", "USD ", ""}, {"", ",", "", " kr"},
	{".", ",", "", " €"}, {".", ",", "R$ ", ""}, {" ", ",", "", " zł"}, {"\u00a0", ",", "", "\u00a0€"},
	{"\u202f", ",", "", "\u202f₽"}, {"'", ".", "CHF ", ""}, {"’", ".", "", " USD"}, {"，", "．", "￥", "元"},
	{"\u2009", ".", "£", ""}, {" ", ".", "", ""},
}

// write writes a number of thousandths in a style.
func write(style [4]string, thousandths int64, places int, minus string) string {
	whole, fraction := strconv.FormatInt(thousandths/1000, 10), strconv.FormatInt(1000+thousandths%1000, 10)[1:]
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + style[0] + whole[i:]
	}
	if places > 0 {
		whole += style[1] + fraction[:places]
	}
	return minus + style[2] + whole + style[3]
}

func FuzzANumberIsTheOneThatWasWritten(f *testing.F) {
	for i := range styles {
		f.Add(int64(1_234_567_890), byte(i), byte(i), i%2 == 0)
		f.Add(int64(1_234_000), byte(i), byte(0), false)
		f.Add(int64(350), byte(i), byte(3), true)
	}
	f.Fuzz(func(t *testing.T, thousandths int64, style, places byte, negative bool) {
		thousandths &= 1<<62 - 1
		s, digits, minus := styles[int(style)%len(styles)], int(places)%4, ""
		if negative {
			minus = []string{"-", "−", "－"}[int(places/4)%3]
		}
		thousandths -= thousandths % []int64{1000, 100, 10, 1}[digits] // what is not written is not there
		text := write(s, thousandths, digits, minus)
		want := write([4]string{"", ".", "", ""}, thousandths, 3, "")
		if negative && thousandths > 0 {
			want = "-" + want
		}
		known := Field{Type: Type{Kind: Decimal, Precision: 30, Scale: 3}, Decimal: narrow(s[1])}
		if v, found := known.parse(text, false, ""); found != good || v != want {
			t.Errorf("%q with decimal %q is %v (%d), want %s", text, known.Decimal, v, found, want)
		}
		unknown := Field{Type: known.Type}
		if v, found := unknown.parse(text, false, ""); found != ambiguous && (found != good || v != want) {
			t.Errorf("%q is %v (%d), want %s", text, v, found, want)
		}
	})
}
